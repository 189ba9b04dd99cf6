import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError, Unavailable, UnfinishedCopy } from '../contract.ts';
import { postgresTypes } from '../migrate.ts';
import { migrations } from '../schema.ts';
import { requireKnown, schemaVersion } from '../version.ts';
import { fixed } from './compile.ts';
import { PostgresConnection } from './connection.ts';
import { Conflict, ConnectionLost } from './errors.ts';

/** The oldest PostgreSQL that supports the schema, as `server_version_num`. */
const MIN_VERSION = 150_000;
/** Maximum wait of a start for an unreachable database. */
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 250;
/** Maximum time that a migration tries to take its locks on tables. */
const LOCKS_TIMEOUT_MS = 10 * 60_000;

/** The key of the advisory lock held during migrations. */
const MIGRATION_LOCK_KEY = '31632379671078259';

const serverVersion = fixed(`select current_setting('server_version_num')::int as version,
  current_setting('server_version') as name, getdatabaseencoding() as encoding`);
const isThere = fixed(`select to_regclass('migration') is not null as there`);
const isCopying = fixed(`select to_regclass('"moveProgress"') is not null as copying`);
const originOf = fixed(`select note from "moveProgress" where part = 'origin'`);
const latest = fixed('select coalesce(max(version), 0) as version from migration');

/**
 * Brings the schema up to date. If several nodes start at once, one migrates and the others wait. Each migration is
 * recorded in its own transaction, so a crash leaves the schema of the one before. Throws `UnfinishedCopy` if `palaver
 * migrate` has not finished, and `StorageError` if the database cannot be used or its schema is newer.
 */
export async function migrate(url: string): Promise<void> {
  const connection = await connect(url);
  try {
    await requireUsable(connection);
    const origin = await unfinishedCopy(connection);
    if (origin) throw new UnfinishedCopy(origin);
    if ((await versionOf(connection)) === schemaVersion) return;
    await connection.exec(
      `set lock_timeout = 0; set statement_timeout = 0; select pg_advisory_lock(${MIGRATION_LOCK_KEY})`,
    );
    for (const { version, name, statements } of migrations) {
      // Checked again under the lock: another node may have made it first.
      if ((await versionOf(connection)) >= version) continue;
      const note = `create table if not exists migration (version integer primary key, name text not null, "madeAt" bigint not null);
        insert into migration values (${version}, '${name}', extract(epoch from now()) * 1000)`;
      await runWithRetries(connection, [...statements(postgresTypes), note].join(';\n'));
    }
  } finally {
    await connection.close();
  }
}

/**
 * Runs statements in one transaction, with short waits for locks and retries. A long wait for a table's lock would
 * block all later queries on that table.
 */
async function runWithRetries(connection: PostgresConnection, statements: string): Promise<void> {
  const until = Date.now() + LOCKS_TIMEOUT_MS;
  for (;;) {
    try {
      return await connection.exec(`begin; set local lock_timeout = '2s'; ${statements}; commit`);
    } catch (error) {
      await connection.exec('rollback');
      if (!(error instanceof Unavailable || error instanceof Conflict) || Date.now() > until) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** The origin of an unfinished copy by `palaver migrate`: JSON of `Origin` (`copy/side.ts`); undefined if none. */
export async function unfinishedCopy(connection: PostgresConnection): Promise<string | undefined> {
  const { rows } = await connection.query(isCopying);
  return rows[0].copying ? (await connection.query(originOf)).rows[0].note : undefined;
}

/** The version of a database's schema, 0 for an empty one. Throws `StorageError` if it is newer than this program. */
export async function versionOf(connection: PostgresConnection): Promise<number> {
  const { rows: there } = await connection.query(isThere);
  if (!there[0].there) return 0;
  const { rows } = await connection.query(latest);
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

async function requireUsable(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.query(serverVersion);
  const { version, name, encoding } = rows[0];
  if (version < MIN_VERSION) throw new StorageError(`PostgreSQL ${name} is too old: 15 or later is needed`);
  if (encoding !== 'UTF8')
    throw new StorageError(`the database has the encoding ${encoding}: make one with UTF8`);
}
