import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataConfig, databaseFile } from '../server/src/node/data.ts';
import { ask } from '../test/support/databases.ts';
import { soakEnvironment } from '../test/support/flowSoak.ts';
import { startPostgres } from '../test/support/postgresServer.ts';
import { addDue, type FlowServers, makeFlows } from './flowData.ts';
import { GOAL, isServed, Neighbour, shown } from './neighbours.ts';
import { type Running, untilIdle } from './processes.ts';
import { keep, machine, median, quick, ROUNDS, say } from './report.ts';
import { startOn } from './stage.ts';

const RUNS = quick ? 200 : 2_000;
/** Requests in flight. */
const SENDERS = 16;
const MINUTE_MS = 60_000;
/** Seconds of measurement per minute, starting one second before the minute. */
const SECONDS = 20;
/** The number of minutes in which flows are due. Each is compared with the minute before it. */
const MINUTES = quick ? 1 : 3;
/** The goal: all runs that are due in a minute start within this time. */
const STARTED_MS = 10_000;

/** Measures flows on either engine: the cost of a run, and many flows that are due in the same minute. */
export async function measureFlows(isOnPostgres: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const server = isOnPostgres ? await startPostgres({ durable: true }) : undefined;
  const load = loadavg()[0]?.toFixed(1);
  try {
    const place = { data: folder, database: (await server?.createDatabase()) ?? '', secretKey: '' };
    const from = performance.now();
    const made = await makeFlows(place);
    const [flows, due] = [made.flows, made.servers.length].map((count) => count.toLocaleString('en'));
    say(`${flows} flows in ${((performance.now() - from) / 1000).toFixed(0)} s`);
    const costs = await withNode(place, (node) => costOfRuns(node, made));
    const first = new Date(Math.ceil(Date.now() / MINUTE_MS + 3) * MINUTE_MS).getTime();
    const minutes = Array.from({ length: MINUTES }, (_, number) => first + 2 * number * MINUTE_MS);
    await addDue(
      place,
      made.servers,
      minutes.map((at) => new Date(at).getUTCMinutes()),
    );
    const together = await withNode(place, (node) => dueTogether(node, made, place, minutes));
    keep(`Flows, ${isOnPostgres ? 'PostgreSQL' : 'SQLite'}`, [
      `${machine}, ${flows} flows, and ${due} more that are due in the same minutes. Load average ${load} before and ${loadavg()[0]?.toFixed(1)} after.`,
      '',
      ...costs,
      '',
      ...together,
    ]);
  } finally {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withNode<T>(place: DataConfig, use: (node: Running) => Promise<T>): Promise<T> {
  const node = await startOn({ folder: place.data, database: place.database ?? '' }, soakEnvironment);
  try {
    return await use(node);
  } finally {
    await node.stop();
  }
}

/** Calls `each` with the numbers below `count`, with limited concurrency. */
async function times(count: number, each: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let number = next++; number < count; number = next++) await each(number);
  };
  await Promise.all(Array.from({ length: SENDERS }, work));
}

async function request(node: Running, key: string, method: string, path: string, body?: object) {
  const answer = await fetch(`${node.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = (await answer.json()) as { data: { id: string; status?: string } & { id: string }[] };
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status}`);
  return data;
}

interface Cost {
  /** Runs per second. */
  rate: number;
  /** The node's CPU per run, in ms. */
  cpu: number;
}

async function costOf(node: Running, work: () => Promise<unknown>): Promise<Cost> {
  const [from, cpu] = [performance.now(), node.cpu()];
  await work();
  return { rate: (RUNS * 1_000) / (performance.now() - from), cpu: ((node.cpu() - cpu) * 1_000) / RUNS };
}

