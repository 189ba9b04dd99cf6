import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Figures, generateAll, type Load } from './load.ts';
import type { Made } from './made.ts';
import { type Running, startOnServerCore } from './processes.ts';
import { CONTENT, keep, machine, median, optionOf, ROUNDS, SECONDS, say } from './report.ts';

/** A version of Palaver, given by the folder of its repository. */
interface Side {
  name: string;
  folder: string;
}

const other = optionOf('--before');
const previous = other && resolve(other);
/** The numbers of channels to cycle through. */
const AMOUNTS = optionOf('--channels')?.split(',').map(Number) ?? [1, 60];
const sides: readonly Side[] = [
  ...(previous ? [{ name: 'before', folder: previous }] : []),
  { name: 'now', folder: join(import.meta.dirname, '..') },
];

/** The cost of one round of sends. */
interface Cost extends Figures {
  /** The process's CPU per send, in microseconds. */
  cpu: number;
  /** Resident memory afterwards, in megabytes. */
  memory: number;
}

/**
 * Measures the CPU time of a send on the embedded engine. With `--before FOLDER`, also measures another
 * version. On a machine with other load, CPU time is more meaningful than requests per second.
 */
export async function measureSends(): Promise<void> {
  const folders = sides.map(() => mkdtempSync(join(tmpdir(), 'palaver-bench-')));
  const running: Running[] = [];
  try {
    const targets: Load[][] = [];
    for (const [index, { folder }] of sides.entries()) {
      const data = folders[index] as string;
      const made = await prepare(folder, data);
      const palaver = join(folder, 'server/bin/palaver.js');
      const start = ['start', '--data', data, '--port', '0'];
      const server = await startOnServerCore(palaver, start, { PALAVER_LIMITS: '{"*":0}' });
      running.push(server);
      const channels = await addChannels(server, made, palaver, data);
      targets.push(channels.map((id) => sendTo(server, made, id)));
    }
    const lines: string[] = [];
    for (const amount of AMOUNTS) {
      const costs: Cost[][] = sides.map(() => []);
      for (let round = -1; round < ROUNDS; round++) {
        for (const [index, server] of running.entries()) {
          const cost = await sendFor(
            server,
            (targets[index] as Load[]).slice(0, amount),
            round < 0 ? 1 : SECONDS,
          );
          if (round >= 0) costs[index]?.push(cost);
        }
      }
      for (const [index, { name }] of sides.entries())
        say(`${name}, ${amount} channels: ${lineOf(costs[index] as Cost[])}`);
      if (previous) {
        const before = costs[0] as Cost[];
        const ratios = (costs[1] as Cost[]).map(({ cpu }, round) => cpu / (before[round] as Cost).cpu);
        const rounds = `${median(ratios).toFixed(3)} (${ratios.map((one) => one.toFixed(2)).join(', ')})`;
        say(`  CPU time of a send, relative to the previous version: ${rounds}`);
        lines.push(`| ${[amount, ...costs.map(lineOf), rounds].join(' | ')} |`);
      }
    }
    if (previous)
      keep('Sends, compared with an earlier version', [
        `${machine}, SQLite, medians of ${ROUNDS} rounds of ${SECONDS} s: CPU per send, sends per second, p99, and resident memory.`,
        '',
        '| Channels | Before | Now | CPU, relative to before (each round) |',
        '|---|---|---|---|',
        ...lines,
      ]);
  } finally {
    for (const server of running) await server.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates data with a version's code, because its schema may differ. */
async function prepare(version: string, folder: string): Promise<Made> {
  const code = <T>(path: string): Promise<T> => import(join(version, path));
  const { makeServer } = await code<typeof import('./made.ts')>('bench/made.ts');
  const { openData } = await code<typeof import('../server/src/node/data.ts')>('server/src/node/data.ts');
  const data = await openData({ data: folder });
  const made = await makeServer(data);
  await data.db.close();
  return made;
}

/**
 * Creates as many channels as the largest load needs, over HTTP, because a version's internal functions may
 * have been renamed. Returns their ids.
 */
async function addChannels(
  { url }: Running,
  { user, busy }: Made,
  palaver: string,
  data: string,
): Promise<string[]> {
  const options = ['--server', busy.serverId, '--user', user.id, '--flags', 'canEditChannel'];
  const printed = execFileSync(process.execPath, [
    palaver,
    'key',
    'create',
    '--data',
    data,
    ...options,
    '--json',
  ]);
  const { key } = JSON.parse(String(printed)) as { key: string };
  const ids: string[] = [];
  while (ids.length < Math.max(...AMOUNTS)) {
    const answer = await fetch(`${url}/api/v1/channels`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ name: `channel ${ids.length}` }),
    });
    const body = (await answer.json()) as { data: { id: string } };
    if (!answer.ok) throw new Error(`creating a channel failed: ${JSON.stringify(body)}`);
    ids.push(body.data.id);
  }
  return ids;
}

/** A send to a channel, as a load. */
export const sendTo = ({ url }: Running, { key, busy }: Made, channelId: string): Load => ({
  method: 'POST',
  url: `${url}/api/v1/messages`,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  body: JSON.stringify({ channelId, serverId: busy.serverId, content: CONTENT }),
});

/** Sends for some seconds. Returns the cost to the server. */
export async function sendFor(server: Running, loads: readonly Load[], seconds: number): Promise<Cost> {
  const before = server.cpu();
  const figures = await generateAll(loads, seconds);
  const cpu = ((server.cpu() - before) / (figures.rate * seconds)) * 1e6;
  return { ...figures, cpu, memory: server.memory() / 2 ** 20 };
}

/** The medians of the rounds, as text. */
function lineOf(costs: readonly Cost[]): string {
  const of = (figure: keyof Cost) => median(costs.map((cost) => cost[figure]));
  const worst = Math.max(...costs.map(({ p99 }) => p99));
  return `${of('cpu').toFixed(1)} µs of CPU, ${Math.round(of('rate'))}/s, p99 ${of('p99').toFixed(1)} ms (worst ${worst.toFixed(1)}), ${Math.round(costs.at(-1)?.memory ?? 0)} MB`;
}
