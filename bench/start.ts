import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Running, SERVER_CORE, startOnServerCore, switchesOf } from './processes.ts';
import { keep, machine, median, optionOf, quick, say } from './report.ts';

const STARTS = quick ? 3 : 9;
/** The number of idle nodes, measured at the same time. */
const NODES = quick ? 1 : 3;
/** Seconds after a start for which CPU time is counted, to include work that the node defers. */
const SETTLE_SECONDS = 5;
/** Seconds until a node is considered idle. */
const REST_SECONDS = quick ? 10 : 30;
const SECONDS = quick ? 15 : 60;
const GOAL = { cpu: 0.35, wall: 6, idle: 0.2, switches: 2, megabytes: 100 };

/** A checkout of Palaver, with a data folder for each node. */
interface Side {
  name: string;
  root: string;
  folders: string[];
}

interface Start {
  /** Seconds until the node listens. */
  wall: number;
  /** Seconds that `node -e 0` took just before. */
  bare: number;
  /** Seconds of CPU until the node listens, and in its first seconds. */
  cpu: number;
  cpuSettled: number;
}

interface Rest {
  /** Percent of a core. */
  cpu: number;
  /** Context switches per second. On a busy machine, more switches are involuntary. */
  switches: number;
  involuntary: number;
  megabytes: number;
}

/**
 * Measures starts of an empty server and its idle usage; with `--before PATH`, alternates with another
 * checkout.
 */
export async function measureStart(): Promise<void> {
  const before = optionOf('--before');
  const now = resolve(import.meta.dirname, '..');
  const roots = { ...(before !== undefined && { before: resolve(before) }), now };
  const sides: Side[] = [];
  const load = loadavg()[0]?.toFixed(1);
  try {
    for (const [name, root] of Object.entries(roots)) sides.push(await prepare(name, root));
    const starts = await measureStarts(sides);
    const rests = await measureRest(sides);
    const lines = sides.flatMap(({ name }) => linesOf(name, starts.get(name) ?? [], rests.get(name) ?? []));
    keep('An empty server', [
      `${machine}, SQLite, load average ${load} before and ${loadavg()[0]?.toFixed(1)} after. Medians of ${STARTS} starts, each after a \`node -e 0\`, and of ${NODES} nodes at rest for ${SECONDS} s.`,
      '',
      `| Figure | Version | Measured | Lowest | Highest | Goal | |`,
      '|---|---|---|---|---|---|---|',
      ...lines,
    ]);
  } finally {
    for (const { folders } of sides)
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates the data folders, and starts a node on each once, which also fills the compile cache. */
async function prepare(name: string, root: string): Promise<Side> {
  const folders: string[] = [];
  while (folders.length < NODES) {
    const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
    folders.push(folder);
    const node = await start(root, folder);
    await sleep(SETTLE_SECONDS * 1_000);
    await node.stop();
  }
  return { name, root, folders };
}

const start = (root: string, folder: string): Promise<Running> =>
  startOnServerCore(join(root, 'server/bin/palaver.js'), ['start', '--data', folder, '--port', '0']);

async function measureStarts(sides: readonly Side[]): Promise<Map<string, Start[]>> {
  const starts = new Map(sides.map(({ name }) => [name, [] as Start[]]));
  for (let round = 0; round < STARTS; round++) {
    for (const { name, root, folders } of sides) {
      const bare = await bareSeconds();
      const node = await start(root, folders[0] as string);
      const cpu = node.cpu();
      await sleep(SETTLE_SECONDS * 1_000);
      const measured = { wall: node.startMs / 1_000, bare, cpu, cpuSettled: node.cpu() };
      await node.stop();
      starts.get(name)?.push(measured);
      say(`${name}: ${JSON.stringify(measured)}`);
    }
  }
  return starts;
}

/** The seconds that Node takes to start and exit, on the node's core. */
async function bareSeconds(): Promise<number> {
  const from = performance.now();
  const child = spawn('taskset', ['-c', SERVER_CORE, process.execPath, '-e', '0'], { stdio: 'ignore' });
  await once(child, 'exit');
  return (performance.now() - from) / 1_000;
}

/** Measures all nodes at the same time, because idle nodes hardly affect each other. */
async function measureRest(sides: readonly Side[]): Promise<Map<string, Rest[]>> {
  const nodes: { name: string; node: Running }[] = [];
  try {
    for (const { name, root, folders } of sides)
      for (const folder of folders) nodes.push({ name, node: await start(root, folder) });
    await sleep(REST_SECONDS * 1_000);
    const before = nodes.map(({ node }) => ({ cpu: node.cpu(), ...switchesOf(node.pid) }));
    await sleep(SECONDS * 1_000);
    const rests = new Map(sides.map(({ name }) => [name, [] as Rest[]]));
    for (const [index, { name, node }] of nodes.entries()) {
      const { cpu, voluntary, involuntary } = before[index] as (typeof before)[0];
      const now = switchesOf(node.pid);
      const measured = {
        cpu: (100 * (node.cpu() - cpu)) / SECONDS,
        switches: (now.voluntary + now.involuntary - voluntary - involuntary) / SECONDS,
        involuntary: (now.involuntary - involuntary) / SECONDS,
        megabytes: node.memory() / 1e6,
      };
      rests.get(name)?.push(measured);
      say(`${name}: ${JSON.stringify(measured)}`);
    }
    return rests;
  } finally {
    for (const { node } of nodes) await node.stop();
  }
}

function linesOf(name: string, starts: readonly Start[], rests: readonly Rest[]): string[] {
  const row = (figure: string, values: number[], unit: string, goal?: number) => {
    const shown = (value: number) => `${value.toFixed(2)}${unit}`;
    const middle = median(values);
    const verdict = goal === undefined || name !== 'now' ? '' : middle <= goal ? 'met' : 'missed';
    const range = [Math.min(...values), Math.max(...values)].map(shown);
    const target = goal === undefined ? '' : `≤ ${goal}${unit}`;
    return `| ${[figure, name, shown(middle), ...range, target, verdict].join(' | ')} |`;
  };
  const of = <T>(all: readonly T[], value: (one: T) => number) => all.map(value);
  const ratio = of(starts, ({ wall, bare }) => wall / bare);
  return [
    row(
      'CPU time until the server listens',
      of(starts, ({ cpu }) => cpu),
      ' s',
      GOAL.cpu,
    ),
    row(
      `CPU time until ${SETTLE_SECONDS} s later`,
      of(starts, ({ cpuSettled }) => cpuSettled),
      ' s',
    ),
    row(
      'Time until the server listens',
      of(starts, ({ wall }) => wall),
      ' s',
    ),
    row('The same, relative to `node -e 0`', ratio, '', GOAL.wall),
    row(
      'At rest: CPU',
      of(rests, ({ cpu }) => cpu),
      ' %',
      GOAL.idle,
    ),
    row(
      'At rest: context switches per second',
      of(rests, ({ switches }) => switches),
      '',
      GOAL.switches,
    ),
    row(
      'Of these, involuntary',
      of(rests, ({ involuntary }) => involuntary),
      '',
    ),
    row(
      'At rest: resident memory',
      of(rests, ({ megabytes }) => megabytes),
      ' MB',
      GOAL.megabytes,
    ),
  ];
}
