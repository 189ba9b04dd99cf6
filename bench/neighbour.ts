import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitedMs } from './processes.ts';
import { CONTENT } from './report.ts';

/**
 * A well-behaved tenant, in its own process: `neighbour.ts ADDRESS PID CHANNEL KEY,KEY,…`, where PID is the node's
 * process id. Each line on standard input is a number of seconds, for which its members send messages and read pages
 * at a steady rate, whether or not earlier requests have completed. It then prints a Report as JSON.
 */
const [address = '', pid = '', channelId = '', list = ''] = process.argv.slice(2);
const keys = list.split(',');
/** Sends per second, and reads per second. */
const RATE = 25;
/** Request timeout, in milliseconds. */
const PATIENCE_MS = 60_000;

/** The time of a request, in milliseconds, until the response is complete. */
interface Time {
  ms: number;
  /** Excludes the time that the node or this process waited for a core, whichever is longer. */
  net: number;
}

/** The times of all requests, and how many requests were rejected or got no response. */
export interface Report {
  send: Time[];
  read: Time[];
  refused: number;
}

let turn = 0;
let refused = 0;

async function timeOf(path: string, key: string, body?: object): Promise<Time> {
  const started = performance.now();
  const waited = { node: waitedMs(pid), own: waitedMs('self') };
  try {
    const answer = await fetch(`${address}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) refused++;
  } catch {
    refused++;
  }
  const ms = performance.now() - started;
  const lost = Math.max(waitedMs(pid) - waited.node, waitedMs('self') - waited.own);
  return { ms, net: Math.max(0, ms - lost) };
}

async function measure(seconds: number): Promise<Report> {
  refused = 0;
  const send: Promise<Time>[] = [];
  const read: Promise<Time>[] = [];
  const start = performance.now();
  for (let index = 0; index < seconds * RATE; index++) {
    const due = start + (index * 1_000) / RATE;
    await sleep(Math.max(0, due - performance.now()));
    const key = keys[turn++ % keys.length] as string;
    send.push(timeOf('/messages', key, { channelId, content: CONTENT }));
    await sleep(500 / RATE);
    read.push(timeOf(`/channels/${channelId}/messages`, key));
  }
  const times = { send: await Promise.all(send), read: await Promise.all(read) };
  return { ...times, refused };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await measure(Number(line)))}\n`);
}
