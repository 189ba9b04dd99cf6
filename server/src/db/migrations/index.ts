import { StorageError } from '../contract.ts';
import type { Migration } from '../migrate.ts';
import { searchSchema } from '../search.ts';
import initial from './0001-initial.ts';
import feed from './0002-feed.ts';
import logs from './0004-logs.ts';

/** All migrations, oldest first. One that was released is never changed: add another. */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'initial', statements: (types) => [...initial(types), ...searchSchema(types.dialect)] },
  { version: 2, name: 'feed', statements: feed },
  { version: 3, name: 'logs', statements: logs },
];

/** The version of the schema that this program knows. */
export const schemaVersion = migrations.at(-1)?.version ?? 0;

/** Gives the version that a database has. Throws `StorageError` if it is newer than this program. */
export function requireKnown(version: number): number {
  if (version <= schemaVersion) return version;
  throw new StorageError(
    `the data was written by a newer Palaver (schema ${version}, this program knows ${schemaVersion}): upgrade this program`,
  );
}
