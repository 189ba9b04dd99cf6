import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDistance } from '../test/support/distance.ts';
import { startPostgres } from '../test/support/postgresServer.ts';
import { startValkey } from '../test/support/valkeyServer.ts';
import { CONNECTIONS, type Figures, generateAll, type Load } from './load.ts';
import { type Made, makeServers } from './made.ts';
import { insertScript, PGBENCH_CLIENTS, pgbench } from './pgbench.ts';
import { type Running, startOnServerCore } from './processes.ts';
import { CONTENT, inTurn, keep, machine, median, perSecond, ROUNDS, ratio, SECONDS, say } from './report.ts';

/** The numbers of servers to send to. */
const AMOUNTS = [1, 10, 100];
/**
 * Settings for comparing nodes: their number, the round-trip time to the database in milliseconds, and the connections
 * of the load generator to each node. These leave the two cores of a small machine partly idle, so nodes wait for each
 * other's locks and for the network.
 */
const NODES = 3;
const DISTANCE_MS = 40;
const NODE_CONNECTIONS = 8;
/** Requests are counted, but never reach the limit. */
const limits = { PALAVER_LIMITS: '{"*":1000000}' };

/** A version of Palaver, given by the folder of its repository. */
interface Side {
  name: string;
  folder: string;
}

const previous = process.argv.includes('--before') && process.argv[process.argv.indexOf('--before') + 1];
const sides: readonly Side[] = [
  ...(previous ? [{ name: 'before', folder: previous }] : []),
  { name: 'now', folder: join(import.meta.dirname, '..') },
];

const rows: string[] = [];
const add = (...cells: readonly string[]): void => {
  const row = `| ${cells.join(' | ')} |`;
  rows.push(row);
  say(row);
};
const head = (...cells: readonly string[]): void => {
  rows.push('');
  add(...cells);
  add(...cells.map(() => '---'));
};

/**
 * Compares sends to 1, 10 and 100 servers: one node with pgbench, and several nodes with one. With
 * `--before FOLDER`, also compares another version, whose repository is in the folder and whose schema is the
 * same.
 */
export async function measureServers(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const server = await startPostgres({ durable: true });
  const valkey = await startValkey();
  try {
    const database = await server.createDatabase();
    const made = await makeServers({ data: folder, database }, Math.max(...AMOUNTS));
    const start = (side: Side, url = database): Promise<Running> =>
      startOnServerCore(join(side.folder, 'server/bin/palaver.js'), ['start', '--port', '0'], {
        ...limits,
        DATABASE_URL: url,
        REDIS_URL: valkey.url,
        PALAVER_LOG_LEVEL: 'error',
      });
    const insert = insertScript(folder, (made[0] as Made).busy, (made[0] as Made).user.id);
    await compareRates(database, insert, start, made);
    await countStatements(database, start, made);
    await compareNodes(database, start, made);
    keep('Sends to many servers', [
      `${machine}, PostgreSQL, Valkey, one key for each server, rate limits on but never reached, ${CONNECTIONS} connections, pgbench with ${PGBENCH_CLIENTS}`,
      `clients; medians of ${ROUNDS} rounds of ${SECONDS} s.`,
      ...rows,
    ]);
  } finally {
    await valkey.stop();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Start = (side: Side, url?: string) => Promise<Running>;

/** Sends to the busy channel of each server in turn. */
const sends = ({ url }: Running, made: readonly Made[]): Load[] =>
  made.map(({ busy, key }) => ({
    method: 'POST',
    url: `${url}/api/v1/messages`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ channelId: busy.id, serverId: busy.serverId, content: CONTENT }),
  }));

async function compareRates(database: string, insert: string, start: Start, made: Made[]): Promise<void> {
  const running = await Promise.all(sides.map((side) => start(side)));
  head(
    'Servers',
    ...sides.map(({ name }) => `${name}, relative to pgbench`),
    ...sides.map(({ name }) => `CPU ${name}`),
  );
  for (const amount of AMOUNTS) {
    const costs: number[][] = sides.map(() => []);
    const [theirs, ...ours] = await inTurn(
      (seconds) => pgbench(database, insert, seconds),
      ...running.map((node, side) => async (seconds: number) => {
        const before = node.cpu();
        const figures = await generateAll(sends(node, made.slice(0, amount)), seconds);
        costs[side]?.push(((node.cpu() - before) * 1e6) / (figures.rate * seconds));
        return figures;
      }),
    );
    add(
      String(amount),
      ...ours.map((figures) => {
        const rates = `${perSecond(figures)}/s vs. ${perSecond(theirs as Figures[])}/s`;
        return `${ratio(figures, theirs as Figures[]).toFixed(2)} (${rates})`;
      }),
      ...costs.map((values) => `${median(values).toFixed(0)} µs`),
    );
  }
  for (const node of running) await node.stop();
}

/** The number of statements, and of packets with statements, per message. */
async function countStatements(database: string, start: Start, made: Made[]): Promise<void> {
  head('Servers', ...sides.flatMap(({ name }) => [`statements ${name}`, `packets ${name}`]));
  const cells = new Map(AMOUNTS.map((amount) => [amount, [] as string[]]));
  for (const side of sides) {
    const distance = await startDistance(database);
    const node = await start(side, distance.url);
    for (const amount of AMOUNTS) {
      const loads = sends(node, made.slice(0, amount));
      await generateAll(loads, 1);
      const { statements, packets } = distance;
      const { rate } = await generateAll(loads, SECONDS);
      const sent = rate * SECONDS;
      cells
        .get(amount)
        ?.push(
          ((distance.statements - statements) / sent).toFixed(2),
          ((distance.packets - packets) / sent).toFixed(2),
        );
    }
    await node.stop();
    distance.close();
  }
  for (const [amount, counts] of cells) add(String(amount), ...counts);
}

/** Compares several nodes with one, through a proxy that adds latency to the database. */
async function compareNodes(database: string, start: Start, made: Made[]): Promise<void> {
  head('Servers', ...sides.map(({ name }) => `${NODES} nodes relative to one, ${name}`));
  const distance = await startDistance(database, DISTANCE_MS / 2);
  const nodes: Running[][] = [];
  for (const side of sides) {
    nodes.push(await Promise.all(Array.from({ length: NODES }, () => start(side, distance.url))));
  }
  for (const amount of AMOUNTS.slice(1)) {
    const cells: string[] = [];
    for (const own of nodes) {
      const on = (some: readonly Running[]) => async (seconds: number) => {
        const figures = await Promise.all(
          some.map((node) => generateAll(sends(node, made.slice(0, amount)), seconds, NODE_CONNECTIONS)),
        );
        const sum = (of: (one: Figures) => number) => figures.reduce((total, one) => total + of(one), 0);
        return { rate: sum(({ rate }) => rate), p99: 0, failed: sum(({ failed }) => failed) };
      };
      const [one, all] = await inTurn(on(own.slice(0, 1)), on(own));
      cells.push(`${ratio(all, one).toFixed(2)} (${perSecond(all)}/s vs. ${perSecond(one)}/s)`);
    }
    add(String(amount), ...cells);
  }
  for (const node of nodes.flat()) await node.stop();
  distance.close();
}
