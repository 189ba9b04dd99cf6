/**
 * The embedded engine: SQLite in WAL mode, with one connection for writes and one for reads.
 *
 * - Writes are queued and committed in batches (`writeQueue.ts`). Commits are made durable by a sync off the
 *   event loop (`walSync.ts`), and the log is checkpointed in a thread (`checkpoints.ts`).
 * - Reads are synchronous calls on the event loop, so they must be short: long ones are split into chunks and
 *   run in a fair queue (`Turns`), and large ones share a budget (`Shares`). A read that may have seen a
 *   commit whose sync is still running is held back until that commit is durable.
 * - Search and author indexes are filled asynchronously (`db/search/indexer.ts`, `authorIndexer.ts`); reads
 *   also scan the rows that are not indexed yet.
 *
 * Failure: a failed commit, for example on a full disk, fails its batch and marks the database as unhealthy
 * until a trial write succeeds. After a failed sync the process rejects all writes until it is restarted.
 */

import { statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import { Shares } from '../../lib/shares.ts';
import { Turns } from '../../lib/turns.ts';
import type { AuthorityChanges, Whose } from '../authorityVersions.ts';
import {
  type Db,
  type Health,
  noFigures,
  type Reader,
  StorageError,
  type Tx,
  Unavailable,
} from '../contract.ts';
import { PageCache } from '../pageCache.ts';
import { newBlockCache } from '../search/index.ts';
import { MessageIndexer } from '../search/indexer.ts';
import type { OnUnindexed } from '../search/unindexed.ts';
import { insert, remove } from '../statements.ts';
import { Outdated } from '../upgrade.ts';
import { AuthorIndexer } from './authorIndexer.ts';
import { Authority } from './authority.ts';
import { type Checkpoint, Checkpoints } from './checkpoints.ts';
import { SqliteConnection } from './connection.ts';
import { MessageChanges } from './messageChanges.ts';
import { bePresent, type Presence } from './presence.ts';
import { readingOf } from './reader.ts';
import { transactionOf } from './transaction.ts';
import { type SyncFile, WalSync } from './walSync.ts';
import { WriteQueue } from './writeQueue.ts';

/** Size of the trial write that must succeed before the database is considered healthy again. */
const PROBE_BYTES = 65_536;

export interface SqliteOptions {
  /** Path of the database file. */
  file: string;
  /** Maximum size of the file in pages of 4 KiB; unlimited if omitted. */
  maxPages?: number;
  /** Maximum size of the page caches in megabytes. 0 or omitted: a share of the machine's memory. */
  cacheMegabytes?: number | undefined;
  /** Replaces the sync and the checkpoints of the write-ahead log in tests of failing disks. */
  sync?: SyncFile;
  checkpoint?: Checkpoint;
}

/** The share of memory up to which page caches grow by default: 96 MB of 24 GB. */
const CACHE_SHARE = 1 / 256;
const [MIN_CACHE_MEGABYTES, MAX_CACHE_MEGABYTES] = [24, 1_024];

/** Returns the default size of the page caches: a share of the memory of the machine or container. */
function defaultCacheMegabytes(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const share = (bytes / 1024 ** 2) * CACHE_SHARE;
  return Math.min(MAX_CACHE_MEGABYTES, Math.max(MIN_CACHE_MEGABYTES, share));
}

/** Opens the embedded engine. Throws `StorageError` if the file cannot be used. */
export function openSqlite(options: SqliteOptions): SqliteDb {
  return new SqliteDb(options);
}

export class SqliteDb implements Db {
  readonly figures = noFigures();
  readonly read: Reader;
  readonly readFor: (tenant: string) => Reader;
  readonly #shares = new Shares();
  readonly #pages = new PageCache();
  readonly #file: string;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #authority: Authority;
  readonly #outdated = new Outdated();
  readonly #wal: WalSync;
  readonly #checkpoints: Checkpoints;
  readonly #writes: WriteQueue;
  readonly #authors: AuthorIndexer;
  readonly #indexer: MessageIndexer;
  #onMark: () => void = () => {};
  #onUnindexed: OnUnindexed = () => {};
  #isClosing = false;
  /** Set by `close`. Writes are rejected from then on. */
  #closed = false;
  #presence: Presence | undefined;

  constructor({ file, maxPages, cacheMegabytes, sync, checkpoint }: SqliteOptions) {
    const cacheKilobytes = (cacheMegabytes || defaultCacheMegabytes()) * 1024;
    this.#file = file;
    this.#writer = new SqliteConnection(file, { busyTimeout: 5_000 }, (ids) => this.#authority.changing(ids));
    this.#writer.exec(`
      pragma journal_mode = wal;
      pragma synchronous = normal;
      pragma foreign_keys = on;
      pragma cache_size = -${Math.floor(cacheKilobytes / 3)};
      pragma journal_size_limit = 67108864;
    `);
    if (maxPages) this.#writer.exec(`pragma max_page_count = ${maxPages}`);
    this.#reader = new SqliteConnection(file, { busyTimeout: 5_000 });
    this.#reader.exec(`pragma query_only = on; pragma cache_size = -${Math.floor((cacheKilobytes * 2) / 3)}`);
    this.#authority = new Authority(this.#writer, () => {
      this.#pages.clear();
      this.#outdated.see(Number(this.#writer.scalar('pragma user_version')));
    });
    const messageChanges = new MessageChanges(this.#writer, this.#pages);
    this.#wal = new WalSync(file, sync);
    this.#checkpoints = new Checkpoints(this.#writer, file, checkpoint);
    const blockCache = newBlockCache();
    const searching = { blockCache, onWaiting: (messages: number) => this.#indexer.hurry(messages) };
    const onSearch = () => this.#authors.hurry();
    const turns = new Turns();
    this.readFor = readingOf(this.#reader, {
      runInTurn: (tenant, task) => turns.run(tenant, task),
      shares: this.#shares,
      // Reading the version also notices changes by other processes.
      pages: () => (this.#authority.version >= 0 && messageChanges.watch() ? this.#pages : undefined),
      // Rows from a commit that is still being synced are returned only once the commit is durable.
      durable: (result) => this.#wal.pending?.then(() => result) ?? result,
      onSearch,
      searching,
    });
    this.read = this.readFor('');
    this.#writes = new WriteQueue({
      connection: this.#writer,
      tx: transactionOf(this.#writer, this.#authority, { onSearch, searching }),
      authority: this.#authority,
      wal: this.#wal,
      checkpoints: this.#checkpoints,
      figures: this.figures,
      beforeCommit: (works) => {
        this.#authors.beforeCommit(works);
        this.#indexer.committed(works);
      },
      onBatchEnd: () => messageChanges.endBatch(),
      onMark: () => this.#onMark(),
    });
    // Disables SQLite's own busy wait, which would block the event loop. `WriteQueue` waits asynchronously.
    this.#writer.exec('pragma busy_timeout = 0');
    this.#authors = new AuthorIndexer(this, this.#writer, this.#reader, () => turns.isBusy);
    this.#indexer = new MessageIndexer(this, blockCache, (...message) => this.#onUnindexed(...message));
    this.#indexer.start();
  }

  /** The writing connection, for migrations and tests. */
  get connection(): SqliteConnection {
    return this.#writer;
  }

  /** The indexer, with which tests and benchmarks bring the message index up to date. */
  get indexer(): MessageIndexer {
    return this.#indexer;
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageError('the database is closed'));
    if (this.#outdated.reason !== '') return Promise.reject(new Unavailable(this.#outdated.reason));
    return this.#writes.add(work);
  }

  authorityVersion(): number {
    return this.#authority.version;
  }

  authorityHasChanged(version: number, whose: Whose): boolean {
    return this.#authority.hasChanged(version, whose);
  }

  authorityChanged(changes?: AuthorityChanges): void {
    this.#authority.noticed(changes);
  }

  /** Does nothing, because other processes notice changes to the file through `pragma data_version`. */
  onAuthorityChange(): void {}

  onMark(tell: () => void): void {
    this.#onMark = tell;
  }

  onUnindexed(tell: OnUnindexed): void {
    this.#onUnindexed = tell;
  }

  async join(others: boolean): Promise<string> {
    const folder = dirname(this.#file);
    try {
      this.#presence = bePresent(folder);
    } catch {
      // Startup must not fail if the file system does not support locks.
      return '';
    }
    if (!this.#presence.others) return '';
    if (!others)
      throw new StorageError(
        `another process already serves ${folder}: stop it first, or pass another folder with --data`,
      );
    return `another process also serves ${folder}: each counts rate limits on its own, and events reach the other with a delay`;
  }

  /** Identifies the file by its inode, because a copy has a different one. */
  async place(): Promise<string> {
    return `file ${statSync(this.#file).ino}`;
  }

  nodes(): number {
    return 1;
  }

  hasOlderNodes(): boolean {
    return false;
  }

  onOutdated(tell: (reason: string) => void): void {
    this.#outdated.onChange(tell);
  }

  skew(): number {
    return 0;
  }

  async health(): Promise<Health> {
    try {
      // `look` also notices if another process has migrated the schema.
      this.#authority.look();
      const { reason } = this.#outdated;
      if (reason !== '') return { ok: false, reason };
      this.#reader.scalar('select 1');
      if (this.#writes.lastFailure) await this.#probe();
      return { ok: true, reason: '' };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  /**
   * Writes `PROBE_BYTES` and deletes them again. Only a successful commit proves that the disk has recovered
   * from a failed one.
   */
  async #probe(): Promise<void> {
    const name = 'probe';
    await this.write(async (tx) => {
      await tx.run(remove('setting', { name }));
      await tx.run(insert('setting', { name, value: 'x'.repeat(PROBE_BYTES) }));
    });
    await this.write((tx) => tx.run(remove('setting', { name })));
    this.#writes.recovered();
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#authors.stop();
    await this.#indexer.close();
    this.#closed = true;
    await this.#writes.idle();
    await this.#shares.idle();
    await this.#checkpoints.close();
    this.#wal.close();
    this.#presence?.end();
    this.#reader.close();
    this.#writer.close();
  }
}
