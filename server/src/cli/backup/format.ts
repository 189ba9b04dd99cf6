import { StorageError } from '../../db/contract.ts';
import type { SqliteConnection } from '../../db/sqlite/connection.ts';

// A backup is a database of Palaver with one more table, for the secret key.

/** Adds the secret key to the copy of a database. */
export function storeKey(copy: SqliteConnection, key: Uint8Array): void {
  copy.exec(`create table backup (key text not null);
    insert into backup values ('${Buffer.from(key).toString('base64url')}')`);
}

/** The secret key in a restored database; undefined if it has none. */
export function keyIn(restored: SqliteConnection): Buffer | undefined {
  if (!hasTable(restored, 'backup')) return undefined;
  return Buffer.from(String(restored.scalar('select key from backup')), 'base64url');
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
