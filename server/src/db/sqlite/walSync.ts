import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { StorageError } from '../contract.ts';

/** Writes a file's data to the disk, and returns once it is there. */
export type SyncFile = (fd: number) => Promise<void>;

/**
 * Makes commits durable beside the event loop (docs/decisions/0021). With `synchronous=NORMAL`, SQLite appends a commit
 * to the write-ahead log without a sync, and syncs that file itself only before it copies pages out of it. A commit is
 * durable once a sync of the log that began after it has ended.
 */
export class WalSync {
  readonly #file: string;
  readonly #sync: SyncFile;
  /** The log, opened at the first sync. It is the same file as long as a connection to the database is open. */
  #fd: number | undefined;
  #running: Promise<void> | undefined;
  #failure: StorageError | undefined;

  constructor(databaseFile: string, sync: SyncFile = promisify(fdatasync)) {
    this.#file = `${databaseFile}-wal`;
    this.#sync = sync;
  }

  /** Set once a sync has failed. Nothing written since the sync before can be trusted until the process starts anew. */
  get failure(): StorageError | undefined {
    return this.#failure;
  }

  /** Undefined if all commits are durable; otherwise a promise, never rejected, that resolves once they are. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /**
   * Syncs the log. Call it right after a commit, and not again before it has ended. Throws `StorageError` if the disk
   * fails, and from then on: Linux reports the failure of a write once, and a later sync may succeed without the data.
   */
  async sync(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = promise;
    try {
      if (this.#failure) throw this.#failure;
      this.#fd ??= openSync(this.#file, 'r+');
      await this.#sync(this.#fd);
    } catch (error) {
      this.#failure ??= new StorageError(
        `the disk did not keep what was written: ${(error as Error).message}; restart once it is repaired`,
      );
      throw this.#failure;
    } finally {
      this.#running = undefined;
      resolve();
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
  }
}
