import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import pino from 'pino';
import { Clock } from '../../server/src/clock/clock.ts';
import { type AnyTimer, setTimer } from '../../server/src/clock/timers.ts';
import { s } from '../../server/src/db/search/tables.ts';
import { dataOf } from '../support/expect.ts';
import { makeFlow } from '../support/flows.ts';
import { fillChannel } from '../support/messages.ts';
import { html, Site } from '../support/previewSite.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { indexerOf } from '../support/searchIndex.ts';
import { find } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// A node that stops releases its leases, so that its successor and other nodes do not wait until they expire.

/** The maximum concurrent runs of a server's flows, and runs that are queued behind them. */
const [RUNNING, QUEUED] = [8, 4];

let world: World;
let scene: Scene;
/** A node on the same data, which the test stops. */
let node: World;
let site: Site;
before(async () => {
  world = await World.open({ privateWebhooks: true });
  scene = await Scene.open(world);
  site = await Site.open({
    '/silent': () => {},
    '/page': (response) => html(response, '<title>Tide</title><meta property="og:image" content="/silent">'),
  });
});
afterEach(() => site.forget());
after(async () => {
  site.close();
  await world.close();
});

const begin = async (): Promise<void> => {
  node = await World.open({ place: world.place, timers: true, privateWebhooks: true });
};
const timersOf = (kind: AnyTimer['kind']): Promise<AnyTimer[]> =>
  world.data.db.read.all(find('timer', { kind }));
const leased = (timers: readonly AnyTimer[]): AnyTimer[] => timers.filter(({ dueAt }) => dueAt > Date.now());

/** Stops the node. Asserts that it held leases on timers of a kind, and that these are due afterwards. */
async function assertReleases(kind: AnyTimer['kind'], amount: number): Promise<void> {
  assert.equal(leased(await timersOf(kind)).length, amount, 'leased');
  await node.close();
  const timers = await timersOf(kind);
  assert.deepEqual([timers.length, leased(timers)], [amount, []]);
}

test('timers that a stopping clock has claimed are due again, in their original order', async () => {
  const { db, deps } = world.data;
  const serverId: string = scene.server.id;
  const now = Date.now();
  const ids = Array.from({ length: 3 }, () => deps.newId());
  for (const [index, id] of ids.entries())
    await db.write((tx) => setTimer(tx, { id, kind: 'message', serverId, dueAt: now - 10 + index, now }));
  const [entered, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ran: string[] = [];
  const run = async ({ id }: AnyTimer) => {
    ran.push(id);
    entered.resolve();
    await end.promise;
  };
  const clock = new Clock({ db, deps, run }, pino({ level: 'silent' }));
  await entered.promise;
  assert.equal(leased(await timersOf('message')).length, 3);
  const stopping = clock.stop();
  end.resolve();
  await stopping;
  assert.deepEqual(ran, ids.slice(0, 1));
  const dueAt = async (id: string) => Number((await db.read.first(find('timer', { id })))?.dueAt);
  assert.deepEqual([await dueAt(ids[1] as string), await dueAt(ids[2] as string)], [now - 9, now - 8]);
});

test('runs of flows are due again, those in progress and those in the queue', async () => {
  const steps = [{ name: 'call', do: 'http.call', method: 'GET', url: `${site.url}/silent` }];
  const flow = await makeFlow(scene, { on: 'manual' }, steps);
  const amount = RUNNING + QUEUED;
  for (let number = 0; number < amount; number++)
    dataOf(await scene.admin.post(`/flows/${flow.id}/run`, { input: {} }));
  await begin();
  await until(() => site.requested.length >= RUNNING);
  await until(async () => leased(await timersOf('flowRun')).length === amount);
  await assertReleases('flowRun', amount);
});

test('an export can continue immediately', async () => {
  await fillChannel(world, await scene.channel(), scene.owner.id, 6_000);
  dataOf(await scene.admin.post(`/servers/${scene.server.id}/exports`, {}));
  await begin();
  await node.node.clock?.look();
  await assertReleases('export', 1);
});

test('the previews of a message can be created immediately', async () => {
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { linkPreviews: true }));
  await begin();
  const { id: channelId } = await scene.channel();
  await scene.message({ channelId, content: `Look: ${site.url}/page` });
  await until(() => site.requested.includes('/silent'));
  await assertReleases('preview', 1);
});

test('another process can index messages immediately', async () => {
  await indexerOf(world).settle();
  await world.data.db.write((tx) => tx.run(s.updateTable('searchProgress').set({ ownedUntil: 0 })));
  await begin();
  await scene.message();
  await indexerOf(node).settle();
  const owner = async (): Promise<Json> =>
    (await world.data.db.read.first(s.selectFrom('searchProgress').select('owner')))?.owner;
  assert.notEqual(await owner(), null);
  await node.close();
  assert.equal(await owner(), null);
});
