import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Tests how much work one tenant can cause in one turn of the event loop. The node runs in this process, so these
// tests can observe its turns.

const AT_ONCE = 60;
const DOCUMENTS = 100;
/** The number of requests for the document per connection. The responses exceed the operating system's buffers. */
const PIPELINED = 16;
const STREAMS = 300;
const MB = 1024 * 1024;

let world: World;
let scene: Scene;
let hostile: Client;
let neighbour: Client;
let neighbourPath: string;
let thread: Json;
/** The number of large responses that the node has created. */
let made = 0;
/** The node's sockets, by the client's port. */
const atServer = new Map<number, Socket>();
before(async () => {
  world = await World.open({ bounds: { streamsPerUser: STREAMS } });
  world.app.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    atServer.set(remotePort as number, socket);
    socket.on('close', () => atServer.delete(remotePort as number));
  });
  const { unread } = world.app;
  const add = unread.add.bind(unread);
  unread.add = (reply, answer) => {
    if (answer.length > MB / 2) made++;
    return add(reply, answer);
  };
  scene = await Scene.open(world);
  hostile = await world.client(scene.server, ['canAdmin']);
  const other = await Scene.open(world);
  neighbour = other.admin;
  neighbourPath = `/channels/${(await other.channel()).id}/messages`;
  thread = await scene.thread();
  const content = '🦈'.repeat(8_000);
  await Promise.all(Array.from({ length: 100 }, () => scene.message({ threadId: thread.id, content })));
});
after(() => world.close());

/** Opens connections. Returns both sides of each, once the node has accepted it. */
async function connections(amount: number): Promise<{ client: Socket; server: Socket }[]> {
  const { hostname, port } = new URL(world.url);
  const clients = Array.from({ length: amount }, () =>
    connect(Number(port), hostname)
      .pause()
      .on('error', () => {}),
  );
  await until(() => clients.every(({ localPort = 0 }) => atServer.has(localPort)));
  return clients.map((client) => ({ client, server: atServer.get(client.localPort as number) as Socket }));
}

/** Closes connections, and resolves once the node has closed them too. */
async function close(sockets: { client: Socket; server: Socket }[]): Promise<void> {
  for (const { client } of sockets) client.destroy();
  await until(() => sockets.every(({ server }) => server.closed));
}

const requestOf = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hostile.key}\r\n${headers}\r\n`;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The bytes that the node has written to each of its connections, or queued. */
const written = () => new Map([...atServer.values()].map((socket) => [socket, socket.bytesWritten]));

/**
 * The number of connections that the node wrote to, and the number of bytes, in each turn of the event loop until
 * `isOver`.
 */
async function watch(isOver: () => boolean): Promise<{ connections: number; bytes: number }[]> {
  const turns: { connections: number; bytes: number }[] = [];
  let earlier = written();
  while (!isOver()) {
    await nextTurn();
    const now = written();
    const bytes = [...now].map(([socket, amount]) => amount - (earlier.get(socket) ?? 0));
    turns.push({
      connections: bytes.filter((more) => more > 0).length,
      bytes: bytes.reduce((a, b) => a + b, 0),
    });
    earlier = now;
  }
  return turns;
}

const most = (amounts: number[]) => amounts.reduce((one, other) => Math.max(one, other), 0);

for (const [what, pathOf] of [
  ['thread', () => `/threads/${thread.id}`],
  ['page of messages', () => `/channels/${thread.channelId}/messages?limit=100`],
] as const) {
  test(`a short read is served between ${AT_ONCE} reads from a large ${what}`, async () => {
    const sockets = await connections(AT_ONCE);
    const before = made;
    for (const { client } of sockets) client.write(requestOf(`/api/v1${pathOf()}`));
    dataOf(await neighbour.get(neighbourPath));
    const first = made - before;
    assert.ok(first < AT_ONCE / 2, `${first} large responses were created before a short one`);
    await until(() => made - before >= AT_ONCE, 120_000);
    await close(sockets);
  });
}

test('large responses are written in chunks, a few per turn of the event loop', async () => {
  const sockets = await connections(DOCUMENTS);
  for (const { client } of sockets) client.write(requestOf('/openapi.json').repeat(PIPELINED));
  const size = (await (await fetch(`${world.url}/openapi.json`)).arrayBuffer()).byteLength;
  // The unread connections fill up, and one is read to its end.
  let read = 0;
  sockets[0]?.client
    .on('data', (bytes) => {
      read += bytes.length;
    })
    .resume();
  const turns = await watch(() => read > PIPELINED * size);
  const bytes = most(turns.map((turn) => turn.bytes));
  assert.ok(bytes < MB, `${bytes} bytes were written in one turn`);
  await close(sockets);
});

test(`${STREAMS} streams open one after another, and receive an event in batches`, async () => {
  const sockets = await connections(STREAMS);
  for (const { client } of sockets) {
    client.resume().write(requestOf('/api/v1/events', 'Accept: text/event-stream\r\n'));
  }
  const opened = await watch(() => sockets.every(({ server }) => server.bytesWritten > 0));
  const openedAtOnce = most(opened.map(({ connections }) => connections));
  assert.ok(openedAtOnce <= STREAMS / 10, `${openedAtOnce} streams opened in one turn`);

  const earlier = written();
  const sent = scene.message({ content: 'Hello' });
  const told = await watch(() =>
    sockets.every(({ server }) => server.bytesWritten > (earlier.get(server) as number)),
  );
  await sent;
  const toldAtOnce = most(told.map(({ connections }) => connections));
  // The maximum includes the response to the message, and heartbeats.
  assert.ok(
    toldAtOnce > 10 && toldAtOnce <= STREAMS / 2,
    `${toldAtOnce} streams received the event in one turn`,
  );
  await close(sockets);
});
