import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from '../../lib/turns.ts';
import {
  type Db,
  type Health,
  noFigures,
  type Reader,
  type Runnable,
  StorageError,
  type Tx,
} from '../contract.ts';
import { insert, remove } from '../statements.ts';
import { BusyError, SqliteConnection } from './connection.ts';
import { readerOf } from './reader.ts';
import { SearchIndexer } from './searchIndexer.ts';

/** Maximum writes in one commit, so that the first does not wait long. */
const MAX_BATCH_WORKS = 256;
/** Maximum wait of a write for another process's write, and the pause between attempts. */
const BUSY_TIMEOUT_MS = 10_000;
const BUSY_RETRY_MS = 10;
/** Size of the trial write that must succeed before the database counts as healthy again. */
const PROBE_BYTES = 65_536;

export interface SqliteOptions {
  /** Path of the database file. */
  file: string;
  /** Maximum size of the file in pages of 4 KiB; unlimited if left out. */
  maxPages?: number;
}

interface Job {
  work(tx: Tx): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Opens the embedded engine: WAL, `synchronous=FULL`, one connection for writes and one for reads, so that reads see
 * only committed data. Throws `StorageError` if the file cannot be used.
 */
export function openSqlite({ file, maxPages }: SqliteOptions): SqliteDb {
  return new SqliteDb(file, maxPages);
}

export class SqliteDb implements Db {
  readonly figures = noFigures();
  readonly read: Reader;
  readonly #file: string;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #tx: Tx;
  #queue: Job[] = [];
  #flushing: Promise<void> | undefined;
  #authority = 1;
  #authorityInBatch = false;
  #onMark: () => void = () => {};
  #inBatch = false;
  /** Changing statements run since the start. */
  #changes = 0;
  #hasChecked = false;
  readonly #allowCheck = () => {
    this.#hasChecked = false;
  };
  #dataVersion: unknown;
  #lastFailure = '';
  #closed = false;
  readonly #indexer: SearchIndexer;

