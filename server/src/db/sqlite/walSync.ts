import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { StorageError } from '../contract.ts';

/** A function that flushes a file's data to the disk (fdatasync). */
export type SyncFile = (fd: number) => Promise<void>;

/**
 * Makes commits durable off the event loop (docs/decisions/0021). With `synchronous=NORMAL`, SQLite appends
 * a commit to the write-ahead log without a sync, and syncs that file only before it copies pages out of
 * it. A commit is durable once a sync of the log that started after the commit has finished. After a failed
 * sync, no later sync can prove that the data was written, so the failure is permanent.
 */
export class WalSync {
  readonly #file: string;
  readonly #sync: SyncFile;
  /**
   * The log, opened on the first sync. The file is not replaced as long as any connection to the database is
   * open.
   */
  #fd: number | undefined;
  /**
   * The running sync, and the next one, which commits have requested in the meantime. Neither ever rejects.
   */
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #failure: StorageError | undefined;

  constructor(databaseFile: string, sync: SyncFile = promisify(fdatasync)) {
    this.#file = `${databaseFile}-wal`;
    this.#sync = sync;
  }

  /**
   * Set once a sync has failed. Nothing written since the previous sync can be trusted until the process
   * restarts.
   */
  get failure(): StorageError | undefined {
    return this.#failure;
  }

  /** Resolves at the end of the running sync; undefined if there is none. Never rejects. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Resolves once all commits are durable; undefined if they already are. Never rejects. */
  get pending(): Promise<void> | undefined {
    return this.#next ?? this.#running;
  }

  /**
   * Resolves once a sync that started after this call has finished. If a sync is already running, waits for
   * the next one. Call this right after a commit. Rejects with `StorageError` once the disk has failed, and
   * on every call after that, because Linux reports a failed write only once and a later sync may succeed
   * without the data.
   */
  async sync(): Promise<void> {
    if (this.#running) this.#next ??= this.#running.then(() => this.#begin());
    else void this.#begin();
    await this.synced();
  }

  /** Resolves once all commits are durable, without starting a sync. Rejects like `sync`. */
  async synced(): Promise<void> {
    await this.pending;
    if (this.#failure) throw this.#failure;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#syncLog().then(() => {
      // If another sync was requested, this one counts as running until the other has started.
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
        `the disk failed to sync: ${(error as Error).message}. Repair it, then restart`,
      );
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
  }
}
