import { StorageError } from '../../db/contract.ts';
import type { SqliteConnection } from '../../db/sqlite/connection.ts';
import type { SecretKeys } from '../../lib/seal.ts';
import { parseSecretKeys, secretKeysText } from '../../lib/secretKeys.ts';
import { CommandError } from '../commandError.ts';

// A backup is a database of Palaver with one more table, for the secret key.

/** Adds the secret keys to the copy of a database. */
export function storeKeys(copy: SqliteConnection, keys: SecretKeys): void {
  copy.exec(`create table backup (key text not null);
    insert into backup values ('${secretKeysText(keys)}')`);
}

/** The secret keys in a restored database; undefined if it has none. Throws CommandError. */
export function keysIn(restored: SqliteConnection): SecretKeys | undefined {
  if (!hasTable(restored, 'backup')) return undefined;
  const keys = parseSecretKeys(String(restored.scalar('select key from backup')));
  if (!keys) throw new CommandError('the secret key in the backup is damaged');
  return keys;
}

/** True for a database of Palaver. */
export function isBackup(source: SqliteConnection): boolean {
  try {
    return hasTable(source, 'migration');
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}

const hasTable = (connection: SqliteConnection, name: string): boolean =>
  connection.scalar(`select count(*) from sqlite_schema where name = '${name}'`) === 1;
