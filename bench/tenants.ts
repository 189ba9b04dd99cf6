import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataConfig } from '../server/src/node/data.ts';
import { Hostile } from '../test/support/hostile.ts';
import { startPostgres } from '../test/support/postgresServer.ts';
import { type Camp, hostilities } from './hostilities.ts';
import { LOAD_CORE } from './load.ts';
import { type Running, startOnServerCore } from './processes.ts';
import { quick, say } from './report.ts';
import { makeTenants, type Tenants } from './tenantData.ts';

/** The most by which the 99th percentile of the other tenant's times may move, in milliseconds. */
const GOAL_MS = 50;
/** Seconds of the other tenant's requests, alone and beside each hostile thing. */
const SECONDS = quick ? 3 : 8;
/** The node is at rest when it uses less of its core than this, a part of 1. */
const RESTING = 0.1;
const MAX_REST_MS = 60_000;
const HOSTILE_PRIORITY = 10;

/** Milliseconds. */
interface Times {
  p50: number;
  p99: number;
}

/** Times of one period. */
interface Period {
  send: Times;
  read: Times;
  /** Requests that were refused or not answered. */
  refused: number;
}

function timesOf(values: number[]): Times {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] as number;
  return { p50: at(0.5), p99: at(0.99) };
}

/** The other tenant: see `neighbour.ts`. */
class Neighbour {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor({ url }: Running, { neighbour: { channelId, keys } }: Tenants) {
    const script = join(import.meta.dirname, 'neighbour.ts');
    const args = ['-c', LOAD_CORE, process.execPath, script, url, channelId, keys.join(',')];
    this.#child = spawn('taskset', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ]();
  }

  async measure(seconds: number): Promise<Period> {
    this.#child.stdin?.write(`${seconds}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the other tenant has failed');
    const { send, read, refused } = JSON.parse(value);
    return { send: timesOf(send), read: timesOf(read), refused };
  }

  leave(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Waits until the node has done what was left to do. */
async function rest(palaver: Running): Promise<void> {
  const end = performance.now() + MAX_REST_MS;
  while (performance.now() < end) {
    const before = palaver.cpu();
    await sleep(1_000);
    if (palaver.cpu() - before < RESTING) return;
  }
  say('the node is still busy');
}

const shown = ({ p50, p99 }: Times) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;

/** One row: the other tenant's times alone, and beside the hostile thing. */
async function rowOf(
  { name, status, prepare }: (typeof hostilities)[number],
  palaver: Running,
  neighbour: Neighbour,
  camp: Camp,
): Promise<string> {
  const hostile = new Hostile(palaver);
  const { act, end } = await prepare(hostile, camp);
  await rest(palaver);
  const waited = [palaver.waited()];
  const alone = await neighbour.measure(SECONDS);
  waited.push(palaver.waited());
  const [beside] = await Promise.all([neighbour.measure(SECONDS), act()]);
  waited.push(palaver.waited());
  hostile.close();
  const answers = [...hostile.counts].map(([code, count]) => `${count} × ${code}`).join(', ');
  await end?.();
  if (status !== undefined && !hostile.counts.has(status))
    throw new Error(`${name}: ${answers}, no ${status}`);
  const moved = { send: beside.send.p99 - alone.send.p99, read: beside.read.p99 - alone.read.p99 };
  const refused = alone.refused + beside.refused;
  const reached = Math.max(moved.send, moved.read) <= GOAL_MS && refused === 0;
  const cells = [
    name,
    answers || 'not read',
    ...(['send', 'read'] as const).flatMap((kind) => [
      shown(alone[kind]),
      shown(beside[kind]),
      moved[kind].toFixed(1),
    ]),
    waited
      .slice(1)
      .map((ms, index) => Math.round(ms - (waited[index] as number)))
      .join(', '),
    (reached ? 'reached' : 'missed') + (refused > 0 ? `, ${refused} refused` : ''),
  ];
  const row = `| ${cells.join(' | ')} |`;
  say(row);
  return row;
}

async function measureAll(palaver: Running, tenants: Tenants): Promise<string[]> {
  const neighbour = new Neighbour(palaver, tenants);
  try {
    // From here on this process does nothing but hostile things: off the node's core, and behind the other tenant's clients.
    execFileSync('taskset', ['-acp', LOAD_CORE, String(process.pid)], { stdio: 'ignore' });
    setPriority(HOSTILE_PRIORITY);
    const people = tenants.hostile.keys.values();
    const person = () => {
      const { value, done } = people.next();
      if (done) throw new Error('there are too few people');
      return value;
    };
    await rest(palaver);
    await neighbour.measure(SECONDS);
    const rows: string[] = [];
    for (const hostility of hostilities) {
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

/** Measures what one tenant's hostile things cost another, at default limits. A whole run saves the table. */
export async function measureTenants(isOnPostgres: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const server = isOnPostgres ? await startPostgres({ durable: true }) : undefined;
  try {
    const load = loadavg()[0]?.toFixed(1);
    const database = (await server?.createDatabase()) ?? '';
    const rows = await measureAt({ data: folder, database, secretKey: '' });
    const engine = isOnPostgres ? 'PostgreSQL' : 'embedded engine';
    const table = [
      `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, ${engine}, default limits${quick ? ', `--quick`' : ''}. Another tenant sends 25 messages and reads 25 pages a second, for ${SECONDS} s alone and then for ${SECONDS} s beside each row; p50 / p99 in ms. Load averages of the machine before and after the run: ${load} and ${loadavg()[0]?.toFixed(1)}, on ${cpus().length} processors. In “waited” are the ms for which the node had work and others had its core, alone and beside: where it is much, the machine was busy, and the row tells little. The goal is a p99 that moves by at most ${GOAL_MS} ms.`,
      '',
      '| One tenant: | its answers | The other: sends alone | beside | p99 moved | reads alone | beside | p99 moved | waited | |',
      '|---|---|---|---|---|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
    say(`\n${table}`);
    const file = isOnPostgres ? 'results-tenants-postgres.md' : 'results-tenants.md';
    if (!quick) writeFileSync(join(import.meta.dirname, file), table);
  } finally {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
