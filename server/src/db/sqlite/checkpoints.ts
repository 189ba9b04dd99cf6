import type { StatementSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/thread.ts';
import type { SqliteConnection } from './connection.ts';

/** Number of frames in the write-ahead log (one page each) at which a checkpoint starts. */
const BEGIN_FRAMES = 1_000;
/**
 * Length of the log, in frames, at which writes block until all of it is copied, so that the next write can
 * restart it: 64 MB. A wait takes as long as several disk syncs, so waits must be rare: with 4,000 frames,
 * one send in a hundred had to wait.
 */
const HOLD_FRAMES = 16_000;
/** Number of changing statements between two checks of the log's length. A check takes about 40 µs. */
const CHANGES_BETWEEN_READS = 400;

/**
 * A function that copies as much of the log as possible into the database file, off the event loop. Never
 * rejects.
 */
export type Checkpoint = () => Promise<void>;

/**
 * Keeps the write-ahead log short (sqlite.org/wal.html, 2.1). Checkpoints run in their own thread, because
 * they wait for the disk. Writes continue in the meantime and lengthen the log, which SQLite can reuse only
 * once all of it is copied. At `HOLD_FRAMES`, writes therefore block until a short final checkpoint has
 * copied the rest; reads do not.
 */
export class Checkpoints {
  /** Returns the lengths of the log without changing anything (SQLite 3.51). */
  readonly #lengths: StatementSync;
  readonly #thread: Pick<CheckpointThread, 'checkpoint' | 'close'>;
  readonly #connection: SqliteConnection;
  #changesAtRead = 0;
  #running: Promise<void> | undefined;
  #holdAt = HOLD_FRAMES;

  /** `checkpoint` replaces the thread in tests. */
  constructor(connection: SqliteConnection, file: string, checkpoint?: Checkpoint) {
    this.#connection = connection;
    connection.exec('pragma wal_autocheckpoint = 0');
    this.#lengths = connection.db.prepare('pragma wal_checkpoint(noop)');
    this.#thread = checkpoint ? { checkpoint, close: async () => {} } : new CheckpointThread(file);
  }

  /** Call this before each transaction, and await the promise if there is one. */
  beforeBegin(): Promise<void> | undefined {
    const { changes } = this.#connection;
    if (changes - this.#changesAtRead < CHANGES_BETWEEN_READS) return undefined;
    this.#changesAtRead = changes;
    const { log, checkpointed } = this.#read();
    if (log < this.#holdAt) this.#holdAt = HOLD_FRAMES;
    else return this.#finish(log);
    if (log - checkpointed >= BEGIN_FRAMES) this.#running ??= this.#run();
    return undefined;
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#thread.close();
  }

  async #finish(log: number): Promise<void> {
    await this.#running;
    await this.#run();
    // If something, such as a backup, is still using the log, the log is allowed to grow. Otherwise, every
    // write would have to wait.
    this.#holdAt = log + HOLD_FRAMES;
  }

  async #run(): Promise<void> {
    try {
      await this.#thread.checkpoint();
    } finally {
      this.#running = undefined;
    }
  }

  #read(): { log: number; checkpointed: number } {
    try {
      return this.#lengths.get() as { log: number; checkpointed: number };
    } catch {
      // The next write fails in the same way and reports the error.
      return { log: 0, checkpointed: 0 };
    }
  }
}

/** The worker thread. The first checkpoint starts it, so an idle server has none. */
class CheckpointThread {
  readonly #file: string;
  #worker: Worker | undefined;
  #done = () => {};

  constructor(file: string) {
    this.#file = file;
  }

  checkpoint(): Promise<void> {
    return new Promise((resolve) => {
      this.#done = resolve;
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage('checkpoint');
      } catch {
        // The machine cannot start a thread at the moment. A later checkpoint retries.
        resolve();
      }
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = startThread(new URL('./checkpointWorker.js', import.meta.url), {
      // No heap limits are set, because limits below those in the process's own flags can crash the process
      // while the thread starts.
      workerData: this.#file,
    });
    worker.unref();
    worker.on('message', () => this.#done());
    // The thread could not start, or has failed. The next checkpoint starts a new one.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#done();
    });
    return worker;
  }
}
