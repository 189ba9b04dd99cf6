import { setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A thread that checkpoints the database file `workerData` for each message, and answers it (see `checkpoints.ts`). Plain
 * JavaScript: Node would strip types anew in each thread, with a compiler that takes 16 MB there.
 */
const db = new DatabaseSync(workerData);
const checkpoint = db.prepare('pragma wal_checkpoint(passive)');
// Requests go first where both share a processor. Linux sets the priority of the thread; elsewhere it is that of the process.
if (process.platform === 'linux') {
  try {
    setPriority(10);
  } catch {
    // A sandbox may forbid it.
  }
}
parentPort?.on('message', () => {
  try {
    checkpoint.get();
  } catch {
    // On a full disk, for example. The log keeps the pages, and a later checkpoint tries again.
  }
  parentPort?.postMessage('done');
});
