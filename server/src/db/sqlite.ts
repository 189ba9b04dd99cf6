import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, type Health, type Reader, type SqlDialect, StorageError, type Tx } from './contract.ts';
import { BusyError, SqliteConnection } from './sqliteConnection.ts';
import { remove } from './statements.ts';

/** At most so many works share a commit, so that the first of them does not wait for long. */
const MAX_BATCH = 256;
/** How long a write waits for another process's write to end, in milliseconds. */
const BUSY_PATIENCE = 10_000;
const BUSY_STEP = 10;

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
  readonly commits = { batches: 0, works: 0 };
  readonly read: Reader;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #tx: Tx;
  #queue: Job[] = [];
  #flushing: Promise<void> | undefined;
  #authority = 1;
  #authorityInBatch = false;
  #dataVersion: unknown;
  #lastFailure = '';
  #closed = false;

  constructor(file: string, maxPages?: number) {
    this.#writer = new SqliteConnection(file, { busyTimeout: 5_000 }, () => {
      this.#authorityInBatch = true;
      this.#authority++;
    });
    this.#writer.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma cache_size = -32000;
      pragma journal_size_limit = 67108864;
    `);
    if (maxPages) this.#writer.exec(`pragma max_page_count = ${maxPages}`);
    this.#reader = new SqliteConnection(file, { busyTimeout: 5_000 });
    this.#reader.exec('pragma query_only = on; pragma cache_size = -32000; pragma mmap_size = 1073741824');
    this.#dataVersion = this.#writer.scalar('pragma data_version');
    this.read = asReader(this.#reader);
    this.#tx = { ...asReader(this.#writer), run: async (query) => this.#writer.run(query) };
    // From here on waiting is done without holding up the event loop.
    this.#writer.exec('pragma busy_timeout = 0');
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
    const version = this.#dataVersionNow();
    if (version !== this.#dataVersion) {
      this.#dataVersion = version;
      this.#authority++;
    }
    return this.#authority;
  }

  async health(): Promise<Health> {
    try {
      this.#reader.scalar('select 1');
      // After a failed commit only one that succeeds shows that all is well again.
      if (this.#lastFailure) await this.write((tx) => tx.run(remove('setting', { name: 'probe' })));
      return { ok: true, reason: '' };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#flushing;
    this.#reader.close();
    this.#writer.close();
  }

  #dataVersionNow(): unknown {
    return this.#writer.scalar('pragma data_version');
  }

  async #flushAll(): Promise<void> {
    while (this.#queue.length > 0) {
      // Whatever has come in by the end of this turn of the event loop shares the commit.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const batch = this.#queue.splice(0, MAX_BATCH);
      const settle = await this.#commit(batch);
      for (const done of settle) done();
    }
    this.#flushing = undefined;
  }

  /** Runs the works in one transaction, each in a savepoint, and gives what to tell their callers once it has ended. */
  async #commit(batch: Job[]): Promise<(() => void)[]> {
    this.#authorityInBatch = false;
    try {
      await this.#begin();
      const settle: (() => void)[] = [];
      let kept = 0;
      for (const job of batch) {
        this.#writer.exec('savepoint work');
        try {
          const value = await job.work(this.#tx);
          this.#writer.exec('release work');
          settle.push(() => job.resolve(value));
          kept++;
        } catch (error) {
          if (error instanceof StorageError || !this.#writer.db.isTransaction) throw error;
          this.#writer.exec('rollback to work; release work');
          settle.push(() => job.reject(error));
        }
      }
      this.#writer.exec('commit');
      this.#lastFailure = '';
      this.commits.batches++;
      this.commits.works += kept;
      return settle;
    } catch (error) {
      if (this.#writer.db.isTransaction) this.#writer.exec('rollback');
      this.#lastFailure = (error as Error).message;
      return batch.map((job) => () => job.reject(error));
    } finally {
      // What was remembered while the batch ran was read from before it.
      if (this.#authorityInBatch) this.#authority++;
    }
  }

  async #begin(): Promise<void> {
    for (let waited = 0; ; waited += BUSY_STEP) {
      try {
        this.#writer.exec('begin immediate');
        return;
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
        if (waited >= BUSY_PATIENCE) throw new StorageError('another process has been writing for too long');
        await sleep(BUSY_STEP);
      }
    }
  }
}

function asReader(connection: SqliteConnection): Reader {
  return {
    dialect,
    first: async (query) => connection.first(query),
    all: async (query) => connection.all(query),
    json: async (query, key, order) => connection.json(query, key, order),
  };
}
