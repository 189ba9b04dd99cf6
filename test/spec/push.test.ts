import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, giveAccount } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { PushService } from '../support/pushService.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const clock = new TestClock();
let world: World;
let scene: Scene;
let service: PushService;
before(async () => {
  service = await PushService.open();
  world = await World.open({ clock, push: { allowPrivate: true, hosts: [] }, timers: true });
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
/** Waits until no push is queued. */
const drained = async () => {
  await settled();
  await until(async () => (await queued()).length === 0);
};
const say = (channelId: string, content: string): Promise<Json> =>
  scene.make('/messages', { channelId, content });

test('a mention reaches a device, encrypted and signed', async () => {
  const { user, device, pushKey } = await stage();
  const { id: channelId, name } = await scene.channel();
  const message = await say(channelId, `**Look**, @${user.username}!`);
  await look();
  const [pushed] = await service.got(device, 1);
  assert.deepEqual(pushed?.payload, {
    type: 'message',
    title: `${scene.owner.name} mentioned you in ${name}`,
    body: 'Look, @Ada Lovelace!',
    id: message.id,
    serverId: scene.server.id,
    ...{ channelId, threadId: null },
    path: `/s/${scene.server.id}/c/${channelId}/m/${message.id}`,
  });
  const { authorization = '', ttl, urgency, topic } = pushed?.headers ?? {};
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  assert.equal(key, pushKey);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  assert.equal(claims.aud, service.url);
  assert.ok(claims.exp * 1000 > clock.at && claims.exp * 1000 <= clock.at + DAY_MS);
  assert.equal(Number(ttl), DAY_MS / 1000);
  assert.equal(urgency, 'high');
  assert.match(String(topic), /^[\w-]{32}$/);
  await drained();
});

test('a reminder about a message that was read long ago reaches a device', async () => {
  const { browser, device } = await stage();
  const { id: channelId, name } = await scene.channel();
  const message = await say(channelId, 'Later');
  dataOf(await browser.post('/reading/all', { serverId: scene.server.id }));
  dataOf(await browser.post('/saved', { messageId: message.id, remindAt: clock.at + MINUTE_MS }));
  clock.advance(MINUTE_MS);
  await world.node.clock?.look();
  await look();
  const [pushed] = await service.got(device, 1);
  const title = `Reminder: message from ${scene.owner.name} in ${name}`;
  assert.deepEqual([pushed?.payload.title, pushed?.payload.id], [title, message.id]);
  await drained();
});

test('a failed scheduled message and a report reach a device, the report without its message', async () => {
  const { user, browser, device } = await stage();
  const role = await scene.role({ canModerate: true, canEditData: true });
  await scene.make('/user-roles', { userId: user.id, roleId: role.id });
  const channel = await scene.channel();
  const due = { channelId: channel.id, content: 'Good morning', dueAt: clock.at + MINUTE_MS };
  dataOf(await browser.post('/scheduled-messages', due));
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, { private: true }));
  clock.advance(MINUTE_MS);
  await world.node.clock?.look();
  await look();
  const [failed] = await service.got(device, 1);
  const { id: serverId } = scene.server;
  assert.deepEqual(
    [failed?.payload.title, failed?.payload.body, failed?.payload.path],
    [`A scheduled message in ${scene.server.name} could not be sent`, '', '/later/scheduled'],
  );
  const [one, other] = await Promise.all([0, 0].map(() => world.user({ agent: true })));
  const author = await world.client(scene.server, [], one);
  const reporter = await world.client(scene.server, [], other);
  const dm = await scene.make('/conversations', { userIds: [other?.id] }, author);
  const message = await scene.make('/messages', { channelId: dm.id, content: 'zebracrossing' }, author);
  await scene.make('/reports', { messageId: message.id, reason: 'Spam' }, reporter);
  await look();
  const reported = (await service.got(device, 2))[1]?.payload as Json;
  assert.deepEqual(
    [reported.title, reported.body, reported.path],
    [`${other?.name} reported a message`, '', `/s/${serverId}/settings/reports`],
  );
  await drained();
});

test('ten messages in a channel produce one notification', async () => {
  const { user, device } = await stage();
  const { id: channelId } = await scene.channel();
  const other = await scene.channel();
  service.answers.push(...Array.from({ length: 2 }, () => 503));
  const tried = service.tried;
  await say(other.id, `@${user.username} elsewhere`);
  await say(channelId, `@${user.username} 0`);
  await look();
  await until(() => service.tried === tried + 2);
  for (let at = 1; at < 10; at++) await say(channelId, `@${user.username} ${at}`);
  clock.advance(2 * MINUTE_MS);
  await settled();
  const pushed = await service.got(device, 2);
  const here = pushed.filter(({ payload }) => payload.channelId === channelId);
  assert.deepEqual(
    here.map(({ payload }) => payload.body),
    ['@Ada Lovelace 9'],
  );
  await say(channelId, `@${user.username} 10`);
  await settled();
  const topics = (await service.got(device, 3)).map(({ payload, headers }) => [
    payload.channelId,
    headers.topic,
  ]);
  assert.equal(new Set(topics.filter(([at]) => at === channelId).map(([, topic]) => topic)).size, 1);
  assert.equal(new Set(topics.map(([, topic]) => topic)).size, 2, 'another channel is another notification');
});

