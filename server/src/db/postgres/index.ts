import { setTimeout as sleep } from 'node:timers/promises';
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
import { migrate } from './migrate.ts';
import { Pool } from './pool.ts';
import { Reads } from './reads.ts';
import { dialect, type Outcome, pageOf, type Work } from './work.ts';

/** At most so many works share a transaction. */
const MAX_BATCH = 128;
/** How often a transaction is run before it is given up, and the longest pause before the next time, in milliseconds. */
const MAX_ATTEMPTS = 10;
const MAX_PAUSE = 50;
/** How often the engine looks for what other nodes have changed, in milliseconds. */
const LOOK_PERIOD = 400;
/** How long a check of health waits. */
const HEALTH_PATIENCE = 1_500;

const ping = fixed('select 1');
// A standby that takes over begins a new timeline, and so does a recovery to a point in time.
const whereabouts =
  fixed(`select format('system %s, timeline %s, database %s', system_identifier, timeline_id, oid) as place
  from pg_control_system(), pg_control_checkpoint(), pg_database where datname = current_database()`);

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=…`. */
  url: string;
  /** Connections at most. */
  connections: number;
}

/**
 * Opens the engine on PostgreSQL 15 or later, bringing the schema up to date. Throws `StorageError` with a message for the
 * operator where the database cannot be used or was written by a newer version of Palaver.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDb> {
  await migrate(options.url);
  const db = new PostgresDb(options);
  try {
    await db.look();
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

interface Job {
  /** When it came in, in milliseconds. */
  at: number;
  work: Work;
  /** Further servers that it appends events to. */
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
  /** Works that wait for the transaction before theirs, by the server that they are about. */
  readonly #lanes = new Map<string, Job[]>();
  readonly #running = new Set<Promise<void>>();
  #version = 1;
  #versionInDatabase = 0;
  #tell: () => void = () => {};
  #tellMark: () => void = () => {};
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
    this.#reads = reads;
    this.read = {
      dialect,
      first: async <R>(query: Runnable<R>) => (await reads.run(bind(query))).rows[0] as R | undefined,
      all: async <R>(query: Runnable<R>) => (await reads.run(bind(query))).rows as R[],
      json: async (query, key, _order, limit) => pageOf(await reads.run(bindPage(query, key, limit))),
      searchable: async () => {},
    };
    void this.#lookNowAndThen();
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
    this.#tell = tell;
  }

  onMark(tell: () => void): void {
    this.#tellMark = tell;
  }

  async place(): Promise<string> {
    return (await this.#reads.run(whereabouts)).rows[0].place;
  }

  async health(): Promise<Health> {
    const patience = new AbortController();
    const late = sleep(HEALTH_PATIENCE, undefined, { signal: patience.signal }).then(() => {
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
      patience.abort();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stop.abort();
    await Promise.all(this.#running);
    await Promise.all([this.#pool.close(), this.#membership.leave()]);
  }

  /** Looks whether other nodes have changed who may do what, and what time it is there. */
  async look(): Promise<void> {
    // Not on one that reads share, where it would wait for what is slow.
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

  async #lookNowAndThen(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(LOOK_PERIOD, undefined, { ref: false, signal }).catch(() => {});
      this.#pool.dropStalled();
      if (signal.aborted) break;
      // Who cannot look knows nothing: nobody is remembered. What fails here fails the requests too, and they report it.
      await this.look().catch(() => this.authorityChanged());
    }
  }

  /** Takes note of the version in the database; true if it is the one that was known. */
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
      // Whatever has come in by the end of this turn of the event loop shares the transaction.
      await new Promise<void>((resolve) => setImmediate(resolve));
      await this.#settle(lane.splice(0, MAX_BATCH), serverId);
    }
    this.#lanes.delete(serverId);
  }

  /** Runs works in one transaction, or each in its own if that fails because of one of them. */
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

  /** @param since When the first of them came in, in milliseconds. */
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
        if (batch.hasMarked) this.#tellMark();
        return outcomes;
      } catch (error) {
        if (error instanceof ConnectionLost && batch.commitSent) {
          throw new Unavailable(
            'the connection was lost during the commit: it is not known whether it was made',
          );
        }
        const isWorthTrying = error instanceof Conflict || error instanceof ConnectionLost;
        if (!isWorthTrying) throw error;
        if (attempt === MAX_ATTEMPTS)
          throw new Unavailable(`given up after ${attempt} attempts: ${error.message}`);
      } finally {
        this.#pool.release(connection);
        // What was remembered while the transaction was under way was read from before it.
        if (changesAuthority) {
          this.#version++;
          this.#tell();
        }
      }
      this.figures.retries++;
      await sleep(Math.random() * Math.min(MAX_PAUSE, 2 ** attempt));
    }
  }
}
