import { once } from 'node:events';
import { closeSync, existsSync, fdatasync, openSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startThread } from '../../lib/thread.ts';
import { nameError } from './errors.ts';

/** Interval of the progress checks. */
const LOOK_MS = 100;
/** Bytes that a copy writes between two syncs. */
const SYNC_BYTES = 16 * 1024 * 1024;

/** Progress callback, called with the number of bytes done and the total. */
export type Progress = (done: number, total: number) => void;

const sync = promisify(fdatasync);

/**
 * Runs a read-only statement in a thread. Returns the first column of its first row. Throws `StorageError`.
 */
async function longStatement(file: string, sql: string): Promise<unknown> {
  const worker = startThread(new URL('./statementWorker.js', import.meta.url), { workerData: { file, sql } });
  const [reply] = await once(worker, 'message');
  if (reply.message !== undefined) throw nameError(Object.assign(new Error(reply.message), reply));
  return reply.answer;
}

/** Checks a database file. Returns false if it is damaged. */
export const isSound = async (file: string): Promise<boolean> =>
  (await longStatement(file, 'pragma quick_check')) === 'ok';

/**
 * Copies a database, which may be in use, to a new file. The copy is compact, consistent and without deleted
 * content. The file is synced as it grows, because a single sync at the end would delay the commits of a
 * running server. Throws `StorageError`.
 */
export async function copyCompactly(from: string, to: string, progress: Progress = () => {}): Promise<void> {
  const total = statSync(from).size;
  let isDone = false;
  const copying = longStatement(from, `vacuum into '${to.replaceAll("'", "''")}'`).finally(() => {
    isDone = true;
  });
  copying.catch(() => {});
  let synced = 0;
  let file: number | undefined;
  try {
    while (!isDone) {
      await Promise.race([copying.catch(() => {}), sleep(LOOK_MS)]);
      if (file === undefined && !existsSync(to)) continue;
      file ??= openSync(to, 'r');
      const { size } = statSync(to);
      progress(Math.min(size, total), total);
      if (size - synced >= SYNC_BYTES) {
        await sync(file);
        synced = size;
      }
    }
    await copying;
    if (file !== undefined) await sync(file);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
