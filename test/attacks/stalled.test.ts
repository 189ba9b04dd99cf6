// @run sqlite, waits: tests code that runs after all data is read; waits for time to pass
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/process.ts';
import { World } from '../support/world.ts';

/** A client that reads nothing is disconnected after this minimum, and before this maximum plus a grace period. */
const MIN_STALL_MS = 14_000;
const MAX_STALL_MS = 30_000;
const GRACE_MS = 6_000;
/** The number of documents, which together exceed the operating system's buffers for a connection. */
const ANSWERS = 120;

let world: World;
/** The size of the requested document. */
let size: number;
const atServer = new Map<number, Socket>();
before(async () => {
  world = await World.open();
  world.app.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    atServer.set(remotePort as number, socket);
    socket.on('close', () => atServer.delete(remotePort as number));
  });
  // Generating the document takes a while, which must not count towards the client's time limit.
  size = (await (await fetch(`${world.url}/openapi.json`)).arrayBuffer()).byteLength;
});
after(() => world.close());

/** Requests the OpenAPI document many times over one connection, then sends `more`. Does not read responses yet. */
async function ask(more = ''): Promise<{ client: Socket; isOpen(): boolean }> {
  const { hostname, port } = new URL(world.url);
  const client = connect(Number(port), hostname).pause();
  client.on('error', () => {});
  client.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(ANSWERS) + more);
  await until(() => client.localPort !== undefined && atServer.has(client.localPort));
  const local = client.localPort as number;
  return { client, isOpen: () => atServer.has(local) };
}

/** Reads one batch of chunks every two seconds until well past the stall limit. */
async function readSlowly(client: Socket): Promise<void> {
  const from = performance.now();
  while (performance.now() - from < MAX_STALL_MS + GRACE_MS) {
    for (let chunk = 0; chunk < 8; chunk++) {
      client.resume();
      await sleep(20);
    }
    await sleep(2_000);
  }
}

describe('after responses, a client', { concurrency: true }, () => {
  test('that reads nothing for 30 seconds is disconnected', async () => {
    const { client, isOpen } = await ask();
    const from = performance.now();
    await until(() => !isOpen(), MAX_STALL_MS + GRACE_MS);
    const took = performance.now() - from;
    assert.ok(took >= MIN_STALL_MS, `it was disconnected after ${took} ms`);
    client.destroy();
  });

  test('that reads slowly is served to the end', async () => {
    const { client, isOpen } = await ask();
    let bytes = 0;
    client.on('data', (chunk) => {
      bytes += chunk.length;
      client.pause();
    });
    await readSlowly(client);
    assert.ok(isOpen(), 'it was disconnected');
    const before = bytes;
    client.removeAllListeners('data');
    client.on('data', (chunk) => {
      bytes += chunk.length;
    });
    client.resume();
    await until(() => bytes > ANSWERS * size);
    assert.ok(before < ANSWERS * size, 'it had read everything before the stall limit');
    client.destroy();
  });

  test('that resumes reading after a pause keeps its connection while it waits for events', async () => {
    const { key } = await world.client(await world.server(await world.user()), ['canAdmin']);
    const last = (await world.as(key).get('/events?limit=100')).body.nextCursor;
    const poll = `GET /api/v1/events?after=${last}&wait=40 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const { client } = await ask(poll);
    await sleep(6_000);
    let end = '';
    client.on('data', (chunk) => {
      end = (end + chunk.toString('latin1')).slice(-1_000);
    });
    client.resume();
    await until(() => end.includes('"nextCursor"'), 60_000);
    client.destroy();
  });

  test('that has read everything keeps its connection, even while it waits for events', async () => {
    const owner = await world.client(await world.server(await world.user()), ['canAdmin']);
    const { body } = await owner.get('/events?limit=100');
    const from = performance.now();
    const answer = await owner.get(`/events?after=${body.nextCursor}&wait=40`);
    assert.equal(answer.status, 200);
    assert.ok(performance.now() - from >= 39_000);
  });
});
