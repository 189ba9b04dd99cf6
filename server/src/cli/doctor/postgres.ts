import type { Config } from '../../config.ts';
import { UnfinishedCopy } from '../../db/contract.ts';
import { failingSql } from '../../db/failures.ts';
import { fixed } from '../../db/postgres/compile.ts';
import { PostgresConnection } from '../../db/postgres/connection.ts';
import { countNodes } from '../../db/postgres/membership.ts';
import { unfinishedCopy, versionOf } from '../../db/postgres/migrate.ts';
import { anySealed, type SealedValue } from '../../db/sealed.ts';
import { schemaVersion } from '../../db/version.ts';
import type { SecretKeys } from '../../lib/seal.ts';
import { parseSecretKeys } from '../../lib/secretKeys.ts';
import { canOpen } from '../../node/secretKey.ts';
import { allFiles, examineFiles } from './examineFiles.ts';
import { attempt, type Finding, inWords, latencyOf } from './finding.ts';
import { examineQueues } from './queues.ts';

/** A clock skew above this is reported as a problem. Nodes also log a warning. */
const MAX_SKEW_MS = 1_000;
/** The oldest PostgreSQL that the schema supports, as `server_version_num`. */
const MIN_VERSION = 150_000;
/**
 * Number of connections that a node opens outside its pool: one for its membership and, while it starts, one
 * that checks the schema.
 */
const EXTRA_CONNECTIONS = 2;

// biome-ignore lint/suspicious/noExplicitAny: the query determines the shape of the rows
type Ask = (sql: string) => Promise<any[]>;

/** Checks PostgreSQL and the data in it. */
export async function examinePostgres(config: Config): Promise<Finding[]> {
  let connection: PostgresConnection | undefined;
  const findings = [
    await attempt('database', async () => {
      connection = await PostgresConnection.open(config.database);
      await connection.exec('set default_transaction_read_only = on; set statement_timeout = 0');
      return server(askOn(connection));
    }),
  ];
  if (!connection) return findings;
  const open = connection;
  const ask = askOn(open);
  try {
    findings.push(
      await attempt('encoding', () => encoding(ask)),
      await attempt('clock', () => clock(ask)),
      await attempt('durability', () => durability(ask)),
    );
    const { nodes } = (await open.query(countNodes)).rows[0];
    findings.push(await attempt('connections', () => room(ask, config.connections, nodes)), {
      check: 'nodes',
      ok: true,
      message: served(nodes, config.redis !== ''),
    });
    const data = await attempt('data', () => schema(open));
    findings.push(data);
    if (!data.ok) return findings;
    findings.push(
      await attempt('references', () => references(ask)),
      await attempt('secrets', () => secrets(ask, config.secretKey)),
      await examineFiles(config, await ask(allFiles)),
      await examineQueues(await ask(failingSql())),
    );
    return findings;
  } finally {
    await open.close();
  }
}

const askOn =
  (connection: PostgresConnection): Ask =>
  async (sql) =>
    (await connection.query(fixed(sql))).rows;

