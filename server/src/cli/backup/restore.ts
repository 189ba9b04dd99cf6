import { existsSync, renameSync, rmSync } from 'node:fs';
import { backup as copyDatabase } from 'node:sqlite';
import type { Config } from '../../config.ts';
import { makeDataFolder } from '../../db/dataFolder.ts';
import { InUse, openAlone } from '../../db/sqlite/alone.ts';
import { SqliteConnection } from '../../db/sqlite/connection.ts';
import { folderOf } from '../../files/files.ts';
import { databaseFile } from '../../node/data.ts';
import { writeKeys } from '../../node/secretKey.ts';
import { CommandError } from '../commandError.ts';
import { requireFolder } from './backup.ts';
import { keysIn, requireBackup } from './format.ts';
import { hasFiles, removeOthers, writeFiles } from './storedFiles.ts';

/**
 * `palaver restore`: restores a backup to the data folder. Throws CommandError if the file is not a genuine
 * backup, or if the folder has data, unless forced. Throws StorageError while a server runs on the folder,
 * because the server would keep using the old secret key.
 */
export async function restore(config: Config, file: string, force: boolean): Promise<{ data: string }> {
  requireFolder(config, 'restore a PostgreSQL dump with pg_restore');
  if (!existsSync(file)) throw new CommandError(`${file} does not exist`);
  const target = databaseFile(config.data);
  if (existsSync(target) && !force) {
    throw new CommandError(
      `${config.data} already has data: restore to another folder with --data, or replace it with --force`,
    );
  }
  const source = new SqliteConnection(file, { readOnly: true });
  try {
    await requireBackup(source, file);
    if (source.scalar('pragma quick_check') !== 'ok') throw new CommandError(`${file} is damaged`);
    makeDataFolder(config.data);
    if (existsSync(target)) requireUnused(target);
    const folder = folderOf(config);
    const files = folder !== undefined && hasFiles(source) ? writeFiles(source, folder) : undefined;
    await copyToNew(target, source);
    if (folder !== undefined && files) removeOthers(folder, files);
  } finally {
    source.close();
  }
  moveKey(config.data, target);
  return { data: config.data };
}

/**
 * Throws StorageError if another process has the file open. A damaged file passes, because a restore may
 * replace it.
 */
function requireUnused(file: string): void {
  try {
    openAlone(file).close();
  } catch (error) {
    if (error instanceof InUse) throw error;
  }
}

async function copyToNew(target: string, source: SqliteConnection): Promise<void> {
  const fresh = `${target}.${process.pid}.partial`;
  await copyDatabase(source.db, fresh);
  dropFiles(fresh);
  // SQLite would apply a previous database's write-ahead log to the new one and corrupt it.
  for (const rest of ['-wal', '-shm']) rmSync(target + rest, { force: true });
  renameSync(fresh, target);
}

/** Drops the files from a copy of a backup, because they are already in their folder. */
function dropFiles(fresh: string): void {
  const copy = new SqliteConnection(fresh, {});
  try {
    if (hasFiles(copy)) copy.exec('drop table file; vacuum');
  } finally {
    copy.close();
  }
}

/** Moves the secret keys from the restored database to the key file. */
function moveKey(folder: string, file: string): void {
  const restored = new SqliteConnection(file, { busyTimeout: 10_000 });
  try {
    restored.exec('pragma journal_mode = wal; pragma synchronous = full');
    const keys = keysIn(restored);
    if (!keys) return;
    writeKeys(folder, keys, true);
    restored.exec('drop table backup');
  } finally {
    restored.close();
  }
}
