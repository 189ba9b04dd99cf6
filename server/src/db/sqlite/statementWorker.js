import { setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A worker thread that runs one long statement on a database file, and replies with the first column of its
 * first row, or with its error (see `longStatement.ts`). This is plain JavaScript, like
 * `checkpointWorker.js`.
 */
const { file, sql } = workerData;
// Lowers the priority of this thread, like `checkpointWorker.js`, in favor of a running server.
if (process.platform === 'linux') {
  try {
    setPriority(10);
  } catch {
    // A sandbox may forbid this.
  }
}
let reply;
try {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  reply = { answer: statement.get()?.[0] };
  db.close();
} catch (error) {
  reply = { errcode: error.errcode, message: error.message };
}
parentPort?.postMessage(reply);
