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
  /** The sync under way, and the one after it, which commits have asked for meanwhile. Neither is ever rejected. */
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #failure: StorageError | undefined;

  constructor(databaseFile: string, sync: SyncFile = promisify(fdatasync)) {
    this.#file = `${databaseFile}-wal`;
    this.#sync = sync;
  }

  /** Set once a sync has failed. Nothing written since the sync before can be trusted until the process starts anew. */
  get failure(): StorageError | undefined {
    return this.#failure;
  }

  /** The end of the sync under way, if there is one. Never rejected. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Undefined if all commits are durable; otherwise a promise, never rejected, that resolves once they are. */
  get pending(): Promise<void> | undefined {
    return this.#next ?? this.#running;
  }

  /**
   * Resolves once a sync has ended that began after this call: where one is under way, the one after it. Call it right after a commit.
   * Rejects with `StorageError` if the disk fails, and from then on: Linux reports the failure of a write once, and a later sync may
   * succeed without the data.
   */
  async sync(): Promise<void> {
    if (this.#running) this.#next ??= this.#running.then(() => this.#begin());
    else void this.#begin();
    await this.pending;
    if (this.#failure) throw this.#failure;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#syncLog().then(() => {
      // Where a next one was asked for, this one counts as under way until that has begun.
      if (!this.#next) this.#running = undefined;
    });
    return this.#running;
  }

  async #syncLog(): Promise<void> {
    try {
      if (this.#failure) return;
      this.#fd ??= openSync(this.#file, 'r+');
      await this.#sync(this.#fd);
    } catch (error) {
      this.#failure = new StorageError(
        `the disk did not keep what was written: ${(error as Error).message}; restart once it is repaired`,
      );
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
  }
}
