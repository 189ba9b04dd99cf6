import { closeSync, createWriteStream, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { linesOf, pagesOf, rowsAbout } from '../../accounts/export/rows.ts';
import type { Reader } from '../../db/contract.ts';
import type { Files } from '../../files/files.ts';
import { makeFolder } from '../../lib/folder.ts';
import type { Data } from '../../node/data.ts';
import { change } from '../../resources/change.ts';
import { recordCommand } from '../../resources/recordCommand.ts';
import { userNamed } from './find.ts';

/**
 * `palaver user export`: writes all rows about a user to a file, as JSON Lines: `{"table": …, "row": {…}}`.
 * Reads page by page, and replaces an existing file only once the new one is complete. Throws CommandError,
 * or the error from the file.
 */
export async function exportUser(
  data: Pick<Data, 'db' | 'deps' | 'files'>,
  { username, output, files: folder }: { username: string; output?: string; files?: string },
): Promise<{ file: string; rows: number }> {
  const { deps, files } = data;
  const db = data.db.read;
  const { id, ...user } = await userNamed(db, username);
  const file = resolve(output ?? `${user.username}.jsonl`);
  const fresh = `${file}.${process.pid}.partial`;
  const descriptor = openSync(fresh, 'wx', 0o600);
  try {
    let rows = 0;
    for await (const page of rowsAbout(db, id, false)) {
      writeSync(descriptor, linesOf(page));
      rows += page.rows.length;
    }
    if (folder !== undefined) await copyFiles(db, files, id, resolve(folder));
    renameSync(fresh, file);
    await change(data, ({ db: tx }) => recordCommand(tx, deps, 'user export', { id }));
    return { file, rows };
  } finally {
    closeSync(descriptor);
    rmSync(fresh, { force: true });
  }
}

/** Copies a user's uploaded files to a folder. Each is named after the id of its attachment or picture. */
async function copyFiles(db: Reader, files: Files, userId: string, folder: string): Promise<void> {
  makeFolder(folder, 0o700);
  const store = await files.store;
  for (const table of ['attachment', 'picture'] as const)
    for await (const page of pagesOf(db, table, 'creatorId', userId))
      for (const { id } of page as { id: string }[])
        await pipeline(await store.open(id), createWriteStream(join(folder, id), { mode: 0o600 }));
}
