import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type RunningNode, startNode } from '../../server/src/node/node.ts';
import { until } from '../support/process.ts';
import { RawClient } from '../support/socket.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** Peers that count how often the node calls `leave`. */
function notedPeers() {
  const noted = { left: 0 };
  const join = async () => ({ leave: () => void noted.left++ });
  return { noted, join };
}

const ready = async ({ url }: RunningNode): Promise<[number, Json]> => {
  const { status, body } = await world.request('GET', `${url}/readyz`);
  return [status, body.ok];
};

test('a node that does not listen serves injected requests', async () => {
  const node = await startNode({ data: world.data });
  assert.equal(node.url, '');
  assert.equal(node.webhooks, undefined);
  assert.equal((await node.app.inject('/readyz')).statusCode, 200);
  await node.close();
});

test('a draining node is not ready, but still serves', async () => {
  const node = await startNode({ data: world.data, listen: {} });
  assert.deepEqual(await ready(node), [200, true]);
  const over = new AbortController();
  const drained = node.drain(60_000, over.signal);
  assert.deepEqual(await ready(node), [503, false]);
  const { status, headers } = await world.request('GET', `${node.url}/api/v1/servers`);
  assert.equal(status, 401);
  assert.equal(headers.get('connection'), 'close');
  over.abort();
  await drained;
  await assert.rejects(fetch(node.url), 'it still accepts connections');
  await node.close();
});

test('an idle connection stays open for longer than proxies keep theirs', async () => {
  const { headers } = await world.request('GET', `${world.url}/healthz`);
  const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? [];
  assert.ok(Number(seconds) > 120, `it is closed after ${seconds} s`);
});

/** Resolves with the text of the nth response on a connection, counted from 1. */
async function answerOf(client: RawClient, number: number): Promise<string> {
  const answers = () => client.received.split('HTTP/1.1 ');
  await until(() => /\r\n\r\n.*}/s.test(answers()[number] ?? ''));
  return answers()[number] as string;
}

const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const closes = /^connection: close\r$/im;

test('a draining node that accepts no new connections serves requests on open ones', async () => {
  const node = await startNode({ data: world.data, listen: {} });
  const clients = Array.from({ length: 5 }, () => new RawClient(node));
  for (const client of clients) {
    client.send(get);
    assert.doesNotMatch(await answerOf(client, 1), closes);
  }
  const drained = node.drain(1, new AbortController().signal);
  while (node.app.server.listening) await setImmediate();
  for (const client of clients) client.send(get);
  for (const client of clients) {
    const answer = await answerOf(client, 2);
    assert.match(answer, /^200 /);
    assert.match(answer, closes);
    await client.hungUp(20_000);
  }
  await drained;
  await node.close();
});

test('a response closes its connection even if its request started before the drain', async () => {
  const node = await startNode({ data: world.data, listen: {} });
  const server = await world.server(await world.user());
  const { key } = await world.client(server, ['canAdmin']);
  const client = new RawClient(node);
  const begun = once(node.app.server, 'request');
  const body = JSON.stringify({ serverId: server.id, name: 'begun' });
  client.send(
    `POST /api/v1/channels HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
  );
  await begun;
  const over = new AbortController();
  const drained = node.drain(60_000, over.signal);
  client.send(body.slice(1));
  const answer = await answerOf(client, 1);
  assert.match(answer, /^200 /);
  assert.match(answer, closes);
  await client.hungUp(20_000);
  over.abort();
  await drained;
  await node.close();
});

test('a response sent before the whole request has arrived does not close the connection', async () => {
  const node = await startNode({ data: world.data, listen: {} });
  const over = new AbortController();
  const drained = node.drain(60_000, over.signal);
  const client = new RawClient(node);
  client.send('POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n01234');
  const refusal = await answerOf(client, 1);
  assert.match(refusal, /^401 /);
  assert.doesNotMatch(refusal, closes);
  client.send(`56789${get}`);
  const answer = await answerOf(client, 2);
  assert.match(answer, /^200 /);
  assert.match(answer, closes);
  over.abort();
  await drained;
  await node.close();
});

test('a node closes everything that it has opened, once, and leaves open data open', async () => {
  const { noted, join } = notedPeers();
  const node = await startNode({
    data: world.data,
    join,
    listen: {},
    webhooks: {},
    upkeep: { eventDays: 30 },
  });
  assert.deepEqual(await ready(node), [200, true]);
  await Promise.all([node.close(), node.close()]);
  await node.close();
  assert.equal(noted.left, 1);
  await assert.rejects(fetch(node.url));
  assert.ok(await world.user(), 'the data is still open');
});

test('a node that cannot listen closes everything that it has opened', async () => {
  const { port } = new URL(world.url);
  const folder = mkdtempSync(join(tmpdir(), 'palaver-'));
  const { noted, join: joinPeers } = notedPeers();
  let isClosed = false;
  const starting = startNode({
    data: { data: folder },
    listen: { port: Number(port) },
    join(data) {
      const close = data.db.close.bind(data.db);
      data.db.close = async () => {
        await close();
        isClosed = true;
      };
      return joinPeers();
    },
  });
  await assert.rejects(starting, { code: 'EADDRINUSE' });
  assert.equal(noted.left, 1);
  assert.ok(isClosed);
  rmSync(folder, { recursive: true });
});

test("a client's open connection does not delay the close", async () => {
  const node = await startNode({ data: world.data, listen: {} });
  // `fetch` keeps the connection for the next request.
  assert.deepEqual(await ready(node), [200, true]);
  const started = performance.now();
  await node.close();
  assert.ok(performance.now() - started < 3_000);
});
