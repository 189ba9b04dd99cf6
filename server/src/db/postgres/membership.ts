import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '../contract.ts';
import { fixed } from './compile.ts';
import { PostgresConnection } from './connection.ts';

/** How long a node that starts waits for one that stops, in milliseconds, and how often it asks. */
const PATIENCE = 5_000;
const PAUSE = 250;
/** How often the nodes are counted. */
const COUNT_PERIOD = 2_000;

/** The number of the advisory lock that every node holds for as long as it lives: "palaver" in ASCII. */
const LOCK = '31632379671078258';

/** Takes the lock as the only process, if it can be `had`. */
export const alone = fixed(`select pg_try_advisory_lock(${LOCK}) as had`);
const among = fixed(`select pg_try_advisory_lock_shared(${LOCK}) as had`);
/** How many processes serve the database, as `nodes`. */
export const countNodes =
  fixed(`select count(*)::int as nodes from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())
  and (classid::bigint << 32) + objid::bigint = ${LOCK}`);

/** A node whose machine is gone is noticed by PostgreSQL after this. */
export const keepalive =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/**
 * Which processes serve the data: each holds an advisory lock on a connection of its own, shared with others or, where
 * they would know nothing of each other, alone. A process that dies lets go of it.
 */
export class Membership {
  readonly #url: string;
  #connection: PostgresConnection | undefined;
  /** How many processes serve the data, as far as is known. */
  nodes = 1;
  /** Why this process should not serve just now; empty if it may. */
  problem = '';
  #left = false;
  readonly #stop = new AbortController();

  constructor(url: string) {
    this.#url = url;
  }

  /** Takes part, with others or alone. Throws `StorageError`. */
  async join(others: boolean): Promise<void> {
    const until = Date.now() + PATIENCE;
    while (!(await this.#take(others))) {
      if (Date.now() > until) throw new StorageError(refusal(others));
      await sleep(PAUSE);
    }
    void this.#stay(others);
  }

  async leave(): Promise<void> {
    this.#left = true;
    this.#stop.abort();
    await this.#connection?.close();
  }

  async #take(others: boolean): Promise<boolean> {
    if (!this.#connection || this.#connection.lost) {
      this.#connection = await PostgresConnection.open(this.#url);
      await this.#connection.exec(keepalive);
    }
    const { rows } = await this.#connection.probe(others ? among : alone);
    return rows[0].had;
  }

  /** Counts the nodes now and then, and takes part anew when the connection was lost. */
  async #stay(others: boolean): Promise<void> {
    const { signal } = this.#stop;
    while (!this.#left) {
      try {
        // Its place may be taken by what is left of a connection that PostgreSQL has yet to miss: it asks until it has it.
        if (this.#connection?.lost !== false || this.problem !== '') {
          this.problem = (await this.#take(others)) ? '' : refusal(others);
        }
        const { rows } = (await this.#connection?.query(countNodes)) ?? { rows: [] };
        this.nodes = Math.max(1, rows[0]?.nodes ?? 1);
      } catch {
        // The database is away: whoever reads or writes reports that.
      }
      const pause = this.#connection?.lost === false && this.problem === '' ? COUNT_PERIOD : PAUSE;
      await sleep(pause, undefined, { ref: false, signal }).catch(() => {});
    }
    await this.#connection?.close();
  }
}

const refusal = (others: boolean): string =>
  others
    ? 'another node serves this database without REDIS_URL, and must be the only one: give it REDIS_URL too, or stop it'
    : 'another node serves this database: nodes that share one need REDIS_URL, for what they tell each other and the limits';
