import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageError, UnfinishedCopy } from './contract.ts';
import { sqliteTypes } from './migrate.ts';
import { migrations } from './schema.ts';
import type { SqliteConnection } from './sqlite/connection.ts';
import { openSqlite, type SqliteDb, type SqliteOptions } from './sqlite/index.ts';
import { requireKnown, schemaVersion } from './version.ts';

/**
 * Opens the embedded database. Creates its folder if needed and brings its schema up to date. Throws `StorageError` if
 * the file cannot be used or was written by a newer version of Palaver.
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
 * Brings the schema up to date. Each migration is recorded in its own transaction, so a crash leaves the schema of the
 * one before. Throws `UnfinishedCopy` if `palaver migrate` has not finished, and `StorageError` if the schema is newer.
 */
export function migrate(connection: SqliteConnection): void {
  const origin = unfinishedCopy(connection);
  if (origin) throw new UnfinishedCopy(origin);
  if (versionOf(connection) === schemaVersion) return;
  connection.exec('pragma busy_timeout = 10000');
  for (const { version, name, statements } of migrations) {
    connection.exec('begin immediate');
    try {
      // Checked again under the write lock: another process may have made it first.
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

/** The origin of an unfinished copy by `palaver migrate`: JSON of `Origin` (`copy/side.ts`); undefined if none. */
export function unfinishedCopy(connection: SqliteConnection): string | undefined {
  if (connection.scalar(`select count(*) from sqlite_schema where name = 'moveProgress'`) === 0)
    return undefined;
  return String(connection.scalar(`select note from "moveProgress" where part = 'origin'`));
}

/** The version of a database's schema, 0 for an empty one. Throws `StorageError` if it is newer than this program. */
export function versionOf(connection: SqliteConnection): number {
  const exists = connection.scalar(`select count(*) from sqlite_schema where name = 'migration'`);
  const version = exists ? Number(connection.scalar('select coalesce(max(version), 0) from migration')) : 0;
  return requireKnown(version);
}
