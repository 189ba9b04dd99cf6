import assert from 'node:assert/strict';

import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, KeptClient, Site, test } from '../support/nodes.ts';
import { call, type Running, until } from '../support/process.ts';
import { assertFailed, listOf } from '../support/remote.ts';
import { seeded } from '../support/seeded.ts';

const random = seeded();

const ROUNDS = 2;
const CLIENTS = 10;
/**
 * A client's longest delay: short enough that requests are always in flight, long enough to leave the machine
 * time for other tests.
 */
const PAUSE_MS = 20;
/** How long a node that waits for another one to stop may take to exit, in addition to the time of a normal start. */
const REFUSED_MS = 8_000;

let site: Site;

/** A new database as environment variables for its nodes, with or without Valkey. */
async function newPlace(shared: boolean): Promise<{ DATABASE_URL: string; REDIS_URL: string }> {
  return { DATABASE_URL: await site.postgres.createDatabase(), REDIS_URL: shared ? site.valkey.url : '' };
}

/**
 * Asserts that a node exits soon with code 1 and one line that says why. `startMs` is the duration of a
 * successful start.
 */
async function assertRefused(
  environment: Record<string, string>,
  line: RegExp,
  startMs: number,
): Promise<void> {
  const { result, ms } = await timed(() => site.run(['start', '--port', '0'], environment));
  assertFailed(result, line);
  assert.ok(ms <= REFUSED_MS + startMs, `it took ${ms} ms, and a start ${startMs} ms`);
}

async function timed<T>(run: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const from = performance.now();
  const result = await run();
  return { result, ms: Math.round(performance.now() - from) };
}

const isReady = async (node: Running): Promise<boolean> =>
  (await call(node, 'GET', '/readyz')).status === 200;

before(async () => {
  site = await Site.open(0);
});
after(() => site?.close());

test(`three nodes that start at the same time on an empty database, ${ROUNDS} times, create one key`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const place = await newPlace(true);
    const nodes = await Promise.all([site.start(place), site.start(place), site.start(place)]);
    const keys = nodes.map(({ key }) => key).filter(Boolean);
    assert.equal(keys.length, 1, 'exactly one node prints a key');
    const [key] = keys as [string];
    for (const node of nodes) {
      assert.ok(await isReady(node));
      const [server, ...others] = await listOf(node, key, '/api/v1/servers');
      assert.deepEqual(others, []);
      const channels = await listOf(node, key, `/api/v1/servers/${server.id}/channels`);
      assert.deepEqual(
        channels.map(({ name }) => name),
        ['general'],
      );
      assert.doesNotMatch(node.log(), /"level":(50|60)/);
    }
    assert.deepEqual(await Promise.all(nodes.map((node) => node.end())), [0, 0, 0]);
  }
});

test('a node without REDIS_URL serves alone: another is refused, with or without REDIS_URL', async () => {
  const place = await newPlace(false);
  const { result: only, ms } = await timed(() => site.start(place));
  await assertRefused(place, /another node uses this database.*REDIS_URL/, ms);
  const shared = { ...place, REDIS_URL: site.valkey.url };
  await assertRefused(shared, /another node uses this database without REDIS_URL/, ms);
  assert.ok(await isReady(only));
  assert.equal((await call(only, 'GET', '/api/v1/servers', { key: only.key })).status, 200);
  assert.equal(await only.end(), 0);
});

test('a node without REDIS_URL is refused next to one with REDIS_URL', async () => {
  const shared = await newPlace(true);
  const { result: first, ms } = await timed(() => site.start(shared));
  await assertRefused({ ...shared, REDIS_URL: '' }, /another node uses this database.*REDIS_URL/, ms);
  assert.ok(await isReady(first));
  const second = await site.start(shared);
  assert.ok(await isReady(second));
  assert.deepEqual([await first.end(), await second.end()], [0, 0]);
});

test('a node without REDIS_URL can restart immediately after it was killed or stopped', async () => {
  const place = await newPlace(false);
  let node = await site.start(place);
  const { key, channelId } = node;
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
    const body = { channelId, content: `before ${signal}` };
    assert.equal((await call(node, 'POST', '/api/v1/messages', { key, body })).status, 200);
    await node.end(signal);
    node = await site.start(place);
    assert.ok(await isReady(node));
  }
  assert.equal((await listOf(node, key, `/api/v1/channels/${channelId}/messages`)).length, 3);
  assert.equal(await node.end(), 0);
});

test(`a node that stops while ${CLIENTS} clients send to it completes every request that it accepts; the others continue`, async () => {
  const place = await newPlace(true);
  const stopping = await site.start(place);
  const { key, channelId } = stopping;
  const staying = await Promise.all([site.start(place), site.start(place)]);
  let isOver = false;
  const contents: string[] = [];
  let moved = 0;

  /** Sends to the stopping node until it closes the connection, then to another. */
  const send = async (number: number): Promise<void> => {
    const client = new KeptClient(key);
    let node = stopping;
    for (let count = 0; !isOver; count++) {
      const content = `message ${number}.${count}`;
      const post = () =>
        client.call(node, 'POST', '/api/v1/messages', { channelId, content }, { 'idempotency-key': content });
      let answer = await post().catch(() => undefined);
      if (!answer) {
        // The node closed the connection before it read this request, so the request must have had no effect.
        assert.equal(node, stopping, 'the others respond to every request');
        node = staying[number % 2] as Running;
        moved++;
        answer = await post();
        assert.equal(
          answer.headers['idempotency-replayed'],
          undefined,
          'the write took effect without a response',
        );
      }
      assert.equal(answer.status, 200, answer.text);
      contents.push(content);
      await sleep(random.next() * PAUSE_MS);
    }
    client.close();
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => send(number)));
  clients.catch(() => {});
  await sleep(1_500);
  const code = await stopping.end();
  await sleep(1_000);
  isOver = true;
  await clients;
  assert.equal(code, 0, 'the stop ended before its timeout');
  assert.equal(moved, CLIENTS);
  const there = await listOf(staying[0], key, `/api/v1/channels/${channelId}/messages`);
  assert.deepEqual(there.map(({ content }) => content).sort(), contents.sort());
  for (const node of staying) assert.equal(await node.end(), 0);
});

test('a node that starts while Valkey is down serves alone until Valkey is back', async () => {
  const place = await newPlace(true);
  await site.valkey.kill();
  const node = await site.start(place);
  const valkeyOf = async () => (await call(node, 'GET', '/readyz')).body.checks.valkey;
  assert.ok(await isReady(node));
  assert.match(await valkeyOf(), /^not ok/);
  assert.equal((await call(node, 'GET', '/api/v1/servers', { key: node.key })).status, 200);
  await site.valkey.restart();
  await until(async () => (await valkeyOf()) === 'ok');
  assert.equal(await node.end(), 0);
});

test('a node that starts while the database is down waits for it, for a limited time', async () => {
  const place = await newPlace(true);
  await site.postgres.stop('fast');
  const child = await site.spawn(place);
  const refused = site.run(['start', '--port', '0'], {
    ...place,
    DATABASE_URL: 'postgres://palaver@127.0.0.1:1/palaver',
  });
  await sleep(3_000);
  assert.equal(child.exitCode, null);
  await site.postgres.start();
  const node = await site.listening(child);
  assert.ok(await isReady(node));
  assertFailed(await refused, /PostgreSQL cannot be reached/);
  assert.equal(await node.end(), 0);
});