/** Compares a run of three steps with a bot that performs the same three writes through the API. */
async function costOfRuns(node: Running, { bench }: FlowServers): Promise<string[]> {
  const { key, pingId, quietId, answerId, flowId } = bench;
  const send = (channelId: string, content: string) =>
    request(node, key, 'POST', '/messages', { channelId, content });
  const open = async () =>
    (await request(node, key, 'GET', `/flows/${flowId}/runs?status=running&limit=1`)).length;
  const sides: Record<'flow' | 'requests' | 'message', () => Promise<unknown>> = {
    async flow() {
      await times(RUNS, (number) => send(pingId, `ping ${number}`));
      while ((await open()) > 0) await sleep(20);
    },
    requests: () =>
      times(RUNS, async (number) => {
        await send(quietId, `ping ${number}`);
        const { id } = await send(answerId, `pong ping ${number}`);
        await request(node, key, 'POST', '/reactions', { messageId: id, emoji: '📣' });
        await request(node, key, 'PATCH', `/messages/${id}`, { content: `done ping ${number}` });
      }),
    message: () => times(RUNS, (number) => send(quietId, `ping ${number}`)),
  };
  const costs: Record<string, Cost[]> = { flow: [], requests: [], message: [] };
  for (let round = -1; round < ROUNDS; round++)
    for (const [name, work] of Object.entries(sides)) {
      await untilIdle(node);
      const cost = await costOf(node, work);
      if (round >= 0) costs[name]?.push(cost);
    }
  const of = (name: keyof typeof sides, figure: keyof Cost) =>
    median((costs[name] as Cost[]).map((cost) => cost[figure]));
  const rest = (name: 'flow' | 'requests') => of(name, 'cpu') - of('message', 'cpu');
  const words = {
    flow: 'A message that starts a run of three steps',
    requests: 'A message and the same three writes through the API',
    message: 'A message alone',
  };
  const lines = [
    '| Work | Per second | Node CPU, ms |',
    '|---|---|---|',
    ...(['flow', 'requests', 'message'] as const).map(
      (name) => `| ${words[name]} | ${of(name, 'rate').toFixed(0)} | ${of(name, 'cpu').toFixed(2)} |`,
    ),
    '',
    `CPU of the three steps in a run, relative to the three writes through the API: ${(rest('flow') / rest('requests')).toFixed(2)}.`,
  ];
  for (const line of lines) say(line);
  return lines;
}

/** Measures another tenant's sends before and while flows are due, and how late the flows start. */
async function dueTogether(
  node: Running,
  made: FlowServers,
  place: DataConfig,
  minutes: readonly number[],
): Promise<string[]> {
  const [due, neighbour] = [made.servers.length, new Neighbour(node, made.neighbour)];
  const lines = [
    "| Minute | Another tenant's sends before it, p50 / p99 in ms | During it | p99 ratio | Last start, s | |",
    '|---|---|---|---|---|---|',
  ];
  try {
    await neighbour.measure(2);
    for (const [number, at] of minutes.entries()) {
      await sleep(Math.max(0, at - MINUTE_MS - Date.now() - 1_000));
      if (Date.now() > at - MINUTE_MS) throw new Error('the minute was over before the measurement');
      const before = await neighbour.measure(SECONDS);
      await sleep(Math.max(0, at - Date.now() - 1_000));
      const within = await neighbour.measure(SECONDS);
      const latest = (await lastStart(place, at, due)) - at;
      const ratio = within.send.p99 / before.send.p99;
      const met = isServed(before, within) && latest <= STARTED_MS;
      lines.push(
        `| ${number + 1} | ${shown(before.send)} | ${shown(within.send)} | ${ratio.toFixed(2)} | ${(latest / 1_000).toFixed(1)} | ${met ? 'met' : 'missed'} |`,
      );
      say(lines.at(-1) as string);
    }
  } finally {
    neighbour.leave();
  }
  return [
    ...lines,
    '',
    `Goal: all ${due.toLocaleString('en')} runs start within ${STARTED_MS / 1_000} s, and the p99 is at most ${GOAL.ratio} times as long, or ${GOAL.moreMs} ms longer.`,
  ];
}

interface Found {
  count: number | string;
  last: number | string;
}

/**
 * The start time of the last run that was due at a given minute. Throws if not all of these runs were
 * started.
 */
async function lastStart({ data, database }: DataConfig, at: number, due: number): Promise<number> {
  const text = `select count(*) as count, max("createdAt") as last from "flowRun"
    where "triggeredBy" = 'schedule' and "createdAt" >= ${at}`;
  const [row] = database ? await ask<Found>(database, text) : readFile(data, text);
  if (Number(row?.count) !== due) throw new Error(`${row?.count} of ${due} runs were started`);
  return Number(row?.last);
}

function readFile(folder: string, text: string): Found[] {
  const db = new DatabaseSync(databaseFile(folder), { readOnly: true });
  try {
    return db.prepare(text).all() as unknown as Found[];
  } finally {
    db.close();
  }
}
