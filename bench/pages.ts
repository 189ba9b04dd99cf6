import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from './manyKeys.ts';
import { waitedMs } from './processes.ts';
import { percentile } from './report.ts';

/**
 * Reads pages and changes permissions, in its own process: `pages.ts ADDRESS PID FILE`, where PID is the
 * node's process id and FILE contains tenants as JSON. For each line `SECONDS CHANGES` on standard input, it
 * reads pages at a steady rate with keys of many tenants, and changes that many roles per second, cycling
 * through the tenants. It then prints a `PageTimes` as JSON.
 */
const [address = '', pid = '', file = ''] = process.argv.slice(2);
const tenants: Tenant[] = JSON.parse(readFileSync(file, 'utf8'));
/** Pages per second. */
const RATE = 50;

/** Times in milliseconds. */
export interface PageTimes {
  p50: number;
  p99: number;
  /** The 99th percentile, without the time that the node or this process waited for its core. */
  net: number;
  longest: number;
}

let pages = 0;
let changes = 0;

async function call(method: string, path: string, key: string, body?: object): Promise<void> {
  const answer = await fetch(`${address}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${method} ${path} returned ${answer.status}`);
}

async function readPage(): Promise<{ ms: number; net: number }> {
  const { channelId, keys } = tenants[(pages++ * 7) % tenants.length] as Tenant;
  const started = performance.now();
  const before = [waitedMs(pid), waitedMs('self')] as const;
  await call('GET', `/channels/${channelId}/messages`, (keys[0] as Tenant['keys'][0]).key);
  const ms = performance.now() - started;
  return { ms, net: ms - Math.max(waitedMs(pid) - before[0], waitedMs('self') - before[1]) };
}

/** Toggles a role's flag, cycling through the tenants. */
function changeRights(): Promise<void> {
  const { admin, roleId } = tenants[(changes * 13) % tenants.length] as Tenant;
  const canModerate = Math.floor(changes++ / tenants.length) % 2 === 0;
  return call('PATCH', `/roles/${roleId}`, admin, { canModerate });
}

/** Calls `task` at a rate per second, whether or not earlier calls have completed. */
async function each<T>(rate: number, seconds: number, task: () => Promise<T>): Promise<T[]> {
  const running: Promise<T>[] = [];
  const start = performance.now();
  for (let index = 0; index < rate * seconds; index++) {
    await sleep(Math.max(0, start + (index * 1_000) / rate - performance.now()));
    running.push(task());
  }
  return Promise.all(running);
}

for await (const line of createInterface({ input: process.stdin })) {
  const [seconds = 0, rate = 0] = line.split(' ').map(Number);
  const [times] = await Promise.all([each(RATE, seconds, readPage), each(rate, seconds, changeRights)]);
  const at = (part: number, of: 'ms' | 'net') =>
    percentile(
      times.map((time) => time[of]),
      part,
    );
  const shown: PageTimes = {
    p50: at(0.5, 'ms'),
    p99: at(0.99, 'ms'),
    net: at(0.99, 'net'),
    longest: at(1, 'ms'),
  };
  process.stdout.write(`${JSON.stringify(shown)}\n`);
}
