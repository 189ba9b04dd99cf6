import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, giveAccount } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { PushService } from '../support/pushService.ts';
import { Scene } from '../support/scene.ts';
import { find, q } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
let scene: Scene;
let service: PushService;
before(async () => {
  service = await PushService.open();
  world = await World.open({ clock, push: { allowPrivate: true, hosts: [] } });
  scene = await Scene.open(world);
});
after(async () => {
  await world?.close();
  await service?.close();
});

/** A signed-in member of the scene's server with a device that gets pushes. */
async function stage(fields: object = {}) {
  const user = await giveAccount(world, await world.user({ name: 'Ada Lovelace' }));
  await world.member(scene.server, user);
  const browser = await Browser.of(world, user, scene.server, 'Lighthouse');
  const { pushKey } = dataOf(await browser.get('/me'));
  const { device, endpoint, keys } = await service.subscribe(pushKey);
  const subscription = dataOf(await browser.post('/push-subscriptions', { endpoint, keys, ...fields }));
  return { user, browser, device, endpoint, keys, subscription, pushKey };
}

const look = () => world.node.senders.pushes?.look();
const queued = (): Promise<Json[]> => world.data.db.read.all(q.selectFrom('push').selectAll());
/** Runs the courier until no push is due. */
const settled = () =>
  until(async () => {
    await look();
    return (await queued()).every(({ dueAt }) => dueAt > clock.at);
  });
const say = (channelId: string, content: string): Promise<Json> =>
  scene.make('/messages', { channelId, content });

test('registering an endpoint again updates its subscription, even for another person in the same browser', async () => {
  const { browser, endpoint, keys, subscription, device } = await stage();
  clock.advance(1000);
  const again = dataOf(await browser.post('/push-subscriptions', { endpoint, keys, maySilence: true }));
  assert.deepEqual([again.id, again.maySilence], [subscription.id, true]);
  const { isCurrent, device: named } = dataOf(await browser.get('/push-subscriptions'))[0];
  assert.deepEqual([isCurrent, named], [true, 'Lighthouse']);
  const next = await giveAccount(world, await world.user());
  await world.member(scene.server, next);
  const nextBrowser = await Browser.of(world, next, scene.server);
  dataOf(await nextBrowser.post('/push-subscriptions', { endpoint, keys }));
  assert.deepEqual(dataOf(await browser.get('/push-subscriptions')), []);
  const { id: channelId } = await scene.channel();
  await say(channelId, `@${next.username}`);
  await settled();
  assert.equal((await service.got(device, 1)).length, 1);
});

test('a subscription ends with its session, and on request', async () => {
  const { browser, user, subscription } = await stage();
  const other = await Browser.of(world, user, scene.server);
  assert.equal(dataOf(await other.get('/push-subscriptions'))[0].isCurrent, false);
  const stranger = await stage();
  assertRefused(await stranger.browser.delete(`/push-subscriptions/${subscription.id}`), 'FORBIDDEN');
  assert.equal(dataOf(await other.get('/push-subscriptions')).length, 1);
  dataOf(await browser.post('/sign-out'));
  assert.deepEqual(dataOf(await other.get('/push-subscriptions')), []);
  const { id } = stranger.subscription;
  assert.equal(dataOf(await stranger.browser.delete(`/push-subscriptions/${id}`)).id, id);
  assertRefused(await stranger.browser.delete(`/push-subscriptions/${id}`), 'NOT_FOUND');
});

test('a person has at most twenty devices, and endpoints and keys are encrypted', async () => {
  const { browser, user, keys, endpoint } = await stage();
  for (let at = 0; at < 20; at++) {
    clock.advance(1);
    dataOf(await browser.post('/push-subscriptions', { endpoint: `${service.url}/notify/${at}`, keys }));
  }
  const rows = await world.data.db.read.all(find('pushSubscription', { userId: user.id }));
  assert.equal(rows.length, 20);
  for (const text of [endpoint, service.url, keys.auth, keys.p256dh])
    assert.ok(!JSON.stringify(rows).includes(text));
});

test('the push key is the same for all nodes and after a restart', async () => {
  const { pushKey } = await stage();
  const [row, ...others] = await world.data.db.read.all(q.selectFrom('pushKey').selectAll());
  assert.deepEqual([row?.publicKey, others.length], [pushKey, 0]);
  assert.doesNotMatch(row?.sealed ?? '', /^[\w-]{43}$/);
  assert.equal(Buffer.from(pushKey, 'base64url').length, 65);
});

test('invalid keys are rejected', async () => {
  const { browser, endpoint, keys } = await stage();
  const bad = [
    { p256dh: '', auth: keys.auth },
    { p256dh: keys.p256dh, auth: 'AAAA' },
    { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: keys.auth },
    { p256dh: keys.p256dh.slice(0, -4), auth: keys.auth },
    { p256dh: keys.p256dh },
  ];
  for (const keys of bad)
    assertRefused(await browser.post('/push-subscriptions', { endpoint, keys }), 'INVALID_REQUEST');
  assertRefused(
    await browser.post('/push-subscriptions', { endpoint: 'ftp://a.example/', keys }),
    'INVALID_REQUEST',
  );
  assert.deepEqual(service.faults, []);
});

test('nothing is pushed in quiet hours, nor afterwards about messages from them', async () => {
  const { user, browser, device } = await stage();
  const { id: channelId } = await scene.channel();
  const quietHours = { from: '00:00', to: '00:00', timeZone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7] };
  dataOf(await browser.patch('/me', { quietHours }));
  await say(channelId, `@${user.username} psst`);
  await settled();
  const recorded = await world.data.db.read.all(find('notification', { userId: user.id }));
  assert.equal(recorded.length, 1);
  dataOf(await browser.patch('/me', { quietHours: null }));
  await settled();
  await say(channelId, `@${user.username} hello`);
  await settled();
  const [pushed] = await service.got(device, 1);
  assert.equal(pushed?.payload.body, '@Ada Lovelace hello');
});

test('the push for a group mention names the group, unless the message mentions the person, too', async () => {
  const { user, device } = await stage();
  const role = await scene.role({ name: 'OnCall', mentionable: true });
  await scene.make('/user-roles', { userId: user.id, roleId: role.id });
  const other = await scene.role({ name: 'Others', mentionable: true });
  const { id: channelId, name } = await scene.channel();
  const { username } = user;
  const groups = {
    'Look, @everyone': '@everyone',
    'Help, @others and @oncall': '@OnCall',
    [`@${username} and @everyone`]: 'you',
  };
  const titles: string[] = [];
  for (const [at, content] of Object.keys(groups).entries()) {
    await say(channelId, content);
    await world.tidy();
    await settled();
    titles.push((await service.got(device, at + 1)).at(-1)?.payload.title);
  }
  const author = scene.owner.name;
  assert.deepEqual(
    titles,
    Object.values(groups).map((group) => `${author} mentioned ${group} in ${name}`),
  );
  dataOf(await scene.admin.delete(`/roles/${other.id}`));
});