async function server(ask: Ask): Promise<string> {
  const [{ version, name, standby }] =
    await ask(`select current_setting('server_version_num')::int as version,
    current_setting('server_version') as name, pg_is_in_recovery() as standby`);
  if (version < MIN_VERSION) throw new Error(`PostgreSQL ${name} is too old: 15 or later is needed`);
  if (standby) throw new Error(`PostgreSQL ${name} is a standby, which accepts no writes`);
  const [row] = await ask('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  const latency = await latencyOf(() => ask('select 1'));
  return `PostgreSQL ${name} responds in ${inWords(latency)}, ${row?.ssl ? 'over TLS' : 'without TLS'}`;
}

async function encoding(ask: Ask): Promise<string> {
  const [{ name }] = await ask('select getdatabaseencoding() as name');
  if (name !== 'UTF8') throw new Error(`the database uses ${name}: create one with UTF8`);
  return name;
}

async function clock(ask: Ask): Promise<string> {
  const before = Date.now();
  const [{ now }] = await ask('select extract(epoch from clock_timestamp()) * 1000 as now');
  const ahead = Math.round(Number(now) - (before + Date.now()) / 2);
  const words = `the clock of the database is ${Math.abs(ahead)} ms ${ahead < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(ahead) > MAX_SKEW_MS) throw new Error(`${words}: synchronize both`);
  return words;
}

/** Checks that committed transactions survive a crash. */
async function durability(ask: Ask): Promise<string> {
  const names = ['fsync', 'full_page_writes', 'synchronous_commit'];
  const [values] = await ask(`select ${names.map((name) => `current_setting('${name}') as ${name}`)}`);
  const off = names.filter((name) => values[name] === 'off');
  if (off.length > 0)
    throw new Error(`${off.join(', ')} off: a crash may lose writes that were acknowledged`);
  return `fsync on, synchronous_commit ${values.synchronous_commit}`;
}

/** Checks that enough connections are free for one more node. */
async function room(ask: Ask, connections: number, nodes: number): Promise<string> {
  const [limits] =
    await ask(`with client as (select * from pg_stat_activity where backend_type = 'client backend')
    select current_setting('max_connections')::int as max,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - (select count(*)::int from client) as free,
      (select nullif(datconnlimit, -1) - (select count(*)::int from client where datname = current_database())
        from pg_database where datname = current_database()) as "inDatabase",
      (select nullif(rolconnlimit, -1) - (select count(*)::int from client where usename = current_user)
        from pg_roles where rolname = current_user) as "forUser"`);
  const bounds = [limits.free, limits.inDatabase, limits.forUser].filter((bound) => bound !== null);
  // The connection that this check uses is closed before a node starts, so it counts as free.
  const free = Math.max(0, Math.min(...bounds) + 1);
  const needed = connections + EXTRA_CONNECTIONS;
  const words = `${free} of ${limits.max} connections are free; a node takes up to ${needed}`;
  if (free < needed && nodes === 0) throw new Error(`${words}: raise max_connections`);
  return free < needed ? `${words}, which is too few for another node` : words;
}

function served(nodes: number, hasValkey: boolean): string {
  if (nodes === 0) return 'no node is running';
  const count = nodes === 1 ? '1 node is running' : `${nodes} nodes are running`;
  return hasValkey ? count : `${count}; a node without REDIS_URL would be refused`;
}

async function schema(connection: PostgresConnection): Promise<string> {
  const origin = await unfinishedCopy(connection);
  if (origin) throw new UnfinishedCopy(origin);
  const version = await versionOf(connection);
  if (version === 0) throw new Error('no data in the database: run "palaver start"');
  if (version < schemaVersion)
    throw new Error(`schema ${version}: the next start migrates it to ${schemaVersion}`);
  return `schema ${version}`;
}

/** Checks foreign keys. They may be violated if triggers were disabled, as some restores do. */
async function references(ask: Ask): Promise<string> {
  const found = await ask(`select conrelid::regclass::text as child, confrelid::regclass::text as parent,
      (select quote_ident(attname) from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as column,
      (select quote_ident(attname) from pg_attribute where attrelid = confrelid and attnum = confkey[1]) as key
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`);
  for (const { child, parent, column, key } of found) {
    const [orphan] = await ask(`select 1 from ${child} as child where ${column} is not null
      and not exists (select 1 from ${parent} as parent where parent.${key} = child.${column}) limit 1`);
    if (orphan) throw new Error(`rows of ${child} reference rows of ${parent} that do not exist`);
  }
  return 'all references are valid';
}

async function secrets(ask: Ask, given: string): Promise<string> {
  const [stored] = await ask(`select value from setting where name = 'secretKey'`);
  const [row] = await ask(anySealed);
  const key = given || stored?.value;
  if (!row && !key) return 'no stored secrets yet';
  if (row && !key) throw new Error('no key for the stored secrets: set PALAVER_SECRET_KEY');
  if (row && !canOpen(parseSecretKeys(key) as SecretKeys, row as SealedValue)) {
    throw new Error(
      `${given ? 'PALAVER_SECRET_KEY' : 'the key in the database'} does not decrypt the stored secrets`,
    );
  }
  const place = given
    ? 'with PALAVER_SECRET_KEY'
    : 'with a key in the database, which every dump contains: set PALAVER_SECRET_KEY to keep it elsewhere';
  return `the stored secrets can be decrypted, ${place}`;
}
