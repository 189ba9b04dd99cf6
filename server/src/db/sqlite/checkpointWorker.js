import { setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A worker thread that checkpoints the database file `workerData` for each message, and replies (see
 * `checkpoints.ts`). This is plain JavaScript, because Node would otherwise load its type stripper in every
 * thread, which takes 16 MB.
 */
const db = new DatabaseSync(workerData);
const checkpoint = db.prepare('pragma wal_checkpoint(passive)');
// Lowers the priority of this thread, so that requests go first if they share its CPU. Only Linux has
// priorities per thread; elsewhere, this would apply to the whole process.
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
    // The disk may be full, for example. The pages stay in the log, and a later checkpoint retries.
  }
  parentPort?.postMessage('done');
});
