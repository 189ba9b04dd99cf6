import type { StatementSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/thread.ts';
import type { SqliteConnection } from './connection.ts';

/** Frames of the write-ahead log, of one page each, that wait to be copied to the database file when a copy begins. */
const BEGIN_FRAMES = 1_000;
/**
 * Frames in the log at which writes wait until all are copied, so that the next one begins the log anew: 64 MB. Each wait
 * lasts as long as the disk takes for some syncs, so there must be few: at 4,000 frames, one send in a hundred met one.
 */
const HOLD_FRAMES = 16_000;
/** Changing statements after which the length of the log is read again: a read takes some 40 µs. */
const CHANGES_BETWEEN_READS = 400;

/** Copies what it can of the log to the database file, beside the event loop. Never rejects. */
export type Checkpoint = () => Promise<void>;

/**
 * Keeps the write-ahead log short (sqlite.org/wal.html, 2.1). Checkpoints run in a thread of their own, since they
 * wait for the disk. While one runs, writes go on and lengthen the log, and SQLite reuses it only once all of it is
 * copied. So at `HOLD_FRAMES`, writes wait for a last, short checkpoint; reads do not.
 */
export class Checkpoints {
  /** Tells the lengths of the log, and changes nothing (SQLite 3.51). */
  readonly #lengths: StatementSync;
  readonly #thread: Pick<CheckpointThread, 'checkpoint' | 'close'>;
  readonly #connection: SqliteConnection;
  #changesAtRead = 0;
  #running: Promise<void> | undefined;
  #holdAt = HOLD_FRAMES;

  /** `checkpoint` replaces the thread, in tests. */
  constructor(connection: SqliteConnection, file: string, checkpoint?: Checkpoint) {
    this.#connection = connection;
    connection.exec('pragma wal_autocheckpoint = 0');
    this.#lengths = connection.db.prepare('pragma wal_checkpoint(noop)');
    this.#thread = checkpoint ? { checkpoint, close: async () => {} } : new CheckpointThread(file);
  }

  /** Call this before each transaction, and wait for the promise if there is one. */
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
    // Something keeps the log in use, such as a backup: let it grow, rather than make every write wait.
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
      // The next write meets the same failure, and reports it.
      return { log: 0, checkpointed: 0 };
    }
  }
}

/** The thread, from its first checkpoint on: an idle server has none. */
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
        // The machine has no room for a thread just now: a later checkpoint tries again.
        resolve();
      }
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = startThread(new URL('./checkpointWorker.js', import.meta.url), {
      workerData: this.#file,
      // It holds nothing but a connection.
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
    });
    worker.unref();
    worker.on('message', () => this.#done());
    // It cannot start, or has failed: the next checkpoint tries again with a new one.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#done();
    });
    return worker;
  }
}
