import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type RunningNode, startNode } from '../../server/src/node/node.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** Peers that count how often the node leaves them. */
function notedPeers() {
  const noted = { left: 0 };
  const join = async () => ({ leave: () => void noted.left++ });
  return { noted, join };
}

const ready = async ({ url }: RunningNode): Promise<[number, Json]> => {
  const { status, body } = await world.request('GET', `${url}/readyz`);
  return [status, body.ok];
};

test('a node that does not listen answers injected requests', async () => {
  const node = await startNode({ data: world.data });
  assert.equal(node.url, '');
  assert.equal(node.webhooks, undefined);
  assert.equal((await node.app.inject('/readyz')).statusCode, 200);
  await node.close();
});

test('a draining node is not ready, but still serves', async () => {
  const node = await startNode({ data: world.data, listen: {} });
  assert.deepEqual(await ready(node), [200, true]);
  node.drain();
  assert.deepEqual(await ready(node), [503, false]);
  const { status, headers } = await world.request('GET', `${node.url}/api/v1/servers`);
  assert.equal(status, 401);
  assert.equal(headers.get('connection'), 'close');
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
  assert.ok(await world.user(), 'the data are still open');
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
