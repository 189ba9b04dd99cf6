import { StorageError } from '../../db/contract.ts';
import { strangeObject } from '../../db/open.ts';
import type { SqliteConnection } from '../../db/sqlite/connection.ts';
import type { SecretKeys } from '../../lib/seal.ts';
import { parseSecretKeys, secretKeysText } from '../../lib/secretKeys.ts';
import { CommandError } from '../commandError.ts';
import { FILE_TABLE } from './storedFiles.ts';

// A backup is a Palaver database with up to two additional tables, for the secret key and for the files.
const KEY_TABLE = 'create table backup (key text not null)';

/** Adds the secret keys to the copy of a database. */
export function storeKeys(copy: SqliteConnection, keys: SecretKeys): void {
  copy.exec(`${KEY_TABLE};
    insert into backup values ('${secretKeysText(keys)}')`);
}

/** Returns the secret keys in a restored database; undefined if it has none. Throws CommandError. */
export function keysIn(restored: SqliteConnection): SecretKeys | undefined {
  if (!hasTable(restored, 'backup')) return undefined;
  const keys = parseSecretKeys(String(restored.scalar('select key from backup')));
  if (!keys) throw new CommandError('the secret key in the backup is damaged');
  return keys;
}

/**
 * Throws CommandError unless the file is a Palaver database with exactly the tables, triggers and indexes of
 * its version, apart from the tables of a backup. An added trigger would run on every write.
 */
export async function requireBackup(source: SqliteConnection, file: string): Promise<void> {
  source.exec('pragma trusted_schema = off');
  if (!isDatabase(source)) throw new CommandError(`${file} is not a Palaver backup`);
  const strange = await strangeObject(source, [KEY_TABLE, FILE_TABLE]);
  if (strange) {
    throw new CommandError(
      `${file} was not created by Palaver, or was changed: ${JSON.stringify(strange)} is missing or does not match the schema`,
    );
  }
}

function isDatabase(source: SqliteConnection): boolean {
  try {
    return hasTable(source, 'migration');
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}

const hasTable = (connection: SqliteConnection, name: string): boolean =>
  connection.scalar(`select count(*) from sqlite_schema where name = '${name}'`) === 1;
