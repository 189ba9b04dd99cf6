import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { makeDataFolder } from '../../db/dataFolder.ts';
import { InUse, openAlone } from '../../db/sqlite/alone.ts';
import { SqliteConnection } from '../../db/sqlite/connection.ts';
import { keptCopies } from '../../db/sqlite/keptCopies.ts';
import { copyCompactly, isSound, type Progress } from '../../db/sqlite/longStatement.ts';
import { makeWhole } from '../../db/sqlite/partial.ts';
import { folderOf } from '../../files/files.ts';
import type { SecretKeys } from '../../lib/seal.ts';
import { databaseFile } from '../../node/data.ts';
import { readKeys, withKeys, writeKeys } from '../../node/secretKey.ts';
import { CommandError } from '../commandError.ts';
import { percent, type TellStep } from '../terminal.ts';
import { requireFolder } from './backup.ts';
import { keysIn, requireBackup } from './format.ts';
import { bytesOfFiles, hasFiles, removeOthers, writeFiles } from './storedFiles.ts';

/** Bytes copied per step. */
const PART_BYTES = 4 * 1024 * 1024;
/**
 * If files make up a larger share of a backup than this, the restored database is compacted, which rewrites
 * it once.
 */
const MAX_FREE_SHARE = 0.2;

/**
 * `palaver restore`: restores a backup to the data folder. Throws CommandError if the file is not a genuine
 * backup, or if the folder has data and `force` is not set. Throws StorageError while a server is using the
 * folder, because the server would keep using the old secret key. If it is interrupted, the folder has either
 * the previous database or the restored one.
 */
export async function restore(
  config: Config,
  given: string,
  force: boolean,
  tell: TellStep = () => {},
): Promise<{ data: string }> {
  requireFolder(config, 'restore a PostgreSQL dump with pg_restore');
  const file = existsSync(given) ? given : keptCopies(config.data).find(({ name }) => name === given)?.path;
  if (file === undefined) throw new CommandError(`${given} does not exist`);
  const target = databaseFile(config.data);
  if (existsSync(target) && !force) {
    throw new CommandError(
      `${config.data} already has data: restore to another folder with --data, or replace it with --force`,
    );
  }
  const source = new SqliteConnection(file, { readOnly: true });
  try {
    await requireBackup(source, file);
    makeDataFolder(config.data);
    if (existsSync(target)) requireUnused(target);
    let keys: SecretKeys | undefined;
    let files: Set<string> | undefined;
    const folder = folderOf(config);
    await makeWhole(target, async (fresh) => {
      // The check and the copy each read the whole file. They run concurrently, so that whichever is behind
      // reads from the page cache.
      const checking = isSound(file);
      const copying = copyDatabase(file, fresh, source, percent(tell, 'Copying the database'));
      const [sound, copied] = await Promise.allSettled([checking, copying]);
      if (sound.status === 'rejected') throw sound.reason;
      if (!sound.value) throw new CommandError(`${file} is damaged`);
      if (copied.status === 'rejected') throw copied.reason;
      keys = await takeOut(fresh, source);
      if (folder !== undefined && hasFiles(source))
        files = writeFiles(source, folder, percent(tell, 'Copying files'));
      // Keeps both keys, so that one of them decrypts the data even if the restore is interrupted.
      if (keys) writeKeys(config.data, withPrevious(keys, config.data), true);
      // SQLite would apply the previous database's write-ahead log to the restored one.
      for (const rest of ['-wal', '-shm']) rmSync(target + rest, { force: true });
    });
    if (keys) writeKeys(config.data, keys, true);
    if (folder !== undefined && files) removeOthers(folder, files);
  } finally {
    source.close();
  }
  return { data: config.data };
}

/** Lists the copies that were made before migrations, newest first. Throws CommandError if there are none. */
export function listCopies(config: Config): object[] {
  requireFolder(config, 'restore a PostgreSQL dump with pg_restore');
  const copies = keptCopies(config.data);
  if (copies.length === 0)
    throw new CommandError(`${config.data} has no copies from before an upgrade: pass the file of a backup`);
  return copies.map(({ madeAt, ...copy }) => ({ ...copy, madeAt: new Date(madeAt).toISOString() }));
}

/**
 * Throws StorageError if another process has the file open. Accepts a damaged file, because a restore may
 * replace it. Closing the file applies its write-ahead log.
 */
function requireUnused(file: string): void {
  try {
    openAlone(file).close();
  } catch (error) {
    if (error instanceof InUse) throw error;
  }
}

/** Returns the given keys, followed by those in the folder. */
function withPrevious(keys: SecretKeys, folder: string): SecretKeys {
  try {
    return withKeys(keys, readKeys(folder));
  } catch {
    return keys;
  }
}

/**
 * Copies the bytes of a backup. A file in WAL mode, which Palaver's own backups never are, is copied by
 * SQLite instead.
 */
async function copyDatabase(
  file: string,
  fresh: string,
  source: SqliteConnection,
  progress: Progress,
): Promise<void> {
  if (source.scalar('pragma journal_mode') === 'wal') return copyCompactly(file, fresh, progress);
  const [from, to] = await Promise.all([open(file), open(fresh, 'wx', 0o600)]);
  try {
    await copyBytes(from, to, statSync(file).size, progress);
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
}

async function copyBytes(from: FileHandle, to: FileHandle, total: number, progress: Progress): Promise<void> {
  const part = Buffer.allocUnsafe(PART_BYTES);
  for (let done = 0; ; ) {
    const { bytesRead } = await from.read(part, 0, part.length, done);
    if (bytesRead === 0) return;
    await to.writeFile(part.subarray(0, bytesRead));
    done += bytesRead;
    progress(done, total);
  }
}

/** Removes the files and the keys from a copy of a backup, and syncs it. Returns the keys. */
async function takeOut(fresh: string, source: SqliteConnection): Promise<SecretKeys | undefined> {
  const share = hasFiles(source) ? bytesOfFiles(source) / statSync(fresh).size : 0;
  const copy = new SqliteConnection(fresh, {});
  let keys: SecretKeys | undefined;
  try {
    // The copy is not in use yet, so a single sync at the end is enough.
    copy.exec('pragma journal_mode = memory; pragma synchronous = off; drop table if exists file');
    keys = keysIn(copy);
    // Without `secure_delete`, the key would remain in unused pages of the file.
    if (keys) copy.exec('pragma secure_delete = on; drop table backup');
  } finally {
    copy.close();
  }
  if (share > MAX_FREE_SHARE) {
    const compact = `${fresh}-compact`;
    await copyCompactly(fresh, compact);
    renameSync(compact, fresh);
  }
  chmodSync(fresh, 0o600);
  const file = await open(fresh, 'r');
  await file.sync();
  await file.close();
  return keys;
}
