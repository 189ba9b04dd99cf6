import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup as copyDatabase } from 'node:sqlite';
import type { Config } from '../config.ts';
import { StorageError, UnfinishedCopy } from '../db/contract.ts';
import { unfinishedCopy, versionOf } from '../db/open.ts';
import { SqliteConnection } from '../db/sqlite/connection.ts';
import { databaseFile, readKey, writeKey } from './data.ts';
import { CommandError } from './records.ts';

/**
 * `palaver backup`: one file with everything, also while the server runs: a database of its own, compact and
 * consistent, with the key that the apps' secrets are encrypted with. Replaces FILE only once the copy is whole.
 */
export function backup(config: Config, file: string): { file: string; bytes: number } {
  requireFolder(config, 'copy a database of PostgreSQL with pg_dump');
  const source = databaseFile(config.data);
  if (!existsSync(source)) throw new CommandError(`there is no data in ${config.data}`);
  const target = resolve(file);
  const fresh = `${target}.${process.pid}.partial`;
  mkdirSync(dirname(target), { recursive: true });
  try {
    const connection = new SqliteConnection(source, { readOnly: true, busyTimeout: 10_000 });
    try {
      versionOf(connection);
      const origin = unfinishedCopy(connection);
      if (origin) throw new UnfinishedCopy(origin);
      connection.exec(`vacuum into '${fresh.replaceAll("'", "''")}'`);
    } finally {
      connection.close();
    }
    chmodSync(fresh, 0o600);
    const copy = new SqliteConnection(fresh, {});
    // It is no longer where it was (see feed/epoch.ts), wherever it will be put.
    copy.exec(`pragma synchronous = full; delete from setting where name = 'place'`);
    // Where the key comes from the environment, it is the operator's to keep.
    if (!config.secretKey) storeKey(copy, readKey(config.data));
    copy.close();
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { force: true });
    rmSync(`${fresh}-journal`, { force: true });
  }
  return { file: target, bytes: statSync(target).size };
}

/** Throws where the data are not in the folder, but in PostgreSQL, which has better ways. */
function requireFolder({ database }: Config, instead: string): void {
  if (database === '') return;
  throw new CommandError(
    `this is for the embedded database, and the setting database names another: ${instead}, see docs/operate/backup.md`,
  );
}

function storeKey(copy: SqliteConnection, key: Uint8Array): void {
  copy.exec(`create table backup (key text not null);
    insert into backup values ('${Buffer.from(key).toString('base64url')}')`);
}

/**
 * `palaver restore`: puts a backup in the place of the data. Refuses a folder that holds data unless forced. Stop
 * a server that runs on the folder first: it would go on with the key that apps' secrets were encrypted with before.
 */
export async function restore(config: Config, file: string, force: boolean): Promise<{ data: string }> {
  requireFolder(config, 'restore a dump of PostgreSQL with pg_restore');
  if (!existsSync(file)) throw new CommandError(`there is no file ${file}`);
  const target = databaseFile(config.data);
  if (existsSync(target) && !force) {
    throw new CommandError(
      `${config.data} holds data already: restore to another folder with --data, or replace it with --force`,
    );
  }
  const source = new SqliteConnection(file, { readOnly: true });
  try {
    if (!isBackup(source) || versionOf(source) === 0)
      throw new CommandError(`${file} is no backup of Palaver`);
    if (source.scalar('pragma quick_check') !== 'ok') throw new CommandError(`${file} is damaged`);
    mkdirSync(config.data, { recursive: true, mode: 0o700 });
    if (existsSync(target)) {
      await copyDatabase(source.db, target);
    } else {
      const fresh = `${target}.${process.pid}.partial`;
      await copyDatabase(source.db, fresh);
      // A log that a database which is gone has left would be taken for that of the new one, and ruin it.
      for (const rest of ['-wal', '-shm']) rmSync(target + rest, { force: true });
      renameSync(fresh, target);
    }
  } finally {
    source.close();
  }
  takeKey(config.data, target);
  return { data: config.data };
}

function isBackup(source: SqliteConnection): boolean {
  try {
    return source.scalar(`select count(*) from sqlite_schema where name = 'migration'`) === 1;
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}

/** Moves the key out of the restored database into its file. */
function takeKey(folder: string, file: string): void {
  const restored = new SqliteConnection(file, { busyTimeout: 10_000 });
  try {
    restored.exec('pragma journal_mode = wal; pragma synchronous = full');
    if (restored.scalar(`select count(*) from sqlite_schema where name = 'backup'`) !== 1) return;
    writeKey(folder, Buffer.from(String(restored.scalar('select key from backup')), 'base64url'), true);
    restored.exec('drop table backup');
  } finally {
    restored.close();
  }
}
