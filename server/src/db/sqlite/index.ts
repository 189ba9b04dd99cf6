import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Db,
  type Health,
  noFigures,
  type Reader,
  type Runnable,
  type SqlDialect,
  StorageError,
  type Tx,
} from '../contract.ts';
import { insert, remove } from '../statements.ts';
import { BusyError, SqliteConnection } from './connection.ts';
import { SearchIndexer } from './searchIndexer.ts';

/** At most so many works share a commit, so that the first of them does not wait for long. */
const MAX_BATCH = 256;
/** How long a write waits for another process's write to end, in milliseconds. */
const BUSY_PATIENCE = 10_000;
const BUSY_STEP = 10;
/** Bytes that must find room in the file before the database counts as healthy again. */
const PROBE_SIZE = 65_536;

export interface SqliteOptions {
  /** Path of the database file. */
  file: string;
  /** The most pages (of 4 KiB) that the file may grow to; no bound if left out. */
  maxPages?: number;
}

const dialect: SqlDialect = { name: 'sqlite' };

interface Job {
  work(tx: Tx): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Opens the embedded engine: WAL, `synchronous=FULL`, one connection that writes and one that reads, so that no
 * reader sees what is not committed. Throws `StorageError` where the file cannot be used.
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
  #tellMark: () => void = () => {};
  #inBatch = false;
  /** Changes made in this transaction and those before. */
  #changes = 0;
  #looked = false;
  readonly #lookAgain = () => {
    this.#looked = false;
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
    this.read = { ...asReader(this.#reader), searchable: () => this.#indexer.indexAll() };
    this.#tx = {
      ...asReader(this.#writer),
      searchable: () => this.#indexer.indexAll(),
      run: async (query) => {
        this.#run(query);
      },
      count: async (query) => this.#run(query),
      // One machine's clock is that of every process on the file.
      time: () => undefined,
    };
    // From here on waiting is done without holding up the event loop.
    this.#writer.exec('pragma busy_timeout = 0');
    this.#indexer = new SearchIndexer(this, this.#writer, this.#reader);
  }

  /** The connection that writes, for migrations and upkeep. */
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
    // Inside of a transaction nobody else writes; and within one turn of the event loop all ask once: a request that
    // was sent after another process's change is read in a later turn.
    if (!this.#looked && !this.#inBatch) {
      const version = this.#writer.scalar('pragma data_version');
      if (version !== this.#dataVersion) {
        this.#dataVersion = version;
        this.#authority++;
      }
      this.#looked = true;
      setImmediate(this.#lookAgain);
    }
    return this.#authority;
  }

  authorityChanged(): void {
    this.#authority++;
  }

  /** Nobody needs to be told: other processes on the file see for themselves. */
  onAuthorityChange(): void {}

  onMark(tell: () => void): void {
    this.#tellMark = tell;
  }

  async join(): Promise<void> {}

  /** A copy is another file. */
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

  /** After a failed commit only one that finds room for something shows that all is well again. */
  async #probe(): Promise<void> {
    const name = 'probe';
    await this.write(async (tx) => {
      await tx.run(remove('setting', { name }));
      await tx.run(insert('setting', { name, value: 'x'.repeat(PROBE_SIZE) }));
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
      // Whatever has come in by the end of this turn of the event loop shares the commit.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const batch = this.#queue.splice(0, MAX_BATCH);
      const settle = await this.#commit(batch);
      for (const done of settle) done();
      if (this.#writer.takeMark()) this.#tellMark();
    }
    this.#flushing = undefined;
  }

  /** Runs the works in one transaction and gives what to tell their callers once it has ended. */
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
      // What was remembered while the batch ran was read from before it.
      if (this.#authorityInBatch) this.#authority++;
    }
  }

  /**
   * Runs the works one after the other. One that fails before it has changed anything, as refusals do, harms no other;
   * undefined if one fails later.
   */
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

  /** Runs them anew, each in a savepoint that it can be rolled back to. */
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

  /** Throws the error on if the transaction as a whole cannot go on. */
  #requireSound(error: unknown): void {
    if (error instanceof StorageError || !this.#writer.db.isTransaction) throw error;
  }

  #run(query: Runnable<unknown>): number {
    const changed = this.#writer.run(query);
    this.#changes++;
    return changed;
  }

  async #begin(): Promise<void> {
    for (let waited = 0; ; waited += BUSY_STEP) {
      try {
        this.#writer.scalar('begin immediate');
        // Nobody else changes anything from here on; what changed before is seen now.
        this.#looked = false;
        this.authorityVersion();
        this.#inBatch = true;
        return;
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
        if (waited >= BUSY_PATIENCE) throw new StorageError('another process has been writing for too long');
        await sleep(BUSY_STEP);
      }
    }
  }
}

function asReader(connection: SqliteConnection): Omit<Reader, 'searchable'> {
  return {
    dialect,
    first: async (query) => connection.first(query),
    all: async (query) => connection.all(query),
    json: async (query, key, order, limit) => connection.json(query, key, order, limit),
  };
}
