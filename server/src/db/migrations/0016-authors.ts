import type { ColumnTypes } from '../migrate.ts';
import { laterAuthors } from '../searchSchema.ts';

/** On SQLite, the author index of messages is now filled asynchronously instead of by each send. */
export default (t: ColumnTypes): string[] => laterAuthors(t.dialect);
