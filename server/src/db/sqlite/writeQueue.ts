/**
 * The write queue: group commit for the embedded engine. Writes queue up while an earlier batch is being
 * committed or synced, and share the next transaction and the next disk sync. Throughput therefore grows with
 * load and is not limited by the number of syncs per second. A single write never waits for a timer.
 *
 * A batch: `begin immediate`, run the writes one after another, `commit`, sync off the event loop
 * (`walSync.ts`), then settle the promises. Under load, the next batch runs during the sync.
 *
 * Invariants:
 *
 * - Writes take effect in queue order, and each sees the changes of all earlier ones.
 * - A promise resolves only after a sync that covers its commit. A batch that changed nothing needs no sync
 *   of its own, but waits for those of earlier batches, because its writes may have read their changes.
 * - A write that throws leaves no changes behind and does not affect the others: if it had already made some,
 *   the batch is rolled back and run again with a savepoint for each write.
 *
 * Failure: an error of the disk fails all writes of the batch with `StorageError`. If another process holds
 * the write lock, the queue retries without blocking the event loop, for `BUSY_TIMEOUT_MS`.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Figures, StorageError, type Tx } from '../contract.ts';
import type { Authority } from './authority.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { SqliteConnection } from './connection.ts';
import { BusyError } from './errors.ts';
import type { SqliteTx } from './transaction.ts';
import type { WalSync } from './walSync.ts';

/** Maximum writes per commit, so that the first one does not wait long. */
const MAX_BATCH_WORKS = 256;
/** Number of queued writes that justify another commit while a sync is still running. */
const EAGER_WORKS = 16;
/** How long to wait for a write by another process, and the interval between attempts. */
const BUSY_TIMEOUT_MS = 10_000;
const BUSY_RETRY_MS = 10;

/** Returns the number of rows that a connection has changed so far, including rolled back changes. */
const CHANGED_ROWS = 'select total_changes()';

interface Work {
  run(tx: Tx): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Settle = () => void;

/** A committed batch. */
interface Committed {
  /** The functions that settle the batch's writes. */
  settle: Settle[];
  /** Resolves once a sync has covered this commit. Rejects with `StorageError` if that fails. */
  durable: Promise<void>;
}

interface Options {
  connection: SqliteConnection;
  /** The transaction as writes see it. */
  tx: SqliteTx;
  authority: Authority;
  wal: WalSync;
  checkpoints: Checkpoints;
  figures: Figures;
  /** Called in each transaction before its commit, with the number of its writes. */
  beforeCommit(works: number): void;
  /** Called after each commit or rollback, in the turn in which readers can first see the changes. */
  onBatchEnd(): void;
  /** Called after a commit that inserted into `sweep`. */
  onMark(): void;
}

/** The queue of writes (see the top of the file). */
export class WriteQueue {
  readonly #options: Options;
  #waiting: Work[] = [];
  #flushing: Promise<void> | undefined;
  /** Commits whose writes are not settled yet, because no sync has covered them. */
  #unsettled = new Set<Promise<void>>();
  /** Ends the wait for a sync once `EAGER_WORKS` are queued. */
  #enough = () => {};
  #lastFailure = '';

  constructor(options: Options) {
    this.#options = options;
  }

  /** The reason why the last batch failed; empty if none has failed since `recovered` was called. */
  get lastFailure(): string {
    return this.#lastFailure;
  }

  recovered(): void {
    this.#lastFailure = '';
  }

  /** Resolves once no write is queued or running. */
  async idle(): Promise<void> {
    while (this.#flushing || this.#unsettled.size > 0)
      await Promise.all([this.#flushing, ...this.#unsettled]);
  }

  /** Runs a write in the next transaction. Resolves with the write's result once that is durable. */
  add<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as Work['resolve'], reject });
      if (this.#waiting.length === EAGER_WORKS) this.#enough();
      this.#flushing ??= this.#flushAll();
    });
  }

  async #flushAll(): Promise<void> {
    const { checkpoints } = this.#options;
    while (this.#waiting.length > 0) {
      await checkpoints.beforeBegin();
      await this.#gather();
      const batch = this.#waiting.splice(0, MAX_BATCH_WORKS);
      const settled = this.#keep(batch, await this.#attempt(batch));
      this.#unsettled.add(settled);
      void settled.then(() => this.#unsettled.delete(settled));
    }
    this.#flushing = undefined;
  }

