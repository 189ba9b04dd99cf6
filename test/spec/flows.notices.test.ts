import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, giveAccount } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { makeFlow, runsWith } from '../support/flows.ts';
import { until } from '../support/process.ts';
import { PushService } from '../support/pushService.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Client, type Json, World } from '../support/world.ts';

const HOUR_MS = 60 * 60_000;
const broken = { name: 'broken', do: 'pin.add', messageId: 'nothing' };

let world: World;
let scene: Scene;
let service: PushService;
before(async () => {
  service = await PushService.open();
  world = await World.open({ limits: { '*': 0 }, timers: true, push: { allowPrivate: true, hosts: [] } });
  scene = await Scene.open(world);
});
after(async () => {
  await world?.close();
  await service?.close();
});

const noticesOf = async (client: Pick<Client, 'get'>, flow: Json): Promise<Json[]> =>
  dataOf(await client.get('/notifications?type=flow&excerpts=true')).filter(
    ({ messageId }: Json) => messageId === flow.id,
  );

const fail = async (flow: Json, count: number): Promise<void> => {
  dataOf(await scene.admin.post(`/flows/${flow.id}/run`, {}));
  await runsWith(scene, flow.id, 'failed', count);
};

test("a flow's maker is notified of a failed run, at most once an hour, with the error", async () => {
  await scene.channel();
  const flow = await makeFlow(scene, { on: 'manual' }, [broken], { name: 'Pinboard' });
  await fail(flow, 1);
  const [notice, ...more] = await noticesOf(scene.admin, flow);
  assert.equal(more.length, 0);
  assert.deepEqual([notice?.userId, notice?.actorId, notice?.readAt], [scene.owner.id, flow.userId, null]);
  assert.match(notice?.excerpt, /^Pinboard: broken: message not found/);
  await fail(flow, 2);
  assert.deepEqual(await noticesOf(scene.admin, flow), [notice]);
  const earlier = { notifiedAt: Date.now() - HOUR_MS - 1 };
  await world.data.db.write((tx) =>
    tx.run(q.updateTable('flowState').set(earlier).where('id', '=', flow.id)),
  );
  await fail(flow, 3);
  const [next, ...others] = await noticesOf(scene.admin, flow);
  assert.equal(others.length, 0, 'the earlier notification is replaced');
  assert.notEqual(next?.id, notice?.id);
  dataOf(await scene.admin.delete(`/flows/${flow.id}`));
  assert.deepEqual(await noticesOf(scene.admin, flow), []);
});

test('errors are shown to members who can edit flows', async () => {
  const maker = await world.user();
  const client = await world.client(scene.server, ['canEditApp', 'canEditChannel', 'canViewData'], maker);
  const flow = dataOf(
    await client.post('/flows', { name: 'Pins', trigger: { on: 'manual' }, steps: [broken] }),
  );
  await fail(flow, 1);
  assert.match((await noticesOf(client, flow))[0]?.excerpt, /^Pins: broken/);
  const viewer = await world.client(scene.server, ['canViewData'], maker);
  assert.equal((await noticesOf(viewer, flow))[0]?.excerpt, 'Pins');
  const nobody = await world.client(scene.server, [], maker);
  assert.equal((await noticesOf(nobody, flow))[0]?.excerpt, '');
});

test("a flow that stops notifies its maker on their devices, or the server's creator if the maker has left", async () => {
  const maker = await giveAccount(world, await world.user());
  const role = await scene.role({ canEditApp: true, canEditChannel: true, canViewData: true });
  const membership = await world.member(scene.server, maker);
  const given = await scene.make('/user-roles', { userId: maker.id, roleId: role.id });
  const browser = await Browser.of(world, maker, scene.server, 'Lighthouse');
  const { pushKey } = dataOf(await browser.get('/me'));
  const { device, endpoint, keys } = await service.subscribe(pushKey);
  dataOf(await browser.post('/push-subscriptions', { endpoint, keys }));
  const make = async (name: string): Promise<Json> =>
    dataOf(await browser.api.post('/flows', { name, trigger: { on: 'manual' }, steps: [broken] }));
  const [first, second] = [await make('First'), await make('Second')];
  dataOf(await scene.admin.delete(`/user-roles/${given.id}`));
  await fail(first, 1);
  await world.node.senders.pushes?.look();
  const [pushed] = await service.got(device, 1);
  assert.deepEqual(
    [pushed?.payload.title, pushed?.payload.path],
    ['The flow “First” needs attention', `/s/${scene.server.id}/settings/flows`],
  );
  assert.equal((await noticesOf(browser.api, first)).length, 1);
  dataOf(await scene.admin.delete(`/server-members/${membership.id}`));
  await until(async () => (await noticesOf(scene.admin, second)).length === 1);
  assert.match((await noticesOf(scene.admin, second))[0]?.excerpt, /^Second: .*left the server/);
});
