import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageError, UnfinishedCopy } from './contract.ts';
import { sqliteTypes } from './migrate.ts';
import { migrations } from './schema.ts';
import type { SqliteConnection } from './sqlite/connection.ts';
import { openSqlite, type SqliteDb, type SqliteOptions } from './sqlite/index.ts';
import { requireKnown, schemaVersion } from './version.ts';

/**
 * Opens the embedded database, making its folder and bringing its schema up to date. Throws `StorageError` with a
 * message for the operator where the file cannot be used or was written by a newer version of Palaver.
 */
export function openDatabase(options: SqliteOptions): SqliteDb {
  try {
    mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StorageError(`the data folder cannot be made: ${(error as Error).message}`);
  }
  const db = openSqlite(options);
  try {
    migrate(db.connection);
  } catch (error) {
    void db.close();
    throw error;
  }
  return db;
}

/**
 * Brings the schema up to date. Each migration is one transaction with the note that it was made: a crash leaves the one
 * before. Throws `StorageError` where there is an unfinished copy, which is no data yet.
 */
export function migrate(connection: SqliteConnection): void {
  const origin = unfinishedCopy(connection);
  if (origin) throw new UnfinishedCopy(origin);
  if (versionOf(connection) === schemaVersion) return;
  connection.exec('pragma busy_timeout = 10000');
  for (const { version, name, statements } of migrations) {
    connection.exec('begin immediate');
    try {
      // Asked again under the write lock: another process may have been first.
      if (versionOf(connection) < version) {
        for (const statement of statements(sqliteTypes)) connection.exec(statement);
        connection.exec(`create table if not exists migration (version integer primary key, name text not null, "madeAt" integer not null);
          insert into migration values (${version}, '${name}', ${Date.now()})`);
      }
      connection.exec('commit');
    } catch (error) {
      if (connection.db.isTransaction) connection.exec('rollback');
      throw error;
    }
  }
  connection.exec('pragma busy_timeout = 0');
}

/** What notes where the rows were copied from, in a database that `palaver migrate` has not finished. */
export function unfinishedCopy(connection: SqliteConnection): string | undefined {
  if (connection.scalar(`select count(*) from sqlite_schema where name = 'moveProgress'`) === 0)
    return undefined;
  return String(connection.scalar(`select note from "moveProgress" where part = 'origin'`));
}

/** The version of a database's schema, 0 for an empty one. Throws if it is newer than this program. */
export function versionOf(connection: SqliteConnection): number {
  const exists = connection.scalar(`select count(*) from sqlite_schema where name = 'migration'`);
  const version = exists ? Number(connection.scalar('select coalesce(max(version), 0) from migration')) : 0;
  return requireKnown(version);
}
