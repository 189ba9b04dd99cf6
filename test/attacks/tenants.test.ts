import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addMembers, giveAll } from '../support/crowds.ts';
import { Hostile, inParallel } from '../support/hostile.ts';
import { fillChannel } from '../support/messages.ts';
import { call, type Running, Stage, until } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import { Scene } from '../support/scene.ts';
import { Stalls } from '../support/stalls.ts';
import { World } from '../support/world.ts';

// One tenant is hostile at default limits, while another one with its own server continues to work. `npm run bench
// -- --tenants` measures more attacks, for longer.

/** The default limits on requests per person and minute. */
const SENDS = 30;
const READS = 60;
const WRITES = 60;
const DEPENDENTS = 5_000;
const WEBHOOKS = 20;
const STREAMS = 240;
const WATCHED_MS = 1_500;
/**
 * Limits the other tenant to 50 rounds a second, so it stays within its members' rate limits on a fast
 * machine.
 */
const PAUSE_MS = 20;
const MEMBERS = 100;

const stage = new Stage();
let server: Running;
let receiver: Receiver;
/** The other tenant: its channel, and its members' keys. Each key stays below the limits. */
let other: { channelId: string; keys: string[] };
/** Keys of the hostile tenant's users, one per test, and the records that they use. */
let people: string[];
let hostileChannelId: string;
let appId: string;
let doomed: string[];

before(async () => {
  receiver = await Receiver.open();
  const folder = stage.folder();
  const world = await World.open({ place: await stage.place(folder) });
  const home = await Scene.open(world);
  const members = Array.from({ length: MEMBERS }, () =>
    world.client(home.server, ['canEditData', 'canViewData']),
  );
  const keys = (await Promise.all(members)).map(({ key }) => key);
  other = { channelId: (await home.channel()).id, keys };

  const scene = await Scene.open(world);
  const administrators = Array.from({ length: 10 }, () => world.client(scene.server, ['canAdmin']));
  people = (await Promise.all(administrators)).map(({ key }) => key);
  hostileChannelId = (await scene.channel()).id;
  appId = (await scene.app({ meta: ['x'.repeat(60_000)] })).id;
  const channel = await scene.channel();
  await fillChannel(world, channel, scene.owner.id, DEPENDENTS);
  const role = await scene.role();
  await giveAll(world, role, await addMembers(world, scene.server.id, DEPENDENTS));
  doomed = [`/channels/${channel.id}`, `/roles/${role.id}`];
  await world.close();
  server = await stage.start(folder, {
    environment: { PALAVER_LIMITS: '', PALAVER_PRIVATE_WEBHOOKS: 'true' },
  });
});
after(async () => {
  await stage.close();
  await receiver.close();
});

let turn = 0;

/**
 * Runs rounds for the other tenant until `over` resolves. Returns their latencies in ms, minus stalls of the machine.
 */
async function othersUntil(over: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const done = over.finally(() => {
    isOver = true;
  });
  const stalls = new Stalls(server.child.pid as number);
  const times: number[] = [];
  while (!isOver || times.length < 20) {
    const from = performance.now();
    const key = other.keys[turn++ % other.keys.length] as string;
    const { channelId } = other;
    const body = { channelId, content: 'Good morning' };
    const sent = await call(server, 'POST', '/api/v1/messages', { key, body });
    const page = await call(server, 'GET', `/api/v1/channels/${channelId}/messages`, { key });
    assert.deepEqual([sent.status, page.status], [200, 200], sent.text);
    assert.equal(page.body.data[0].id, sent.body.data.id);
    times.push(performance.now() - from - stalls.since(from));
    await sleep(PAUSE_MS);
  }
  stalls.stop();
  await done;
  return times.sort((one, another) => one - another);
}

const typical = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.9)] as number;

/**
 * Asserts that the 90th percentile of the other tenant's latency is about the same during `act` as alone,
 * with a wide margin.
 */
async function assertUnmoved(t: TestContext, act: () => Promise<unknown>): Promise<void> {
  const alone = typical(await othersUntil(sleep(WATCHED_MS)));
  const beside = await othersUntil(Promise.all([act(), sleep(WATCHED_MS)]));
  const times = `${typical(beside).toFixed(1)} ms, and ${alone.toFixed(1)} ms alone; the slowest ${beside.at(-1)?.toFixed(1)} ms`;
  t.diagnostic(times);
  assert.ok(typical(beside) < 150 + 10 * alone, times);
}

const send = (hostile: Hostile, key: string) =>
  hostile.ask('POST', '/messages', key, { channelId: hostileChannelId, content: 'spam' });

test("a tenant that uses up all of its limits does not affect other tenants' limits", async (t) => {
  const hostile = new Hostile(server);
  const key = people.pop() as string;
  await assertUnmoved(t, async () => {
    await Promise.all([
      inParallel(2 * SENDS, 2 * SENDS, () => send(hostile, key)),
      hostile.getAtOnce(2 * READS, `/channels/${hostileChannelId}/messages`, key),
    ]);
  });
  assert.deepEqual(Object.fromEntries(hostile.counts), { 200: SENDS + READS, 429: SENDS + READS });
});

test('tiny updates to a large app do not slow down other tenants', async (t) => {
  const hostile = new Hostile(server);
  const keys = [people.pop(), people.pop()] as [string, string];
  await assertUnmoved(t, () =>
    inParallel(2 * WRITES, 2 * WRITES, (index) =>
      hostile.ask('PATCH', `/apps/${appId}`, keys[index % 2] as string, { version: `1.${index}` }),
    ),
  );
  assert.deepEqual(Object.fromEntries(hostile.counts), { 200: 2 * WRITES });
});

test('deleting a channel with many messages and a role with many holders does not slow down other tenants', async (t) => {
  const hostile = new Hostile(server);
  const key = people.pop() as string;
  await assertUnmoved(t, () => Promise.all(doomed.map((path) => hostile.ask('DELETE', path, key))));
  assert.deepEqual(Object.fromEntries(hostile.counts), { 200: doomed.length });
});

test('many streams for a server, and messages to all of them, do not slow down other tenants', async (t) => {
  const hostile = new Hostile(server);
  const keys = people.splice(0, STREAMS / READS);
  await assertUnmoved(t, async () => {
    await Promise.all(keys.map((key) => hostile.hold(READS, '/api/v1/events', key, true)));
    await inParallel(SENDS, SENDS, () => send(hostile, keys[0] as string));
  });
  hostile.close();
  assert.deepEqual(Object.fromEntries(hostile.counts), { 200: STREAMS + SENDS });
});

test('webhooks with unresponsive receivers do not slow down other tenants', async (t) => {
  receiver.otherwise = () => {};
  const hostile = new Hostile(server);
  const key = people.pop() as string;
  await inParallel(WEBHOOKS, WEBHOOKS, () => hostile.ask('POST', '/webhooks', key, { url: receiver.url }));
  await assertUnmoved(t, async () => {
    await inParallel(SENDS, SENDS, () => send(hostile, key));
    await until(() => receiver.deliveries.length > 0);
  });
  assert.deepEqual(Object.fromEntries(hostile.counts), { 200: WEBHOOKS + SENDS });
});