test('pushes have the content that the person chose', async () => {
  const { user, browser, device } = await stage();
  const { id: channelId, name } = await scene.channel();
  const author = scene.owner.name;
  assert.equal(dataOf(await browser.get('/me')).pushContent, 'full');
  const bodies: Json[] = [];
  for (const [count, pushContent] of (['full', 'sender', 'nothing'] as const).entries()) {
    assert.equal(dataOf(await browser.patch('/me', { pushContent })).pushContent, pushContent);
    await say(channelId, `@${user.username} a secret`);
    await settled();
    bodies.push((await service.got(device, count + 1)).at(-1)?.payload);
  }
  assert.deepEqual(
    bodies.map(({ title, body }) => [title, body]),
    [
      [`${author} mentioned you in ${name}`, '@Ada Lovelace a secret'],
      [`${author} mentioned you in ${name}`, scene.server.name],
      ['New message', ''],
    ],
  );
});

test('nothing is pushed for messages that are read, deleted, muted or not visible', async () => {
  const { user, browser, device } = await stage();
  const { id: channelId } = await scene.channel();
  const hush = async (prepare: (message: Json) => Promise<unknown>, again?: () => Promise<unknown>) => {
    service.answers.push(503);
    const tried = service.tried;
    const message = await say(channelId, `@${user.username} hush`);
    await look();
    await until(() => service.tried === tried + 1);
    await prepare(message);
    clock.advance(2 * MINUTE_MS);
    await settled();
    assert.deepEqual(await queued(), []);
    await again?.();
  };
  await hush(({ id }) => browser.post('/reading/marks', { marks: [{ channelId, messageId: id }] }));
  await hush(() => browser.post('/notifications/read', {}));
  await hush(({ id }) => scene.admin.delete(`/messages/${id}`));
  const level = (fields: object) => browser.patch('/reading/level', fields).then(dataOf);
  await hush(
    () => level({ channelId, level: 'nothing' }),
    () => level({ channelId, level: null }),
  );
  await hush(
    () => level({ level: 'nothing' }),
    () => level({ level: null }),
  );
  await hush(
    () => level({ channelId, mutedUntil: clock.at + DAY_MS }),
    () => level({ channelId, mutedUntil: null }),
  );
  await hush(
    () => browser.patch('/presence/me', { status: 'dnd' }),
    () => browser.patch('/presence/me', { status: 'online' }),
  );
  await hush(
    () => browser.post('/blocks', { userId: scene.owner.id }),
    () => browser.delete(`/blocks/${scene.owner.id}`),
  );
  await hush(
    () => scene.admin.patch(`/channels/${channelId}`, { private: true }),
    () => scene.admin.patch(`/channels/${channelId}`, { private: false }),
  );
  assert.deepEqual(
    service.pushed.filter((one) => one.device === device),
    [],
  );
  await say(channelId, `@${user.username} now`);
  await settled();
  assert.equal((await service.got(device, 1)).length, 1);
});

test('a direct message, a reply and a reply in a thread are pushed, and other messages are not', async () => {
  const { user, browser, device } = await stage();
  const ben = await world.user({ name: 'Ben Okri' });
  await world.member(scene.server, ben);
  const asBen = (await Browser.of(world, ben, scene.server)).api;
  const dm = dataOf(await asBen.post('/conversations', { userIds: [user.id] }));
  dataOf(await asBen.post('/messages', { channelId: dm.id, content: 'Just you' }));
  await settled();
  const { id: channelId } = await scene.channel();
  await say(channelId, 'Everybody');
  const own = dataOf(await browser.api.post('/messages', { channelId, content: 'Mine' }));
  await scene.make('/messages', { channelId, content: 'An answer', replyToId: own.id });
  await settled();
  const thread = dataOf(await browser.api.post('/threads', { messageId: own.id }));
  const reply = await scene.make('/messages', { threadId: thread.id, content: 'In the thread' });
  await settled();
  const pushed = await service.got(device, 3);
  assert.deepEqual(
    pushed.map(({ payload }) => payload.body),
    ['Just you', 'An answer', 'In the thread'],
  );
  assert.equal(pushed[0]?.payload.title, 'Ben Okri sent you a message');
  assert.equal(
    pushed[2]?.payload.path,
    `/s/${scene.server.id}/c/${channelId}?thread=${thread.id}&reply=${reply.id}`,
  );
});

test('a subscription ends on 404 and 410, and outages are retried', async () => {
  for (const status of [404, 410]) {
    const { user, browser } = await stage();
    const { id: channelId } = await scene.channel();
    service.answers.push(status);
    await say(channelId, `@${user.username}`);
    await settled();
    await until(async () => dataOf(await browser.get('/push-subscriptions')).length === 0);
  }
  const { user, browser, device } = await stage();
  const { id: channelId } = await scene.channel();
  service.answers.push(503, 429);
  await say(channelId, `@${user.username}`);
  for (let at = 0; at < 2; at++) {
    await settled();
    clock.advance(5 * MINUTE_MS);
  }
  await settled();
  assert.equal((await service.got(device, 1)).length, 1);
  service.answers.push(413);
  await say(channelId, `@${user.username}`);
  // A push that is rejected for good is dropped.
  await drained();
  assert.equal(dataOf(await browser.get('/push-subscriptions')).length, 1);
});

test('only a device that accepts silent pushes is notified when a message is read elsewhere', async () => {
  const { user, browser, device } = await stage({ maySilence: true });
  const { id: channelId } = await scene.channel();
  const message = await say(channelId, `@${user.username}`);
  await settled();
  await service.got(device, 1);
  clock.advance(MINUTE_MS);
  await settled();
  dataOf(await browser.post('/reading/marks', { marks: [{ channelId, messageId: message.id }] }));
  clock.advance(60 * MINUTE_MS);
  await settled();
  const [, closing] = await service.got(device, 2);
  assert.deepEqual(closing?.payload, { type: 'read', channelId, id: message.id });
  await drained();
});
