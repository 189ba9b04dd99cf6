import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONTENT } from './report.ts';

/**
 * A tenant that goes about its business, in a process of its own: `neighbour.ts ADDRESS CHANNEL KEY,KEY,…`. For each line of
 * standard input, a number of seconds, its members send messages and read pages at a steady rate, whether or not earlier
 * requests were answered. Then it prints the times as JSON: `{ send: [ms, …], read: [ms, …], refused: COUNT }`.
 */
const [address = '', channelId = '', list = ''] = process.argv.slice(2);
const keys = list.split(',');
/** Sends a second, and as many reads. */
const RATE = 25;
/** The longest wait for an answer, in milliseconds. */
const PATIENCE_MS = 60_000;

let turn = 0;
let refused = 0;

/** Milliseconds until the whole answer is there. */
async function timeOf(path: string, key: string, body?: object): Promise<number> {
  const started = performance.now();
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
  return performance.now() - started;
}

async function measure(seconds: number) {
  refused = 0;
  const send: Promise<number>[] = [];
  const read: Promise<number>[] = [];
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
