import { setTimeout as sleep } from 'node:timers/promises';
import { withoutPassword } from '../../lib/url.ts';
import { StorageError, UnfinishedCopy } from '../contract.ts';
import { NoData } from '../dataFolder.ts';
import type { Migration } from '../migrate.ts';
import { tableNames } from '../schema.ts';
import { schemaNeededBy, type UpgradeOptions, waitForOlderNodes } from '../upgrade.ts';
import { loadMigrations, requireKnown, schemaVersion } from '../version.ts';
import { knowColumns } from './columns.ts';
import { fixed } from './compile.ts';
import { PostgresConnection } from './connection.ts';
import { Conflict, ConnectionLost, Locked } from './errors.ts';
import { servingNodes } from './membership.ts';
import { requireOwnSessions } from './pooler.ts';

/** The oldest PostgreSQL that supports the schema, as `server_version_num`. */
const MIN_VERSION = 150_000;
/** Startup fails if the database stays unreachable for this long. */
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 250;
/** How long a migration waits for its table locks, and the maximum pause between two attempts. */
const LOCKS_TIMEOUT_MS = 10 * 60_000;
const MAX_LOCKS_PAUSE_MS = 2_000;
/**
 * The lock timeout of the first attempt, and its maximum. At first, it is below PostgreSQL's
 * `deadlock_timeout`, so that the migration yields to requests. Later, it exceeds `deadlock_timeout`, so that
 * an autovacuum of the table is cancelled.
 */
const TABLE_LOCK_MS = 400;
const MAX_TABLE_LOCK_MS = 2_000;

/** The migration that adds `minSchema`. */
const MIN_SCHEMA_SINCE = 35;

/** The advisory lock held during migrations. */
const MIGRATION_LOCK_KEY = '31632379671078259';

const serverVersion = fixed(`select current_setting('server_version_num')::int as version,
  current_setting('server_version') as name, getdatabaseencoding() as encoding`);
const isThere = fixed(`select to_regclass('migration') is not null as there`);
const isCopying = fixed(`select to_regclass('"moveProgress"') is not null as copying`);
const originOf = fixed(`select note from "moveProgress" where part = 'origin'`);
const newest = fixed('select coalesce(max(version), 0) as version from migration');
// Excludes the tsvectors of the first search indexes, which no query returns.
const columns = fixed(`select relname as name, json_agg(attname order by attnum) as columns
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and attnum > 0 and not attisdropped and atttypid <> 'tsvector'::regtype group by relname`);

/**
 * Brings the schema up to date while other nodes may serve the data. If several nodes start at once, one
 * migrates and the others wait. Each migration is one transaction that records its version, so a crash leaves
 * the previous version intact. Throws `UnfinishedCopy` if `palaver migrate` has not finished, and `NoData` if
 * `existing` is set and there is no schema yet. Throws `StorageError` if the database cannot be used, its
 * schema is newer, or incompatible older nodes do not stop in time.
 */
export async function migrate(
  url: string,
  { existing = false, ...options }: UpgradeOptions & { existing?: boolean } = {},
): Promise<void> {
  const connection = await connect(url);
  try {
    await requireUsable(connection, url);
    const origin = await unfinishedCopy(connection);
    if (origin) throw new UnfinishedCopy(origin);
    const version = await versionOf(connection);
    if (version === 0 && existing) throw new NoData(withoutPassword(url));
    if (version < schemaVersion) {
      await connection.exec(
        `set lock_timeout = 0; set statement_timeout = 0; select pg_advisory_lock(${MIGRATION_LOCK_KEY})`,
      );
      // Reads the version under the lock, because another node may have migrated first.
      const latest = await versionOf(connection);
      const pending = (await loadMigrations()).filter((migration) => migration.version > latest);
      await waitForOlderNodes(schemaNeededBy(pending), () => servingNodes(connection), options);
      for (const migration of pending) await make(connection, migration);
    }
    for (const { name, columns: names } of (await connection.query(columns)).rows) knowColumns(name, names);
  } finally {
    await connection.close();
  }
}

