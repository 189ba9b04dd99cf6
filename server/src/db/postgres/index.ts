/**
 * The PostgreSQL engine, for any number of nodes that share a database.
 *
 * - Writes (`writes.ts`, `lanes.ts`, `batch.ts`) are queued per server and committed in batches. A
 *   transaction locks the rows of its servers first, so writes to a server are serialized across all nodes.
 * - Reads (`reads.ts`) share pipelined connections (`connection.ts`), and equal reads of one turn of the
 *   event loop are combined.
 * - Permissions: a version in the database, polled every `POLL_PERIOD_MS`, invalidates cached principals on
 *   other nodes. If a poll fails, the node invalidates all its cached principals. The same poll notices a
 *   schema that is too new.
 * - Membership is an advisory lock on its own connection, released by PostgreSQL when the process dies.
 *
 * Failure: lost connections and conflicts are retried; a transaction whose commit may have succeeded is not,
 * and its writes fail as `Unavailable`.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthorityChanges, Whose } from '../authorityVersions.ts';
import {
  type Db,
  type Figures,
  type Health,
  noFigures,
  type Reader,
  StorageError,
  type Tx,
  Unavailable,
} from '../contract.ts';
import { newBlockCache } from '../search/index.ts';
import { MessageIndexer } from '../search/indexer.ts';
import type { OnUnindexed } from '../search/unindexed.ts';
import { Outdated, type UpgradeOptions } from '../upgrade.ts';
import { Authority } from './authority.ts';
import { fixed } from './compile.ts';
import { Membership } from './membership.ts';
import { migrate } from './migrate.ts';
import { Pool } from './pool.ts';
import { readingOf } from './reader.ts';
import { Reads } from './reads.ts';
import { Skew } from './skew.ts';
import { Writes } from './writes.ts';

/** Interval of the poll for permission changes by other nodes. */
const POLL_PERIOD_MS = 400;
/**
 * After this long without a request, permissions are polled only rarely, and the next request invalidates all
 * of them.
 */
const QUIET_AFTER_MS = 20_000;
const QUIET_POLL_PERIOD_MS = 10_000;
const HEALTH_TIMEOUT_MS = 1_500;

const ping = fixed('select 1');

export interface PostgresOptions extends UpgradeOptions {
  /** `postgres://user:password@host:port/database?sslmode=…`. */
  url: string;
  /** Maximum number of connections. */
  connections: number;
  /** Whether to throw `NoData`, instead of creating the schema, if there is none yet. */
  existing?: boolean;
}

