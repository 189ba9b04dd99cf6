import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '../contract.ts';
import { fixed } from './compile.ts';
import { PostgresConnection } from './connection.ts';

/** How long a starting node waits for a stopping one, and the interval between attempts. */
const JOIN_TIMEOUT_MS = 5_000;
const RETRY_MS = 250;
const COUNT_PERIOD_MS = 2_000;

/** The advisory lock that every node holds while it runs: "palaver" in ASCII. */
const NODE_LOCK_KEY = '31632379671078258';

/** Tries to take the lock exclusively. `had` is true if that succeeded. */
export const takeExclusive = fixed(`select pg_try_advisory_lock(${NODE_LOCK_KEY}) as had`);
const takeShared = fixed(`select pg_try_advisory_lock_shared(${NODE_LOCK_KEY}) as had`);
/** The number of processes that serve the database, in the column `nodes`. */
export const countNodes =
  fixed(`select count(*)::int as nodes from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())
  and (classid::bigint << 32) + objid::bigint = ${NODE_LOCK_KEY}`);

/**
 * This process's membership among the nodes on a database: an advisory lock on its own connection. The lock
 * is shared, or exclusive if nodes could not notify each other. PostgreSQL releases it when the process
 * dies.
 */
export class Membership {
  readonly #url: string;
  #connection: PostgresConnection | undefined;
  /** The number of processes known to serve the data. */
  nodes = 1;
  /** Why this process should not serve requests at the moment; empty if it may. */
  problem = '';
  #left = false;
  readonly #stop = new AbortController();

  constructor(url: string) {
    this.#url = url;
  }

  /** Joins, either with others or as the only node. Throws `StorageError` if another node prevents that. */
  async join(others: boolean): Promise<void> {
    const until = Date.now() + JOIN_TIMEOUT_MS;
    while (!(await this.#take(others))) {
      if (Date.now() > until) throw new StorageError(refusal(others));
      await sleep(RETRY_MS);
    }
    void this.#stay(others);
  }

  async leave(): Promise<void> {
    this.#left = true;
    this.#stop.abort();
    await this.#connection?.close();
  }

  async #take(others: boolean): Promise<boolean> {
    if (!this.#connection || this.#connection.lost)
      this.#connection = await PostgresConnection.open(this.#url);
    const { rows } = await this.#connection.probe(others ? takeShared : takeExclusive);
    return rows[0].had;
  }

  /** Counts the nodes periodically, and rejoins after the connection was lost. */
  async #stay(others: boolean): Promise<void> {
    const { signal } = this.#stop;
    while (!this.#left) {
      try {
        // PostgreSQL may not have noticed the lost connection and may still hold its lock, so retry until
        // it is free.
        if (this.#connection?.lost !== false || this.problem !== '') {
          this.problem = (await this.#take(others)) ? '' : refusal(others);
        }
        const { rows } = (await this.#connection?.query(countNodes)) ?? { rows: [] };
        this.nodes = Math.max(1, rows[0]?.nodes ?? 1);
      } catch {
        // The database is unreachable. Reads and writes report that.
      }
      const pause = this.#connection?.lost === false && this.problem === '' ? COUNT_PERIOD_MS : RETRY_MS;
      await sleep(pause, undefined, { ref: false, signal }).catch(() => {});
    }
    await this.#connection?.close();
  }
}

const refusal = (others: boolean): string =>
  others
    ? 'another node uses this database without REDIS_URL: set REDIS_URL for it too, or stop it'
    : 'another node uses this database: nodes that share a database need REDIS_URL, for notifications and rate limits';