  /**
   * Waits for more writes to share the commit: those requested in this turn of the event loop and, while a
   * sync is running, those that arrive until it ends or until there are `EAGER_WORKS`.
   */
  async #gather(): Promise<void> {
    const { running } = this.#options.wal;
    if (running && this.#waiting.length < EAGER_WORKS) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#enough = resolve;
      await Promise.race([running, promise]);
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Commits a batch. Returns the committed batch, or the error. */
  async #attempt(batch: Work[]): Promise<Committed | Error> {
    const { wal } = this.#options;
    try {
      if (wal.failure) throw wal.failure;
      return await this.#commit(batch);
    } catch (error) {
      return error as Error;
    }
  }

  /** Settles the writes of a batch once it is durable. Never rejects. */
  async #keep(batch: Work[], committed: Committed | Error): Promise<void> {
    const { figures, connection, onMark } = this.#options;
    try {
      if (committed instanceof Error) throw committed;
      const { settle, durable } = committed;
      await durable;
      figures.batches++;
      figures.works += settle.length;
      for (const one of settle) one();
      if (connection.takeMark()) onMark();
    } catch (error) {
      this.#lastFailure = (error as Error).message;
      for (const work of batch) work.reject(error);
    }
  }

  /**
   * Runs the writes in one transaction. Returns the functions that settle their promises once it is durable.
   */
  async #commit(batch: Work[]): Promise<Committed> {
    const { connection, authority, wal, beforeCommit, onBatchEnd } = this.#options;
    try {
      await this.#begin();
      const before = connection.scalar(CHANGED_ROWS);
      const settle = (await this.#runAll(batch)) ?? (await this.#runApart(batch));
      beforeCommit(settle.length);
      authority.beforeCommit();
      const isChanged = connection.scalar(CHANGED_ROWS) !== before;
      connection.scalar('commit');
      authority.committed();
      // The sync starts in the same turn, so that no read can see the commit without a pending sync. Without
      // changes, as in most rounds of upkeep, SQLite does not append to the log.
      return { settle, durable: isChanged ? wal.sync() : wal.synced() };
    } catch (error) {
      if (connection.db.isTransaction) connection.exec('rollback');
      throw error;
    } finally {
      authority.endBatch();
      onBatchEnd();
    }
  }

  /** Runs the writes one after another. Returns undefined if one failed after making a change. */
  async #runAll(batch: Work[]): Promise<Settle[] | undefined> {
    const { connection, tx } = this.#options;
    const settle: Settle[] = [];
    for (const work of batch) {
      const before = connection.changes;
      try {
        tx.begin();
        const value = await work.run(tx);
        tx.requireSound();
        settle.push(() => work.resolve(value));
      } catch (error) {
        this.#requireSound(error);
        if (connection.changes !== before) return undefined;
        settle.push(() => work.reject(error));
      }
    }
    return settle;
  }

  /** Runs the writes again, each in its own savepoint, so that only a failing write is rolled back. */
  async #runApart(batch: Work[]): Promise<Settle[]> {
    const { connection, tx } = this.#options;
    connection.exec('rollback');
    await this.#begin();
    const settle: Settle[] = [];
    for (const work of batch) {
      connection.scalar('savepoint work');
      try {
        tx.begin();
        const value = await work.run(tx);
        tx.requireSound();
        settle.push(() => work.resolve(value));
      } catch (error) {
        this.#requireSound(error);
        connection.scalar('rollback to work');
        settle.push(() => work.reject(error));
      }
      connection.scalar('release work');
    }
    return settle;
  }

  /** Rethrows the error if the transaction cannot continue. */
  #requireSound(error: unknown): void {
    if (error instanceof StorageError || !this.#options.connection.db.isTransaction) throw error;
  }

  async #begin(): Promise<void> {
    const { connection, authority } = this.#options;
    for (let waited = 0; ; waited += BUSY_RETRY_MS) {
      try {
        connection.scalar('begin immediate');
        authority.beginBatch();
        return;
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
        if (waited >= BUSY_TIMEOUT_MS)
          throw new StorageError('another process has held the write lock for too long');
        await sleep(BUSY_RETRY_MS);
      }
    }
  }
}
