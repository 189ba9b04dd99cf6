import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { UnfinishedCopy } from '../../db/contract.ts';
import { unfinishedCopy, versionOf } from '../../db/open.ts';
import { SqliteConnection } from '../../db/sqlite/connection.ts';
import { makeBackup } from '../../db/sqlite/keptCopies.ts';
import { makeWhole } from '../../db/sqlite/partial.ts';
import { folderOf } from '../../files/files.ts';
import { databaseFile } from '../../node/data.ts';
import { readKeys, withKeys } from '../../node/secretKey.ts';
import { CommandError } from '../commandError.ts';
import { percent, type TellStep } from '../terminal.ts';
import { storeKeys } from './format.ts';
import { storeFiles } from './storedFiles.ts';

/**
 * `palaver backup`: writes all data to one file, even while the server runs. The file is a compact,
 * consistent database. It contains the uploaded files, unless they are in a bucket, and the secret key,
 * unless the setting `secretKey` provides it. An existing file is replaced only once the copy is complete.
 * Throws CommandError or StorageError.
 */
export async function backup(
  config: Config,
  file: string,
  tell: TellStep = () => {},
): Promise<{ file: string; bytes: number; files: number }> {
  requireFolder(config, 'back up PostgreSQL with pg_dump');
  const source = databaseFile(config.data);
  if (!existsSync(source)) throw new CommandError(`no data in ${config.data}`);
  const target = resolve(file);
  if (!existsSync(dirname(target)))
    throw new CommandError(`the folder ${dirname(target)} does not exist: create it, or pass another file`);
  requireComplete(source);
  const folder = folderOf(config);
  let files = 0;
  await makeWhole(target, async (fresh) => {
    // The key is read before and after the copy, because a rotation may replace it in the meantime.
    const keys = config.secretKey ? undefined : readKeys(config.data);
    await makeBackup(source, fresh, percent(tell, 'Copying the database'));
    const copy = new SqliteConnection(fresh, {});
    if (folder !== undefined) files = storeFiles(copy, folder, tell);
    // A key from the settings is not backed up, because the operator stores it elsewhere.
    if (keys) storeKeys(copy, withKeys(readKeys(config.data), keys));
    copy.close();
  });
  return { file: target, bytes: statSync(target).size, files };
}

function requireComplete(source: string): void {
  const connection = new SqliteConnection(source, { readOnly: true, busyTimeout: 10_000 });
  try {
    versionOf(connection);
    const origin = unfinishedCopy(connection);
    if (origin) throw new UnfinishedCopy(origin);
  } finally {
    connection.close();
  }
}

/** Throws CommandError if the data is in PostgreSQL. `instead` is the advice in the error message. */
export function requireFolder({ database }: Config, instead: string): void {
  if (database === '') return;
  throw new CommandError(
    `this command works only on SQLite, but the data is in PostgreSQL: ${instead}. See docs/operate/backup.md`,
  );
}
