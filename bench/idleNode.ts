import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { serverId } from '../test/support/idleData.ts';

/**
 * An idle node, in its own process: `idleNode.ts ROOT OPTIONS`. Runs the server of the checkout ROOT, with a
 * reader for each followed log. Prints `begun` once the node is idle, and after `seconds` seconds, as JSON,
 * the resources that it has used since.
 */
export interface IdleOptions {
  data: string;
  database: string;
  redis: string;
  followed: number;
  restSeconds: number;
  seconds: number;
}

/** Resources that the node used. */
export interface Used {
  /** Statements sent to a database server. */
  statements: number;
  /** Seconds of CPU. */
  cpu: number;
  /** The longest time in ms for which the event loop was blocked. */
  longestTurn: number;
}

/** How often to check whether the event loop is blocked. */
const TICK_MS = 20;

const [root = '', options = '{}'] = process.argv.slice(2);
const { data, database, redis, followed, restSeconds, seconds }: IdleOptions = JSON.parse(options);
const sources = join(root, 'server/src');
const { startNode }: typeof import('../server/src/node/node.ts') = await import(`${sources}/node/node.ts`);
const { joinPeers }: typeof import('../server/src/node/peers.ts') = await import(`${sources}/node/peers.ts`);

const node = await startNode({
  data: { data, database },
  webhooks: {},
  upkeep: { eventDays: 30 },
  listen: {},
  join: (opened) => joinPeers(redis, opened, pino({ level: 'silent' })),
});
const nobody = () => Promise.reject(new Error('nothing happens'));
for (let first = 1; first <= followed; first += 100) {
  const last = Math.min(followed, first + 99);
  const ids = Array.from({ length: last - first + 1 }, (_, index) => serverId(first + index));
  await Promise.all(ids.map((id) => node.feed.reader(id, {}, nobody)));
}
await sleep(restSeconds * 1000);

const figures = node.data.db.figures;
const [statements, cpu] = [figures.statements, process.cpuUsage()];
let longestTurn = 0;
let before = performance.now();
const ticking = setInterval(() => {
  const now = performance.now();
  longestTurn = Math.max(longestTurn, now - before - TICK_MS);
  before = now;
}, TICK_MS);
process.stdout.write('begun\n');
await sleep(seconds * 1000);
clearInterval(ticking);
const { user, system } = process.cpuUsage(cpu);
const used: Used = { statements: figures.statements - statements, cpu: (user + system) / 1e6, longestTurn };
process.stdout.write(`${JSON.stringify(used)}\n`);
await node.close();
