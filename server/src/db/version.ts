import { StorageError } from './contract.ts';
import type { Migration } from './migrate.ts';
import { migrationFiles } from './migrations/index.ts';

/** The newest schema version that this program supports, which is the number of the last migration. */
export const schemaVersion = migrationFiles.length;

/** Returns the given schema version of a database. Throws `StorageError` if it is newer than this program. */
export function requireKnown(version: number): number {
  if (version <= schemaVersion) return version;
  throw new StorageError(
    `the data was written by a newer Palaver (schema ${version}; this version supports up to ${schemaVersion}): upgrade Palaver`,
  );
}

/** Loads all migrations, oldest first. */
export const loadMigrations = (): Promise<Migration[]> =>
  Promise.all(
    migrationFiles.map(async ({ name, load }, index) => {
      const { default: statements, isBackwardCompatible = false } = await load();
      return { version: index + 1, name, isBackwardCompatible, statements };
    }),
  );
