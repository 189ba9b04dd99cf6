import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';
import { Stalls } from '../support/stalls.ts';

/** Concurrent responses that nobody reads. */
const THREAD_READERS = 60;
const DOCUMENT_READERS = 300;
/** Pipelined requests for the document on each such connection. */
const PIPELINED = 12;
/** The maximum duration of a health check while responses are unread, in ms. */
const MAX_HEALTH_MS = 3_000;
const MAX_GROWTH_MB = 400;
const WATCHED_MS = 4_000;

const stage = new Stage();
after(() => stage.close());

/** Sends one or more requests, and never reads the responses. */
function neverRead({ url }: Running, path: string, headers: string, times: number): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`.repeat(times));
  return socket;
}

/** The server's resident memory, in MB. */
async function memory(server: Running): Promise<number> {
  const { text } = await call(server, 'GET', '/metrics');
  return Number(/^palaver_process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1e6;
}

/** Asserts that `amount` requests whose responses are not read barely affect other clients. */
async function assertHarmless(
  t: TestContext,
  server: Running,
  amount: number,
  path: string,
  { headers = '', times = 1 } = {},
): Promise<void> {
  const before = await memory(server);
  const sockets = Array.from({ length: amount }, () => neverRead(server, path, headers, times));
  const end = performance.now() + WATCHED_MS;
  const stalls = new Stalls(server.child.pid as number);
  let slowest = 0;
  while (performance.now() < end) {
    const from = performance.now();
    assert.equal((await call(server, 'GET', '/healthz')).status, 200);
    slowest = Math.max(slowest, performance.now() - from - stalls.since(from));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  stalls.stop();
  const growth = (await memory(server)) - before;
  for (const socket of sockets) socket.destroy();
  t.diagnostic(`slowest /healthz ${slowest.toFixed(0)} ms, memory +${growth.toFixed(0)} MB`);
  assert.ok(slowest < MAX_HEALTH_MS, `/healthz took ${slowest} ms`);
  assert.ok(growth < MAX_GROWTH_MB, `the server grew by ${growth} MB`);
}

test('unread responses with a large thread do not affect other clients', async (t) => {
  const server = await stage.start(stage.folder());
  const { key, channelId } = server;
  const thread = await call(server, 'POST', '/api/v1/threads', { key, body: { channelId } });
  const threadId = thread.body.data.id;
  const body = { threadId, content: '🦈'.repeat(8_000) };
  const reply = () => call(server, 'POST', '/api/v1/messages', { key, body });
  for (let batch = 0; batch < 20; batch++) await Promise.all(Array.from({ length: 50 }, reply));
  const authorization = `Authorization: Bearer ${key}\r\n`;
  await assertHarmless(t, server, THREAD_READERS, `/api/v1/threads/${threadId}`, { headers: authorization });
});

test('unread documents do not affect other clients', async (t) => {
  const server = await stage.start(stage.folder());
  await assertHarmless(t, server, DOCUMENT_READERS, '/openapi.json', { times: PIPELINED });
});
