import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { UnfinishedCopy } from '../../db/contract.ts';
import { unfinishedCopy, versionOf } from '../../db/open.ts';
import { purgeIndex } from '../../db/search/purge.ts';
import { SqliteConnection } from '../../db/sqlite/connection.ts';
import { folderOf } from '../../files/files.ts';
import { databaseFile } from '../../node/data.ts';
import { readKeys, withKeys } from '../../node/secretKey.ts';
import { CommandError } from '../commandError.ts';
import { storeKeys } from './format.ts';
import { storeFiles } from './storedFiles.ts';

/**
 * `palaver backup`: writes all data to one file, even while the server runs. The file is a compact,
 * consistent database with the secret key, and with the uploaded files unless they are in a bucket. An
 * existing file is replaced only once the copy is complete. Throws CommandError or StorageError.
 */
export function backup(config: Config, file: string): { file: string; bytes: number; files: number } {
  requireFolder(config, 'back up PostgreSQL with pg_dump');
  const source = databaseFile(config.data);
  if (!existsSync(source)) throw new CommandError(`there is no data in ${config.data}`);
  const target = resolve(file);
  if (!existsSync(dirname(target)))
    throw new CommandError(`the folder ${dirname(target)} does not exist: create it, or pass another file`);
  const fresh = `${target}.${process.pid}.partial`;
  const folder = folderOf(config);
  let files = 0;
  try {
    // Read both before and after, because a rotation may replace the key while the data are being copied.
    const keys = config.secretKey ? undefined : readKeys(config.data);
    copyInto(fresh, source);
    chmodSync(fresh, 0o600);
    const copy = new SqliteConnection(fresh, {});
    // A restored copy must start a new epoch, even if it is restored to the same location: see
    // feed/epoch.ts.
    copy.exec(`pragma synchronous = full; delete from setting where name = 'place'`);
    purgeIndex(copy);
    if (folder !== undefined) files = storeFiles(copy, folder);
    // The operator keeps a key that comes from the environment; it does not belong in the backup.
    if (keys) storeKeys(copy, withKeys(readKeys(config.data), keys));
    copy.close();
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { force: true });
    rmSync(`${fresh}-journal`, { force: true });
  }
  return { file: target, bytes: statSync(target).size, files };
}

function copyInto(fresh: string, source: string): void {
  const connection = new SqliteConnection(source, { readOnly: true, busyTimeout: 10_000 });
  try {
    versionOf(connection);
    const origin = unfinishedCopy(connection);
    if (origin) throw new UnfinishedCopy(origin);
    connection.exec(`vacuum into '${fresh.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
}

/** Throws CommandError if the data are in PostgreSQL. `instead` is the advice in the error message. */
export function requireFolder({ database }: Config, instead: string): void {
  if (database === '') return;
  throw new CommandError(
    `this command works only on SQLite, but the data is in PostgreSQL: ${instead}. See docs/operate/backup.md`,
  );
}
