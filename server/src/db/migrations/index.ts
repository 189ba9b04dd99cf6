import type { Migration } from '../migrate.ts';
import { searchSchema } from '../search.ts';
import initial from './0001-initial.ts';

/** All migrations, oldest first. One that was released is never changed: add another. */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'initial', statements: (types) => [...initial(types), ...searchSchema(types.dialect)] },
];
