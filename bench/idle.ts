import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ask } from '../test/support/databases.ts';
import { type Amounts, fillIdle } from '../test/support/idleData.ts';
import { type PostgresServer, startPostgres } from '../test/support/postgresServer.ts';
import { startValkey, type ValkeyServer } from '../test/support/valkeyServer.ts';
import type { IdleOptions, Used } from './idleNode.ts';
import { commitsOf, cpuOfPostgres } from './postgresUse.ts';
import { keep, machine, quick, say } from './report.ts';

const amounts: Amounts = quick
  ? { servers: 10_000, followed: 1_000, webhooks: 10_000 }
  : { servers: 100_000, followed: 10_000, webhooks: 100_000 };
/** Seconds to wait until the node is idle. Its first polls scan all data. */
const REST_SECONDS = 25;
/** Seconds per measurement, long enough to include one round of upkeep. */
const SECONDS = 60;
const GOAL = { statements: 50, cpu: 3 };

/** A checkout of Palaver, with its own data for each engine. */
interface Side {
  name: string;
  root: string;
  folder: string;
  database: string;
}

interface Row {
  store: string;
  side: string;
  statements: number | undefined;
  commits: number | undefined;
  /** CPU usage as a percentage of one core. */
  node: number;
  database: number;
  longestTurn: number;
}

/** Measures an idle node; with `--before PATH`, compares it with another checkout. */
export async function measureIdle(): Promise<void> {
  const before = process.argv.includes('--before') && process.argv[process.argv.indexOf('--before') + 1];
  const roots = { ...(before && { before }), now: join(import.meta.dirname, '..') };
  const postgres = await startPostgres();
  const valkey = await startValkey();
  const sides: Side[] = [];
  try {
    for (const [name, root] of Object.entries(roots)) {
      say(`Filling data (${name})…`);
      sides.push(await fill(name, root, postgres));
    }
    const rows: Row[] = [];
    for (const [store, database, redis] of stores(valkey)) {
      for (const side of sides) rows.push(await measure(store, side, postgres, database, redis));
    }
    await publish(rows, postgres);
  } finally {
    await valkey.stop();
    await postgres.close();
    for (const { folder } of sides) rmSync(folder, { recursive: true, force: true });
  }
}

const stores = (valkey: ValkeyServer) =>
  [
    ['PostgreSQL', true, ''],
    ['PostgreSQL and Valkey', true, valkey.url],
    ['SQLite', false, ''],
  ] as const;

async function fill(name: string, root: string, postgres: PostgresServer): Promise<Side> {
  const { openData }: typeof import('../server/src/node/data.ts') = await import(
    join(root, 'server/src/node/data.ts')
  );
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const database = await postgres.createDatabase();
  await (await openData({ data: folder })).db.close();
  await (await openData({ data: folder, database })).db.close();
  await fillIdle({ file: join(folder, 'palaver.db') }, amounts);
  await fillIdle({ url: database }, amounts);
  await ask(database, 'checkpoint');
  return { name, root, folder, database };
}

async function measure(
  store: string,
  side: Side,
  postgres: PostgresServer,
  isOnPostgres: boolean,
  redis: string,
): Promise<Row> {
  const options: IdleOptions = {
    data: side.folder,
    database: isOnPostgres ? side.database : '',
    redis,
    followed: amounts.followed,
    restSeconds: REST_SECONDS,
    seconds: SECONDS,
  };
  const script = join(import.meta.dirname, 'idleNode.ts');
  const args = [process.execPath, script, side.root, JSON.stringify(options)];
  const child = spawn('taskset', ['-c', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  if ((await lines.next()).value !== 'begun') throw new Error(`the node of ${side.root} did not start`);
  const first = { cpu: await cpuOfPostgres(postgres.url), commits: await commitsOf(side.database) };
  const used: Used = JSON.parse((await lines.next()).value ?? '');
  const last = { cpu: await cpuOfPostgres(postgres.url), commits: await commitsOf(side.database) };
  await new Promise((resolve) => child.once('exit', resolve));
  const perSecond = (amount: number) => amount / SECONDS;
  const row: Row = {
    store,
    side: side.name,
    statements: isOnPostgres ? perSecond(used.statements) : undefined,
    commits: isOnPostgres ? perSecond(last.commits - first.commits) : undefined,
    node: 100 * perSecond(used.cpu),
    database: isOnPostgres ? 100 * perSecond(last.cpu - first.cpu) : 0,
    longestTurn: used.longestTurn,
  };
  say(textOf(row));
  return row;
}

const shown = (value: number | undefined, digits = 1): string => value?.toFixed(digits) ?? '';

function textOf({ store, side, statements, commits, node, database, longestTurn }: Row): string {
  const cpu = node + database;
  const isReached = cpu <= GOAL.cpu && (statements ?? 0) <= GOAL.statements;
  const reached = side === 'now' ? (isReached ? 'met' : 'missed') : '';
  const cells = [shown(statements), shown(commits), shown(node, 2), shown(database, 2), shown(cpu, 2)];
  return `| ${[store, side, ...cells, longestTurn.toFixed(0), reached].join(' | ')} |`;
}

async function publish(rows: readonly Row[], { url }: PostgresServer): Promise<void> {
  const [row] = await ask<{ name: string }>(url, `select current_setting('server_version') as name`);
  const count = (amount: number) => amount.toLocaleString('en');
  keep('Cost at rest', [
    `${machine}, PostgreSQL ${row?.name}: ${count(amounts.servers)} idle servers, ${count(amounts.followed)} of them followed, and ${count(amounts.webhooks)} webhooks; one node, ${SECONDS} s. Goal: at most ${GOAL.statements} statements a second, and at most ${GOAL.cpu} % of a core for node and database together.`,
    '',
    '| Store | | Statements/s | Transactions/s | Node, % of a core | Database | Both | Longest block of the event loop, ms | |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map(textOf),
  ]);
}
