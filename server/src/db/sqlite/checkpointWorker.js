import { setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A worker thread that checkpoints the database file `workerData` for each message, and replies (see
 * `checkpoints.ts`). Plain JavaScript, because Node would load its type stripper, which takes 16 MB, in every
 * thread.
 */
const db = new DatabaseSync(workerData);
const checkpoint = db.prepare('pragma wal_checkpoint(passive)');
// Give priority to requests if both share a CPU. Only Linux has a priority per thread; elsewhere it would
// apply to the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(10);
  } catch {
    // A sandbox may forbid this.
  }
}
parentPort?.on('message', () => {
  try {
    checkpoint.get();
  } catch {
    // The disk may be full, for example. The log keeps the pages, and a later checkpoint retries.
  }
  parentPort?.postMessage('done');
});
