import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from '../../lib/turns.ts';
import {
  type Db,
  type Figures,
  type Health,
  noFigures,
  type Reader,
  type Runnable,
  StorageError,
  type Tx,
  Unavailable,
} from '../contract.ts';
import { type Authority, Batch, versionAndTime } from './batch.ts';
import { bind, bindPage, fixed } from './compile.ts';
import { Conflict, ConnectionLost } from './errors.ts';
import { Membership } from './membership.ts';
import { searchPage } from './messageSearch.ts';
import { migrate } from './migrate.ts';
import { Pool } from './pool.ts';
import { Reads } from './reads.ts';
import { readingInTime } from './timed.ts';
import { dialect, type Outcome, pageOf, type Work } from './work.ts';

/** Maximum works in one transaction. */
const MAX_BATCH_WORKS = 128;
/** Maximum attempts at a transaction, and the longest pause between two. */
const MAX_ATTEMPTS = 10;
const MAX_RETRY_PAUSE_MS = 50;
/** Pause between checks for changes of permissions by other nodes. */
const POLL_PERIOD_MS = 400;
const HEALTH_TIMEOUT_MS = 1_500;

const ping = fixed('select 1');
// A failover to a standby begins a new timeline, and so does a point-in-time recovery.
const placeQuery =
  fixed(`select format('system %s, timeline %s, database %s', system_identifier, timeline_id, oid) as place
  from pg_control_system(), pg_control_checkpoint(), pg_database where datname = current_database()`);

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=…`. */
  url: string;
  /** Maximum connections. */
  connections: number;
}

/**
 * Opens the engine on PostgreSQL 15 or later, and brings the schema up to date. Throws `StorageError` if the database
 * cannot be used or was written by a newer version of Palaver.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDb> {
  await migrate(options.url);
  const db = new PostgresDb(options);
  try {
    await db.poll();
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

interface Job {
  /** The time of the call to `write`, in milliseconds. */
  at: number;
  work: Work;
  /** Further servers whose logs it appends to. */
  alsoIn: readonly string[];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export class PostgresDb implements Db {
  readonly figures: Figures;
  readonly read: Reader;
  readonly #pool: Pool;
  readonly #reads: Reads;
  readonly #membership: Membership;
  /** Works waiting for an earlier transaction of their server, by server. */
  readonly #lanes = new Map<string, Job[]>();
  readonly #running = new Set<Promise<void>>();
  #version = 1;
  #versionInDatabase = 0;
  #onAuthorityChange: () => void = () => {};
  #onMark: () => void = () => {};
  #skew = 0;
  #closed = false;
  readonly #stop = new AbortController();

  constructor({ url, connections }: PostgresOptions) {
    const figures = noFigures();
    const pool = new Pool(url, connections, figures);
    Object.defineProperty(figures, 'pool', { enumerable: true, get: () => pool.state });
    this.figures = figures;
    this.#pool = pool;
    this.#membership = new Membership(url);
    const reads = new Reads(pool);
    const turns = new Turns();
    const readInTime = readingInTime(pool);
    this.#reads = reads;
    this.read = {
      dialect,
      first: async <R>(query: Runnable<R>) => (await reads.run(bind(query))).rows[0] as R | undefined,
      all: async <R>(query: Runnable<R>) => (await reads.run(bind(query))).rows as R[],
      json: async (query, key, _order, limit, maxBytes) =>
        pageOf(await reads.run(bindPage(query, key, limit, maxBytes))),
      search: (search) => searchPage(this.read, readInTime, search),
      inTurn: (task) => turns.run(() => task(this.read)),
    };
    void this.#keepPolling();
  }

  join(others: boolean): Promise<void> {
    return this.#membership.join(others);
  }

  nodes(): number {
    return this.#membership.nodes;
  }

  skew(): number {
    return this.#skew;
  }

  write<T>(work: (tx: Tx) => Promise<T>, serverId?: string, alsoIn: readonly string[] = []): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageError('the database is closed'));
    return new Promise<T>((resolve, reject) => {
      const job: Job = { at: Date.now(), work, alsoIn, resolve: resolve as Job['resolve'], reject };
      if (serverId === undefined) return this.#track(this.#settle([job], undefined));
      const lane = this.#lanes.get(serverId);
      if (lane) lane.push(job);
      else {
        const fresh = [job];
        this.#lanes.set(serverId, fresh);
        this.#track(this.#drain(serverId, fresh));
      }
    });
  }

  authorityVersion(): number {
    return this.#version;
  }

  authorityChanged(): void {
    this.#version++;
  }

  onAuthorityChange(tell: () => void): void {
    this.#onAuthorityChange = tell;
  }

  onMark(tell: () => void): void {
    this.#onMark = tell;
  }

  async place(): Promise<string> {
    return (await this.#reads.run(placeQuery)).rows[0].place;
  }

  async health(): Promise<Health> {
    const timeout = new AbortController();
    const late = sleep(HEALTH_TIMEOUT_MS, undefined, { signal: timeout.signal }).then(() => {
      throw new Unavailable('PostgreSQL does not answer');
    });
    late.catch(() => {});
    try {
      await Promise.race([this.#reads.run(ping), late]);
      const { problem } = this.#membership;
      return { ok: problem === '', reason: problem };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    } finally {
      timeout.abort();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stop.abort();
    await Promise.all(this.#running);
    await Promise.all([this.#pool.close(), this.#membership.leave()]);
  }

  /** Reads the version of permissions and the database's clock. */
  async poll(): Promise<void> {
    // Not on a shared connection, where it would wait behind slow reads.
    const connection = await this.#pool.lease();
    try {
      const before = Date.now();
      const { rows } = await connection.probe(versionAndTime);
      this.#see(rows[0].version);
      this.#skew = Math.round(Number(rows[0].now) - (before + Date.now()) / 2);
    } finally {
      this.#pool.release(connection);
    }
  }

  async #keepPolling(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(POLL_PERIOD_MS, undefined, { ref: false, signal }).catch(() => {});
      this.#pool.dropStalled();
      if (signal.aborted) break;
      // Without a poll, cached principals may be outdated: drop them. Requests fail as well and report the error.
      await this.poll().catch(() => this.authorityChanged());
    }
  }

  /** Notes the version in the database. Returns true if it was known already. */
  #see(version: number): boolean {
    if (version === this.#versionInDatabase) return true;
    this.#versionInDatabase = version;
    this.#version++;
    return false;
  }

  #track(running: Promise<void>): void {
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  async #drain(serverId: string, lane: Job[]): Promise<void> {
    while (lane.length > 0) {
      // All writes requested in this turn of the event loop share the transaction.
      await new Promise<void>((resolve) => setImmediate(resolve));
      await this.#settle(lane.splice(0, MAX_BATCH_WORKS), serverId);
    }
    this.#lanes.delete(serverId);
  }

  /** Runs works in one transaction, or each in its own if the shared one fails because of a work. */
  async #settle(jobs: Job[], serverId: string | undefined): Promise<void> {
    try {
      const works = jobs.map(({ work }) => work);
      const servers = serverId === undefined ? [] : [serverId, ...jobs.flatMap(({ alsoIn }) => alsoIn)];
      const outcomes = await this.#perform(works, new Set(servers), (jobs[0] as Job).at);
      for (const [index, outcome] of outcomes.entries()) {
        const job = jobs[index] as Job;
        if ('error' in outcome) job.reject(outcome.error);
        else job.resolve(outcome.value);
      }
    } catch (error) {
      if (jobs.length > 1 && !(error instanceof StorageError)) {
        for (const job of jobs) await this.#settle([job], serverId);
      } else {
        for (const job of jobs) job.reject(error);
      }
    }
  }

  /** @param since The time of the first call to `write`, in milliseconds. */
  async #perform(works: readonly Work[], servers: ReadonlySet<string>, since: number): Promise<Outcome[]> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.#pool.lease(since);
      let changesAuthority = false;
      const authority: Authority = {
        seen: (version) => this.#see(version),
        changing: () => {
          changesAuthority = true;
          this.#version++;
        },
        committed: (version) => void this.#see(version),
      };
      const batch = new Batch(connection, authority, servers);
      try {
        const outcomes = await batch.run(works);
        this.figures.batches++;
        this.figures.works += works.length;
        if (batch.hasMarked) this.#onMark();
        return outcomes;
      } catch (error) {
        if (error instanceof ConnectionLost && batch.commitSent) {
          throw new Unavailable(
            'the connection was lost during the commit: the write may or may not have been made',
          );
        }
        const isWorthTrying = error instanceof Conflict || error instanceof ConnectionLost;
        if (!isWorthTrying) throw error;
        if (attempt === MAX_ATTEMPTS)
          throw new Unavailable(`given up after ${attempt} attempts: ${error.message}`);
      } finally {
        this.#pool.release(connection);
        // Principals cached during the transaction were read before it was committed.
        if (changesAuthority) {
          this.#version++;
          this.#onAuthorityChange();
        }
      }
      this.figures.retries++;
      await sleep(Math.random() * Math.min(MAX_RETRY_PAUSE_MS, 2 ** attempt));
    }
  }
}
