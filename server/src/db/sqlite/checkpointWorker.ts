import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** A thread that checkpoints the database file `workerData` for each message, and answers it (see `checkpoints.ts`). */
const db = new DatabaseSync(workerData as string);
const checkpoint = db.prepare('pragma wal_checkpoint(passive)');
parentPort?.on('message', () => {
  try {
    checkpoint.get();
  } catch {
    // On a full disk, for example. The log keeps the pages, and a later checkpoint tries again.
  }
  parentPort?.postMessage('done');
});
