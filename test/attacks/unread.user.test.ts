// @run sqlite: tests code that runs after all data is read
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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
const atServer = new Map<number, Socket>();
before(async () => {
  // A limit that is never reached. Without a limit, responses would have no rate limit headers.
  const limits = { '*': 0, query: 100_000 };
  world = await World.open({ bounds: { unreadMegabytes: MAX_MEGABYTES }, limits });
  world.app.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    atServer.set(remotePort as number, socket);
    socket.on('close', () => atServer.delete(remotePort as number));
  });
  scene = await Scene.open(world);
  thread = await scene.thread();
  const content = '🦈'.repeat(8_000);
  await Promise.all(Array.from({ length: 40 }, () => scene.message({ threadId: thread.id, content })));
});
after(() => world.close());

/** Requests the thread many times over one connection, all at once or with pauses, and reads nothing. */
async function neverRead(credential: string, times: number, pauseMs = 0): Promise<Socket> {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  const request = `GET /api/v1/threads/${thread.id} HTTP/1.1\r\nHost: x\r\n${credential}\r\n\r\n`;
  if (pauseMs === 0) socket.write(request.repeat(times));
  else
    for (let time = 0; time < times; time++) {
      socket.write(request);
      await sleep(pauseMs);
    }
  await until(() => socket.localPort !== undefined && atServer.has(socket.localPort));
  return socket;
}

const keyOf = ({ key }: Client): string => `Authorization: Bearer ${key}`;

/** A person who is a member of the scene's server, and so a tenant of their own. */
async function person(): Promise<Browser> {
  const user = await world.user();
  await world.member(scene.server, user);
  return Browser.of(world, user, scene.server);
}

const held = (): number => world.app.unread.bytes;

test('requests from a user who does not read are rejected until the user reads again; others are served', async () => {
  const greedy = await world.client(scene.server, ['canAdmin']);
  const sockets: Socket[] = [];
  let refused = await greedy.get(`/threads/${thread.id}`);
  while (refused.status === 200) {
    assert.ok(sockets.length < 60, `${sockets.length} connections hold ${held()} bytes`);
    sockets.push(await neverRead(keyOf(greedy), 6, 20));
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
  for (const socket of sockets) socket.destroy();
});

test("one server's agents are rejected at three quarters of the limit, and others are served", async () => {
  const sockets: Socket[] = [];
  const other = await person();
  let isRefused = false;
  for (let number = 0; number < 8 && !isRefused; number++) {
    const greedy = await world.client(scene.server, ['canAdmin']);
    for (let round = 0; round < 6; round++) sockets.push(await neverRead(keyOf(greedy), 6, 20));
    const next = await world.client(scene.server, ['canAdmin']);
    const refused = await next.get(`/threads/${thread.id}`);
    isRefused = refused.status === 429;
    if (isRefused) assert.match(refused.body.error.message, /^unreadMegabytes: /);
    dataOf(await other.api.get(`/threads/${thread.id}`));
  }
  assert.ok(isRefused);
  assert.ok(held() <= 3 * MAX_USER_BYTES + 6_000_000, `${held()} bytes`);
  for (const socket of sockets) socket.destroy();
  await until(() => held() === 0);
});

test('if several people do not read, only they lose connections', async () => {
  const sockets: { local: number; socket: Socket }[] = [];
  const reader = await person();
  let most = 0;
  for (let number = 0; number < 8; number++) {
    const { cookie } = await person();
    const credential = `Cookie: ${cookie}\r\nPalaver-Server: ${scene.server.id}`;
    for (let round = 0; round < 6; round++) {
      const socket = await neverRead(credential, 10);
      sockets.push({ local: socket.localPort as number, socket });
      dataOf(await reader.api.get(`/threads/${thread.id}`));
      most = Math.max(most, held());
    }
  }
  assert.ok(most <= MAX_MEGABYTES * 1024 * 1024, `${most} bytes`);
  const dropped = sockets.filter(({ local }) => !atServer.has(local));
  assert.ok(
    dropped.length > 0 && dropped.length < sockets.length,
    `${dropped.length} connections were closed`,
  );
  for (const { socket } of sockets) socket.destroy();
  await until(() => held() === 0);
});
