import { StorageError } from './contract.ts';

/**
 * The newest schema version that this program knows: that of the last migration, which a start need not load.
 */
export const schemaVersion = 23;

/** Returns a database's schema version. Throws `StorageError` if it is newer than this program. */
export function requireKnown(version: number): number {
  if (version <= schemaVersion) return version;
  throw new StorageError(
    `the data was written by a newer Palaver (schema ${version}, this program knows ${schemaVersion}): upgrade this program`,
  );
}
