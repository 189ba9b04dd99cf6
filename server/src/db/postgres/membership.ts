import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '../contract.ts';
import type { ServingNode } from '../upgrade.ts';
import { schemaVersion } from '../version.ts';
import { fixed } from './compile.ts';
import { PostgresConnection } from './connection.ts';

/** Timeout and retry interval for a node that starts while another one shuts down. */
const JOIN_TIMEOUT_MS = 5_000;
const RETRY_MS = 250;
const COUNT_PERIOD_MS = 2_000;

/** The key of the advisory lock that every node holds while it runs. */
const NODE_LOCK_KEY = '31632379671078258';

/**
 * The first half of the key of the advisory lock that shows which schema a node supports: "plvr" in ASCII.
 */
const SCHEMA_KEY = 0x706c7672;

/** The first schema with `messageVersion`. */
const MESSAGE_VERSIONS_SCHEMA = 30;

/** Tries to take the lock exclusively. The column `had` is true if that succeeded. */
export const takeExclusive = fixed(`select pg_try_advisory_lock(${NODE_LOCK_KEY}) as had`);
const takeShared = fixed(`select pg_try_advisory_lock_shared(${NODE_LOCK_KEY}) as had`);
/**
 * Publishes the schema that this process supports. Take this lock before the node lock; otherwise, the
 * process looks like an older version.
 */
export const takeSchema = fixed(`select pg_try_advisory_lock_shared(${SCHEMA_KEY}, ${schemaVersion}) as had`);

// `objsubid` is 1 for locks with one key of 64 bits, and 2 for locks with two keys.
const isNode = `objsubid = 1 and (classid::bigint << 32) + objid::bigint = ${NODE_LOCK_KEY}`;
const isSchema = `objsubid = 2 and classid = ${SCHEMA_KEY}`;
const locks = `pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())`;

/**
 * Counts the nodes connected to the database (`nodes`), and how many of them support `messageVersion`
 * (`current`).
 */
export const countNodes = fixed(`select count(*) filter (where ${isNode})::int as nodes,
    count(*) filter (where ${isSchema} and objid >= ${MESSAGE_VERSIONS_SCHEMA})::int as current from ${locks}`);

const listNodes = fixed(`select nodes.pid, schema, application_name as name, host(client_addr) as address
  from (select pid, coalesce(max(objid::bigint) filter (where ${isSchema}), 0)::int as schema from ${locks}
    group by pid having bool_or(${isNode})) as nodes left join pg_stat_activity using (pid) order by nodes.pid`);

/**
 * Returns the processes that serve the database. Older versions do not publish their machine or their schema.
 */
export async function servingNodes(connection: PostgresConnection): Promise<ServingNode[]> {
  const { rows } = await connection.query(listNodes);
  return rows.map(({ pid, schema, name, address }) => ({
    name: `${schema > 0 && name ? name : (address ?? 'a local node')} (PostgreSQL backend ${pid})`,
    schema,
  }));
}

/** The name of this process in `pg_stat_activity`. PostgreSQL truncates names to 63 bytes. */
const ownName = `palaver ${process.pid} on ${hostname()}`;

/**
 * This process's membership among the nodes that share a database: an advisory lock on its own connection.
 * The lock is shared, or exclusive if the nodes have no way to notify each other. PostgreSQL releases it when
 * the process dies.
 */
export class Membership {
  readonly #url: string;
  #connection: PostgresConnection | undefined;
  /** The number of processes known to serve the data. */
  nodes = 1;
  /** Whether nodes of a version without `messageVersion` also serve the data. */
  hasOlder = false;
  /** The reason why this process should not serve requests now; empty if there is none. */
  problem = '';
  #seemsToHaveOlder = false;
  /** The connection that holds the lock of the schema. */
  #current: PostgresConnection | undefined;
  #left = false;
  readonly #stop = new AbortController();

  constructor(url: string) {
    this.#url = url;
  }

  /** Joins the nodes, or joins as the only node. Throws `StorageError` if another node prevents that. */
  async join(others: boolean): Promise<void> {
    const until = Date.now() + JOIN_TIMEOUT_MS;
    while (!(await this.#take(others))) {
      if (Date.now() > until) throw new StorageError(refusal(others));
      await sleep(RETRY_MS);
    }
    await this.#count();
    if (this.#seemsToHaveOlder) {
      await sleep(RETRY_MS);
      await this.#count();
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
      this.#connection = await PostgresConnection.open(this.#url, undefined, ownName);
    // Publishes the schema first. Otherwise, another node could mistake this one for an older version.
    if (this.#connection !== this.#current) {
      await this.#connection.probe(takeSchema);
      this.#current = this.#connection;
    }
    const { rows } = await this.#connection.probe(others ? takeShared : takeExclusive);
    return rows[0].had;
  }

  async #count(): Promise<void> {
    const { rows } = (await this.#connection?.query(countNodes)) ?? { rows: [] };
    const { nodes = 1, current = nodes } = rows[0] ?? {};
    this.nodes = Math.max(1, nodes);
    // A node that is shutting down may already have released one of its locks.
    this.hasOlder = nodes > current && this.#seemsToHaveOlder;
    this.#seemsToHaveOlder = nodes > current;
  }

  /** Counts the nodes periodically, and rejoins after the connection was lost. */
  async #stay(others: boolean): Promise<void> {
    const { signal } = this.#stop;
    while (!this.#left) {
      try {
        // PostgreSQL may not have noticed the lost connection and may still hold its lock, so this is retried
        // until the lock is free.
        if (this.#connection?.lost !== false || this.problem !== '') {
          this.problem = (await this.#take(others)) ? '' : refusal(others);
        }
        await this.#count();
      } catch {
        // If the database is unreachable, reads and writes report that.
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
