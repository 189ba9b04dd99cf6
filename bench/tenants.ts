import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataConfig } from '../server/src/node/data.ts';
import { Hostile } from '../test/support/hostile.ts';
import { startPostgres } from '../test/support/postgresServer.ts';
import { type Camp, hostilities } from './hostilities.ts';
import { LOAD_CORE } from './load.ts';
import { Neighbour, shown } from './neighbours.ts';
import { type Running, startOnServerCore } from './processes.ts';
import { keep, machine, quick, say } from './report.ts';
import { makeTenants, type Tenants } from './tenantData.ts';

/** The maximum increase of the 99th percentile of the other tenant's response times, in milliseconds. */
const GOAL_MS = 50;
/** How many seconds the other tenant sends requests, alone and during each attack. */
const SECONDS = quick ? 3 : 8;
/** The node is treated as idle if it uses less than this fraction of its core. */
const RESTING = 0.1;
const MAX_REST_MS = 60_000;
const HOSTILE_PRIORITY = 10;
/** `--only TEXT` selects the rows with this text in their names. */
const only = process.argv.includes('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '') : '';

/** Waits until the node has finished its remaining work. */
async function rest(palaver: Running): Promise<void> {
  const end = performance.now() + MAX_REST_MS;
  while (performance.now() < end) {
    const before = palaver.cpu();
    await sleep(1_000);
    if (palaver.cpu() - before < RESTING) return;
  }
  say('the node is still busy');
}

/** "Missed" if the node caused the increase; "unclear" if the machine may have caused it. */
function verdict(moved: number, net: number): string {
  if (net > GOAL_MS) return 'missed';
  return moved > GOAL_MS ? 'unclear' : 'met';
}

/** Measures one row: the other tenant's times alone and during the attack. */
async function rowOf(
  { name, status, prepare }: (typeof hostilities)[number],
  palaver: Running,
  neighbour: Neighbour,
  camp: Camp,
): Promise<string> {
  const hostile = new Hostile(palaver);
  const { act, end } = await prepare(hostile, camp);
  await rest(palaver);
  const alone = await neighbour.measure(SECONDS);
  const [beside] = await Promise.all([neighbour.measure(SECONDS), act()]);
  hostile.close();
  const answers = [...hostile.counts].map(([code, count]) => `${count} × ${code}`).join(', ');
  await end?.();
  if (status !== undefined && !hostile.counts.has(status))
    throw new Error(`${name}: ${answers}, no ${status}`);
  const kinds = ['send', 'read'] as const;
  const movedBy = (of: 'p99' | 'net') => kinds.map((kind) => beside[kind][of] - alone[kind][of]);
  const refused = alone.refused + beside.refused;
  const cells = [
    name,
    answers || 'not read',
    ...kinds.flatMap((kind, index) => [
      shown(alone[kind]),
      shown(beside[kind]),
      `${movedBy('p99')[index]?.toFixed(1)} (${movedBy('net')[index]?.toFixed(1)})`,
    ]),
    refused > 0
      ? `missed, ${refused} refused`
      : verdict(Math.max(...movedBy('p99')), Math.max(...movedBy('net'))),
  ];
  const row = `| ${cells.join(' | ')} |`;
  say(row);
  return row;
}

async function measureAll(palaver: Running, tenants: Tenants): Promise<string[]> {
  const neighbour = new Neighbour(palaver, tenants.neighbour);
  try {
    // From here on, this process only attacks. It moves off the node's core and gets a lower priority than
    // the other tenant's clients.
    execFileSync('taskset', ['-acp', LOAD_CORE, String(process.pid)], { stdio: 'ignore' });
    setPriority(HOSTILE_PRIORITY);
    const people = tenants.hostile.keys.values();
    const person = () => {
      const { value, done } = people.next();
      if (done) throw new Error('too few people');
      return value;
    };
    await rest(palaver);
    await neighbour.measure(SECONDS);
    const rows: string[] = [];
    for (const hostility of hostilities.filter(({ name }) => name.includes(only))) {
      rows.push(await rowOf(hostility, palaver, neighbour, { tenants, person }));
    }
    return rows;
  } finally {
    neighbour.leave();
  }
}

async function measureAt(place: DataConfig): Promise<string[]> {
  const from = performance.now();
  const tenants = await makeTenants(place);
  say(`two tenants in ${((performance.now() - from) / 1000).toFixed(0)} s`);
  const palaver = await startOnServerCore(
    'server/bin/palaver.js',
    ['start', '--data', place.data, '--port', '0'],
    { PALAVER_PRIVATE_WEBHOOKS: 'true', ...(place.database && { DATABASE_URL: place.database }) },
  );
  try {
    return await measureAll(palaver, tenants);
  } finally {
    await palaver.stop();
  }
}

/**
 * Measures how attacks by one tenant affect another tenant at the default limits. A full run saves the table.
 */
export async function measureTenants(isOnPostgres: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const server = isOnPostgres ? await startPostgres({ durable: true }) : undefined;
  try {
    const load = loadavg()[0]?.toFixed(1);
    const database = (await server?.createDatabase()) ?? '';
    const rows = await measureAt({ data: folder, database, secretKey: '' });
    const lines = [
      `${machine}, default limits. Another tenant, the neighbour, sends 25 messages and reads 25 pages a second, for ${SECONDS} s alone and for ${SECONDS} s during each attack; p50 / p99 in ms. Load average ${load} before and ${loadavg()[0]?.toFixed(1)} after. Goal: the p99 rises by at most ${GOAL_MS} ms. In parentheses: the change without the time spent waiting for a core. A row is unclear if it misses the goal only because of that time.`,
      '',
      "| Attack | Responses | Neighbour's sends alone | during the attack | p99 change | Its reads alone | during the attack | p99 change | |",
      '|---|---|---|---|---|---|---|---|---|',
      ...rows,
    ];
    if (only === '') keep(`Hostile tenants, ${isOnPostgres ? 'PostgreSQL' : 'SQLite'}`, lines);
    else say(lines.join('\n'));
  } finally {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