/**
 * Opens the engine on PostgreSQL 15 or later, and brings the schema up to date. Throws `StorageError` if the
 * database cannot be used, was written by a newer version of Palaver, or is served by nodes of an older
 * version that the migration would break.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDb> {
  await migrate(options.url, options);
  const db = new PostgresDb(options);
  try {
    await db.poll();
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

export class PostgresDb implements Db {
  readonly figures: Figures;
  readonly read: Reader;
  readonly readFor: (tenant: string) => Reader;
  readonly #pool: Pool;
  readonly #reads: Reads;
  readonly #membership: Membership;
  readonly #authority = new Authority();
  readonly #outdated = new Outdated();
  readonly #writes: Writes;
  readonly #indexer: MessageIndexer;
  #onMark: () => void = () => {};
  #onUnindexed: OnUnindexed = () => {};
  readonly #skew = new Skew();
  #isClosing = false;
  /** Set by `close`. Writes are rejected from then on. */
  #closed = false;
  readonly #stop = new AbortController();
  /** The time when permissions were last used. */
  #usedAt = performance.now();
  /** Ends the pause before the next poll; set while polls are rare. */
  #wakePoll: AbortController | undefined;

  constructor({ url, connections }: PostgresOptions) {
    const figures = noFigures();
    const pool = new Pool(url, connections, figures);
    Object.defineProperty(figures, 'pool', { enumerable: true, get: () => pool.state });
    this.figures = figures;
    this.#pool = pool;
    // Versions of permissions in the new database cannot be compared with those in the previous one.
    pool.onPlace = () => this.#authority.lost();
    this.#membership = new Membership(url);
    this.#reads = new Reads(pool);
    const blockCache = newBlockCache();
    this.readFor = readingOf(this.#reads, connections, {
      blockCache,
      onWaiting: (messages) => this.#indexer.hurry(messages),
    });
    this.read = this.readFor('');
    this.#writes = new Writes(pool, connections, figures, {
      authority: this.#authority,
      marked: () => this.#onMark(),
      committed: (works) => this.#indexer.committed(works),
    });
    this.#indexer = new MessageIndexer(this, blockCache, (...message) => this.#onUnindexed(...message));
    this.#indexer.start();
    void this.#keepPolling();
  }

  /** The indexer, with which tests and benchmarks bring the message index up to date. */
  get indexer(): MessageIndexer {
    return this.#indexer;
  }

  async join(others: boolean): Promise<string> {
    await this.#membership.join(others);
    return '';
  }

  nodes(): number {
    return this.#membership.nodes;
  }

  hasOlderNodes(): boolean {
    return this.#membership.hasOlder;
  }

  onOutdated(tell: (reason: string) => void): void {
    this.#outdated.onChange(tell);
  }

  skew(): number {
    return this.#skew.ahead;
  }

  write<T>(work: (tx: Tx) => Promise<T>, serverId?: string, alsoIn: readonly string[] = []): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageError('the database is closed'));
    if (this.#outdated.reason !== '') return Promise.reject(new Unavailable(this.#outdated.reason));
    return new Promise<T>((resolve, reject) => {
      const settle = { resolve: resolve as (value: unknown) => void, reject };
      this.#writes.add({ at: Date.now(), work, serverId, alsoIn, isAlone: false, ...settle });
    });
  }

  authorityVersion(): number {
    this.#use();
    return this.#authority.version;
  }

  authorityHasChanged(version: number, whose: Whose): boolean {
    this.#use();
    return this.#authority.hasChanged(version, whose);
  }

  authorityChanged(changes?: AuthorityChanges): void {
    this.#authority.noticed(changes);
  }

  onAuthorityChange(tell: (changes: AuthorityChanges) => void): void {
    this.#authority.onChange(tell);
  }

  onMark(tell: () => void): void {
    this.#onMark = tell;
  }

  onUnindexed(tell: OnUnindexed): void {
    this.#onUnindexed = tell;
  }

  async place(): Promise<string> {
    return this.#pool.place;
  }

  async health(): Promise<Health> {
    const timeout = new AbortController();
    const late = sleep(HEALTH_TIMEOUT_MS, undefined, { signal: timeout.signal }).then(() => {
      throw new Unavailable('PostgreSQL does not respond');
    });
    late.catch(() => {});
    try {
      await Promise.race([this.#reads.run(ping), late]);
      const problem = this.#outdated.reason || this.#membership.problem;
      return { ok: problem === '', reason: problem };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    } finally {
      timeout.abort();
    }
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    await this.#indexer.close();
    this.#closed = true;
    this.#stop.abort();
    await this.#writes.end();
    await Promise.all([this.#pool.close(), this.#membership.leave()]);
  }

  /** Reads the version of permissions, the minimum schema, and the database's clock. */
  async poll(): Promise<void> {
    // On a shared connection, this would wait behind slow reads.
    const connection = await this.#pool.leaseFirst();
    try {
      const before = Date.now();
      const { bound, seen } = this.#authority.ask();
      const { rows } = await connection.probe(bound);
      seen(rows[0]);
      this.#outdated.see(rows[0].minSchema);
      this.#skew.note(Number(rows[0].now), before, Date.now());
      await this.#pool.dropUnheard(connection);
    } finally {
      this.#pool.release(connection);
    }
  }

  #use(): void {
    this.#usedAt = performance.now();
    if (!this.#wakePoll) return;
    // Permissions may have changed since the last poll.
    this.#authority.lost();
    this.#wakePoll.abort();
    this.#wakePoll = undefined;
  }

  async #keepPolling(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (performance.now() - this.#usedAt > QUIET_AFTER_MS) this.#wakePoll = new AbortController();
      const period = this.#wakePoll ? QUIET_POLL_PERIOD_MS : POLL_PERIOD_MS;
      const woken = this.#wakePoll ? AbortSignal.any([signal, this.#wakePoll.signal]) : signal;
      await sleep(period, undefined, { ref: false, signal: woken }).catch(() => {});
      this.#pool.dropStalled();
      if (signal.aborted) break;
      // Without a poll, cached principals may be stale, so they are invalidated. Requests fail as well, and
      // report the error.
      await this.poll().catch(() => this.#authority.lost());
    }
  }
}