/**
 * Runs one migration while nodes may serve the data. It first locks everything that it will change, in the
 * same order as writes. Each lock has a short timeout, because all later queries on the table wait behind it.
 */
export async function make(
  connection: PostgresConnection,
  { version, name, isBackwardCompatible, statements }: Migration,
): Promise<void> {
  const { postgresTypes } = await import('../migrate.ts');
  const note = `create table if not exists migration (version integer primary key, name text not null, "madeAt" bigint not null);
    insert into migration values (${version}, '${name}', extract(epoch from now()) * 1000)`;
  // Older nodes read this and notice that they may no longer use the data.
  const fence =
    isBackwardCompatible || version <= MIN_SCHEMA_SINCE
      ? []
      : [`update authority set "minSchema" = ${version}`];
  const changes = [...statements(postgresTypes), note, ...fence].join(';\n');
  const { rows } = await connection.query(columns);
  const locks = locksFor(changes, new Set(rows.map((row) => row.name)));
  const until = Date.now() + LOCKS_TIMEOUT_MS;
  for (let attempt = 1; ; attempt++) {
    const wait = Math.min(TABLE_LOCK_MS * attempt, MAX_TABLE_LOCK_MS);
    try {
      return await connection.exec(`begin; set local lock_timeout = ${wait}; ${locks}; ${changes}; commit`);
    } catch (error) {
      await connection.exec('rollback');
      if (!(error instanceof Locked || error instanceof Conflict) || Date.now() > until) throw error;
      await sleep(Math.random() * RETRY_MS + Math.min(RETRY_MS * attempt, MAX_LOCKS_PAUSE_MS));
    }
  }
}

/**
 * Locks the tables that a migration's statements mention. Writes start by locking the row of a server or a
 * user (`lockOwners` in `locks.ts`), so once these two tables are locked, no write holds a lock on another
 * table.
 */
function locksFor(changes: string, there: ReadonlySet<string>): string {
  const roots = ['server', 'user'].filter((table) => there.has(table));
  const named = tableNames.filter((table) => there.has(table) && new RegExp(`\\b${table}\\b`).test(changes));
  return [
    ...roots.map((table) => `lock table "${table}" in exclusive mode`),
    ...named.map((table) => `lock table "${table}" in access exclusive mode`),
  ].join('; ');
}

/**
 * Returns the origin of an unfinished copy by `palaver migrate`, as JSON of `Origin` (`copy/side.ts`);
 * undefined if there is none.
 */
export async function unfinishedCopy(connection: PostgresConnection): Promise<string | undefined> {
  const { rows } = await connection.query(isCopying);
  return rows[0].copying ? (await connection.query(originOf)).rows[0].note : undefined;
}

/**
 * Returns a database's schema version; 0 for an empty database. Throws `StorageError` if it is newer than
 * this program.
 */
export async function versionOf(connection: PostgresConnection): Promise<number> {
  const { rows: there } = await connection.query(isThere);
  if (!there[0].there) return 0;
  const { rows } = await connection.query(newest);
  const { version } = rows[0];
  return requireKnown(version);
}

async function connect(url: string): Promise<PostgresConnection> {
  const until = Date.now() + CONNECT_TIMEOUT_MS;
  for (;;) {
    try {
      return await PostgresConnection.open(url);
    } catch (error) {
      if (!(error instanceof ConnectionLost || error instanceof Conflict) || Date.now() > until) throw error;
      await sleep(RETRY_MS);
    }
  }
}

async function requireUsable(connection: PostgresConnection, url: string): Promise<void> {
  await requireOwnSessions(connection, url);
  const { rows } = await connection.query(serverVersion);
  const { version, name, encoding } = rows[0];
  if (version < MIN_VERSION) throw new StorageError(`PostgreSQL ${name} is too old: 15 or later is needed`);
  if (encoding !== 'UTF8') throw new StorageError(`the database uses ${encoding}: create one with UTF8`);
}
