// @run sqlite: sends more than PostgreSQL takes in a few seconds
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';

const stage = new Stage();
after(() => stage.close());

const MESSAGES = 15_000;
/** The minimum size, in bytes, of the buffer for a message, which contains its body. */
const BODY_BYTES = 70;
/** Messages to send to warm up the code, and between two memory measurements. */
const WARM_UP = 3_000;
const ROUNDS = 8;
/**
 * The maximum number of bytes that outlive a send, on average. About 200 do, because one or two collections
 * of the young generation happen while sends are in flight. If garbage references later objects, about 4,000
 * do.
 */
const OUTLIVING_BYTES = 1_000;
/** The number of messages that are sent together, over one connection. */
const TOGETHER = 64;

/** A server's metric, found by the start of its line. */
async function figureOf(server: Running, name: string): Promise<number> {
  const { text } = await call(server, 'GET', '/metrics');
  const line = text.split('\n').find((each) => each.startsWith(name)) ?? '';
  assert.ok(line, name);
  return Number(line.split(' ').at(-1));
}

/** The bytes that Node holds outside its heap, for buffers. */
const outsideHeap = (server: Running) => figureOf(server, 'palaver_nodejs_external_memory_bytes');
/** The bytes that have survived garbage collections of the young generation. */
const old = (server: Running) => figureOf(server, 'palaver_nodejs_heap_space_size_used_bytes{space="old"}');

async function send({ url, key, channelId }: Running, amount: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ channelId, content: 'Hello' });
  const head = `POST /api/v1/messages HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  await once(socket, 'connect');
  for (let sent = 0; sent < amount; sent += TOGETHER) {
    socket.write((head + body).repeat(TOGETHER));
    for (let text = '', answered = 0; answered < TOGETHER; ) {
      const [piece] = await once(socket, 'data');
      text += piece;
      answered = text.split('HTTP/1.1 200 OK\r\n').length - 1;
    }
  }
  socket.destroy();
}

test('the bodies of messages do not accumulate in memory', async () => {
  const server = await stage.start(stage.folder(), { environment: { PALAVER_LOG_LEVEL: 'error' } });
  await send(server, MESSAGES / 5);
  const before = await outsideHeap(server);
  await send(server, MESSAGES);
  const grown = (await outsideHeap(server)) - before;
  assert.ok(grown < (MESSAGES * BODY_BYTES) / 2, `${grown} bytes more after ${MESSAGES} messages`);
  assert.equal(await server.end(), 0);
});

test('objects created by a send do not outlive it', async () => {
  const server = await stage.start(stage.folder(), { environment: { PALAVER_LOG_LEVEL: 'error' } });
  await send(server, WARM_UP);
  let [before, grown] = [await old(server), 0];
  for (let round = 0; round < ROUNDS; round++) {
    await send(server, WARM_UP);
    const now = await old(server);
    // A full collection may happen in between.
    grown += Math.max(0, now - before);
    before = now;
  }
  const messages = ROUNDS * WARM_UP;
  assert.ok(grown < messages * OUTLIVING_BYTES, `${grown} bytes more after ${messages} messages`);
  assert.equal(await server.end(), 0);
});