  constructor(file: string, maxPages?: number) {
    this.#file = file;
    this.#writer = new SqliteConnection(file, { busyTimeout: 5_000 }, () => {
      this.#authorityInBatch = true;
      this.#authority++;
    });
    this.#writer.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma cache_size = -8000;
      pragma journal_size_limit = 67108864;
      pragma wal_autocheckpoint = 1000;
    `);
    if (maxPages) this.#writer.exec(`pragma max_page_count = ${maxPages}`);
    this.#reader = new SqliteConnection(file, { busyTimeout: 5_000 });
    this.#reader.exec('pragma query_only = on; pragma cache_size = -4000');
    this.#dataVersion = this.#writer.scalar('pragma data_version');
    const onSearch = () => this.#indexer.hurry();
    const turns = new Turns();
    this.read = readerOf(this.#reader, (task) => turns.run(task), onSearch);
    this.#tx = {
      ...readerOf(this.#writer, (task) => task(), onSearch),
      run: async (query) => {
        this.#run(query);
      },
      count: async (query) => this.#run(query),
      // All processes on the file share the machine's clock.
      time: () => undefined,
    };
    // SQLite's own wait would block the event loop; `#begin` waits asynchronously.
    this.#writer.exec('pragma busy_timeout = 0');
    this.#indexer = new SearchIndexer(this, this.#writer, this.#reader);
  }

  /** The writing connection, for migrations and tests. */
  get connection(): SqliteConnection {
    return this.#writer;
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageError('the database is closed'));
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as Job['resolve'], reject });
      this.#flushing ??= this.#flushAll();
    });
  }

  authorityVersion(): number {
    // During a transaction no other process writes. Otherwise one check per turn of the event loop is enough: a request
    // sent after another process's change arrives in a later turn.
    if (!this.#hasChecked && !this.#inBatch) {
      const version = this.#writer.scalar('pragma data_version');
      if (version !== this.#dataVersion) {
        this.#dataVersion = version;
        this.#authority++;
      }
      this.#hasChecked = true;
      setImmediate(this.#allowCheck);
    }
    return this.#authority;
  }

  authorityChanged(): void {
    this.#authority++;
  }

  /** Does nothing: other processes notice changes of the file by `pragma data_version`. */
  onAuthorityChange(): void {}

  onMark(tell: () => void): void {
    this.#onMark = tell;
  }

  async join(): Promise<void> {}

  /** The inode, since a copy is another file. */
  async place(): Promise<string> {
    return `file ${statSync(this.#file).ino}`;
  }

  nodes(): number {
    return 1;
  }

  skew(): number {
    return 0;
  }

  async health(): Promise<Health> {
    try {
      this.#reader.scalar('select 1');
      if (this.#lastFailure) await this.#probe();
      return { ok: true, reason: '' };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  /** Writes `PROBE_BYTES` and removes them again. Only a successful commit proves recovery from a failed one. */
  async #probe(): Promise<void> {
    const name = 'probe';
    await this.write(async (tx) => {
      await tx.run(remove('setting', { name }));
      await tx.run(insert('setting', { name, value: 'x'.repeat(PROBE_BYTES) }));
    });
    await this.write((tx) => tx.run(remove('setting', { name })));
    this.#lastFailure = '';
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#indexer.stop();
    await this.#flushing;
    this.#reader.close();
    this.#writer.close();
  }

  async #flushAll(): Promise<void> {
    while (this.#queue.length > 0) {
      // All writes requested in this turn of the event loop share the commit.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const batch = this.#queue.splice(0, MAX_BATCH_WORKS);
      const settle = await this.#commit(batch);
      for (const done of settle) done();
      if (this.#writer.takeMark()) this.#onMark();
    }
    this.#flushing = undefined;
  }

  /** Runs the works in one transaction. Returns the functions that settle their promises. */
  async #commit(batch: Job[]): Promise<(() => void)[]> {
    this.#authorityInBatch = false;
    try {
      await this.#begin();
      const settle = (await this.#runAll(batch)) ?? (await this.#runApart(batch));
      this.#indexer.beforeCommit(settle.length);
      this.#writer.scalar('commit');
      this.figures.batches++;
      this.figures.works += settle.length;
      return settle;
    } catch (error) {
      if (this.#writer.db.isTransaction) this.#writer.exec('rollback');
      this.#lastFailure = (error as Error).message;
      return batch.map((job) => () => job.reject(error));
    } finally {
      this.#inBatch = false;
      // Principals cached while the batch ran were read before it was committed.
      if (this.#authorityInBatch) this.#authority++;
    }
  }

  /** Runs the works one after the other. Returns undefined if one has failed after making a change. */
  async #runAll(batch: Job[]): Promise<(() => void)[] | undefined> {
    const settle: (() => void)[] = [];
    for (const job of batch) {
      const before = this.#changes;
      try {
        const value = await job.work(this.#tx);
        settle.push(() => job.resolve(value));
      } catch (error) {
        this.#requireSound(error);
        if (this.#changes !== before) return undefined;
        settle.push(() => job.reject(error));
      }
    }
    return settle;
  }

  /** Runs the works again, each in its own savepoint, so that a failing one is undone alone. */
  async #runApart(batch: Job[]): Promise<(() => void)[]> {
    this.#writer.exec('rollback');
    await this.#begin();
    const settle: (() => void)[] = [];
    for (const job of batch) {
      this.#writer.scalar('savepoint work');
      try {
        const value = await job.work(this.#tx);
        settle.push(() => job.resolve(value));
      } catch (error) {
        this.#requireSound(error);
        this.#writer.scalar('rollback to work');
        settle.push(() => job.reject(error));
      }
      this.#writer.scalar('release work');
    }
    return settle;
  }

  /** Rethrows the error if the transaction cannot continue. */
  #requireSound(error: unknown): void {
    if (error instanceof StorageError || !this.#writer.db.isTransaction) throw error;
  }

  #run(query: Runnable<unknown>): number {
    const changed = this.#writer.run(query);
    this.#changes++;
    return changed;
  }

  async #begin(): Promise<void> {
    for (let waited = 0; ; waited += BUSY_RETRY_MS) {
      try {
        this.#writer.scalar('begin immediate');
        // With the lock held, this sees all changes by other processes.
        this.#hasChecked = false;
        this.authorityVersion();
        this.#inBatch = true;
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
