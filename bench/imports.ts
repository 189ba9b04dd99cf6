import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUser } from '../server/src/cli/records/user.ts';
import { openData } from '../server/src/node/data.ts';
import { change } from '../server/src/resources/change.ts';
import { makeNeighbour } from './flowData.ts';
import { LOAD_CORE } from './load.ts';
import { GOAL, isServed, Neighbour, shown } from './neighbours.ts';
import { cpuOf, type Running } from './processes.ts';
import { keep, machine, optionOf, quick, say } from './report.ts';
import { writeSlack } from './slackData.ts';
import { startOn } from './stage.ts';

const MESSAGES = Number(optionOf('--messages') ?? (quick ? 50_000 : 500_000));
/** Seconds per measurement of the other server. */
const SECONDS = quick ? 10 : 30;
const GOALS = { seconds: 60, megabytes: 100 };

/** Measures the import of a Slack export into the data of a stopped server, then through a running one. */
export async function measureImports(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  try {
    const archive = join(folder, 'slack.zip');
    writeSlack(archive, MESSAGES);
    const data = join(folder, 'data');
    const first = await startOn({ folder: data, database: '' });
    const [key = ''] = /sk_live_\w+/.exec(first.output) ?? [];
    await first.stop();
    const neighbour = await withData(data);
    const stopped = await importInto(['--new-server', 'Stopped', '--data', data], archive);
    say(lineOf('stopped', stopped));
    const node = await startOn({ folder: data, database: '' });
    try {
      const lines = await besideOther(node, { key, archive, neighbour });
      keep('Import', [
        `${machine}, load average ${loadavg()[0]?.toFixed(1)}. ${MESSAGES.toLocaleString('en')} Slack messages with ${(MESSAGES / 5).toLocaleString('en')} reactions. Times include the dry run.`,
        '',
        lineOf('Into the data of a stopped server', stopped),
        ...lines,
      ]);
    } finally {
      await node.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const lineOf = (place: string, { seconds, cpu, megabytes }: Cost): string =>
  `${place}: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, at most ${megabytes.toFixed(0)} MB. Goal: ${GOALS.seconds} s.`;

async function withData(folder: string): Promise<{ channelId: string; keys: string[] }> {
  const data = await openData({ data: folder });
  try {
    const owner = await change(data, (work) => createUser(work, { username: 'importer' }));
    return await change(data, (work) => makeNeighbour(work, owner.id));
  } finally {
    await data.db.close();
  }
}

interface Cost {
  seconds: number;
  /** Seconds. */
  cpu: number;
  /** Peak resident memory. */
  megabytes: number;
}

/** Runs `palaver import`. */
async function importInto(args: readonly string[], archive: string, environment = {}): Promise<Cost> {
  const palaver = join(import.meta.dirname, '../server/bin/palaver.js');
  const all = [palaver, 'import', archive, '--from', 'slack', '--owner', 'importer', '--json', ...args];
  const from = performance.now();
  const child = spawn('taskset', ['-c', LOAD_CORE, process.execPath, ...all], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const cost = { cpu: 0, megabytes: 0 };
  const watching = setInterval(() => {
    cost.cpu = cpuOf(child.pid as number);
    cost.megabytes = mostMemoryOf(child.pid as number) ?? cost.megabytes;
  }, 100);
  const [code] = await once(child, 'exit');
  clearInterval(watching);
  const { messages } = JSON.parse(output);
  if (code !== 0 || messages.written !== MESSAGES) throw new Error(`exit status ${code}: ${output}`);
  return { ...cost, seconds: (performance.now() - from) / 1_000 };
}

/** The peak memory of a process in MB; undefined if it has ended. */
function mostMemoryOf(pid: number): number | undefined {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1_024) / 1e6;
}

/** Imports through a node while another server is used. */
async function besideOther(
  node: Running,
  {
    key,
    archive,
    neighbour,
  }: { key: string; archive: string; neighbour: { channelId: string; keys: string[] } },
): Promise<string[]> {
  const other = new Neighbour(node, neighbour);
  try {
    await other.measure(2);
    const alone = await other.measure(SECONDS);
    const before = node.memory() / 1e6;
    const imported = importInto(['--new-server', 'Running', '--url', node.url], archive, {
      PALAVER_KEY: key,
    });
    let isDone = false;
    let most = before;
    const watching = (async () => {
      for (; !isDone; await sleep(100)) most = Math.max(most, node.memory() / 1e6);
    })();
    const during = await other.measure(SECONDS);
    const { seconds } = await imported;
    isDone = true;
    await watching;
    const more = most - before;
    const row = (kind: 'send' | 'read') => `| ${kind} | ${shown(alone[kind])} | ${shown(during[kind])} |`;
    return [
      `Through a running server: ${seconds.toFixed(1)} s; the node's memory grew by ${more.toFixed(0)} MB. Goal: ${GOALS.megabytes} MB.`,
      '',
      "| Other server's request | Alone, p50 / p99 in ms | During the import |",
      '|---|---|---|',
      row('send'),
      row('read'),
      '',
      `Goal: the p99 of sends is at most ${GOAL.ratio} times as long, or ${GOAL.moreMs} ms longer: ${isServed(alone, during) ? 'met' : 'missed'}.`,
    ];
  } finally {
    other.leave();
  }
}
