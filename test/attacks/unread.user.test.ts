// @run sqlite: tests code that runs after all data is read
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

/** The limit on unread responses for this world, and for one user in it. */
const MAX_MEGABYTES = 64;
const MAX_USER_BYTES = (MAX_MEGABYTES * 1024 * 1024) / 4;

let world: World;
let scene: Scene;
let thread: Json;
/** Open connections and their responses, by the client's port. */
const atServer = new Map<number, { socket: Socket; responses: ServerResponse[] }>();
/** The local ports of the clients' sockets, which Node forgets when they close. */
const portOf = new WeakMap<Socket, number>();

before(async () => {
  // A limit that is never reached. Without a limit, responses would have no rate limit headers.
  const limits = { '*': 0, query: 100_000 };
  world = await World.open({ bounds: { unreadMegabytes: MAX_MEGABYTES }, limits });
  world.app.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort as number;
    atServer.set(port, { socket, responses: [] });
    socket.on('close', () => atServer.delete(port));
  });
  world.app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) =>
    atServer.get(socket.remotePort as number)?.responses.push(response),
  );
  scene = await Scene.open(world);
  thread = await scene.thread();
  const content = '🦈'.repeat(8_000);
  await Promise.all(Array.from({ length: 40 }, () => scene.message({ threadId: thread.id, content })));
});
after(() => world.close());

/** Requests the thread many times over one connection, all at once or one by one, and reads nothing. */
async function neverRead(credential: string, times: number, isOneByOne = false): Promise<Socket> {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  await once(socket, 'connect');
  const local = socket.localPort as number;
  portOf.set(socket, local);
  const request = `GET /api/v1/threads/${thread.id} HTTP/1.1\r\nHost: x\r\n${credential}\r\n\r\n`;
  if (!isOneByOne) socket.write(request.repeat(times));
  else
    for (let sent = 1; sent <= times; sent++) {
      socket.write(request);
      await until(() => isHandled(local, sent));
    }
  await until(() => atServer.has(local));
  return socket;
}

/** Whether the server has handled all requests on a connection, or has stopped reading from it. */
function isHandled(port: number, sent: number): boolean {
  const connection = atServer.get(port);
  if (connection === undefined) return false;
  const { socket, responses } = connection;
  const isRead = responses.length === sent || socket.isPaused();
  return isRead && responses.every(({ headersSent }) => headersSent);
}

const keyOf = ({ key }: Client): string => `Authorization: Bearer ${key}`;

/** A person who is a member of the scene's server, and so a tenant of their own. */
async function person(): Promise<Browser> {
  const user = await world.user();
  await world.member(scene.server, user);
  return Browser.of(world, user, scene.server);
}

/** Closes the connections of a test and waits until none of its responses count. */
async function closeAll(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await until(() => held() === 0);
}

const held = (): number => world.app.unread.bytes;

test('requests from a user who does not read are rejected until the user reads again; others are served', async (t) => {
  const greedy = await world.client(scene.server, ['canAdmin']);
  const sockets: Socket[] = [];
  t.after(() => closeAll(sockets));
  let refused = await greedy.get(`/threads/${thread.id}`);
  while (refused.status === 200) {
    assert.ok(sockets.length < 60, `${sockets.length} connections hold ${held()} bytes`);
    sockets.push(await neverRead(keyOf(greedy), 6, true));
    refused = await greedy.get(`/threads/${thread.id}`);
  }
  assertRefused(refused, 'RATE_LIMITED', 'unread');
  assert.ok(refused.body.error.message.startsWith('unreadMegabytes: '));
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  for (const header of ['ratelimit', 'ratelimit-policy'])
    assert.match(refused.headers.get(header) ?? '', /^"query";/, header);
  assert.ok(held() >= MAX_USER_BYTES && held() < MAX_USER_BYTES + 2_000_000, `${held()} bytes`);
  assertRefused(await greedy.post('/channels', { name: 'no' }), 'RATE_LIMITED', 'a write');

  const other = await world.client(scene.server, ['canEditData']);
  dataOf(await other.get(`/threads/${thread.id}`));

  for (const socket of sockets) socket.on('data', () => {}).resume();
  await until(() => held() === 0);
  dataOf(await greedy.get(`/threads/${thread.id}`));
});

test("one server's agents are rejected at three quarters of the limit, and others are served", async (t) => {
  const sockets: Socket[] = [];
  t.after(() => closeAll(sockets));
  const other = await person();
  let isRefused = false;
  for (let number = 0; number < 8 && !isRefused; number++) {
    const greedy = await world.client(scene.server, ['canAdmin']);
    for (let round = 0; round < 6; round++) sockets.push(await neverRead(keyOf(greedy), 6, true));
    const next = await world.client(scene.server, ['canAdmin']);
    const refused = await next.get(`/threads/${thread.id}`);
    isRefused = refused.status === 429;
    if (isRefused) assert.match(refused.body.error.message, /^unreadMegabytes: /);
    dataOf(await other.api.get(`/threads/${thread.id}`));
  }
  assert.ok(isRefused);
  assert.ok(held() <= 3 * MAX_USER_BYTES + 6_000_000, `${held()} bytes`);
});

test('if several people do not read, only they lose connections', async (t) => {
  const sockets: Socket[] = [];
  t.after(() => closeAll(sockets));
  const reader = await person();
  let most = 0;
  for (let number = 0; number < 8; number++) {
    const { cookie } = await person();
    const credential = `Cookie: ${cookie}\r\nPalaver-Server: ${scene.server.id}`;
    for (let round = 0; round < 6; round++) {
      sockets.push(await neverRead(credential, 10));
      dataOf(await reader.api.get(`/threads/${thread.id}`));
      most = Math.max(most, held());
    }
  }
  assert.ok(most <= MAX_MEGABYTES * 1024 * 1024, `${most} bytes`);
  const dropped = sockets.filter((socket) => !atServer.has(portOf.get(socket) as number));
  assert.ok(
    dropped.length > 0 && dropped.length < sockets.length,
    `${dropped.length} connections were closed`,
  );
});
