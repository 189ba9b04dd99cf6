import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, giveAccount } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { runsWith } from '../support/flows.ts';
import { until } from '../support/process.ts';
import { PushService } from '../support/pushService.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

// Tests which channel and server settings apply to a push, depending on its reason.

const MINUTE_MS = 60_000;

const clock = new TestClock();
let world: World;
let service: PushService;
before(async () => {
  service = await PushService.open();
  world = await World.open({
    clock,
    limits: { '*': 0 },
    push: { allowPrivate: true, hosts: [] },
    timers: true,
  });
});
after(async () => {
  await world?.close();
  await service?.close();
});

/** A server with one channel, and one of its moderators, who has a device that gets pushes. */
async function stage() {
  const scene = await Scene.open(world);
  const { id: channelId, name: channel } = await scene.channel();
  const user = await giveAccount(world, await world.user());
  await world.member(scene.server, user);
  const flags = {
    canModerate: true,
    canEditData: true,
    canEditApp: true,
    canEditChannel: true,
    canViewData: true,
  };
  const role = await scene.role(flags);
  await scene.make('/user-roles', { userId: user.id, roleId: role.id });
  const browser = await Browser.of(world, user, scene.server, 'Lighthouse');
  const { pushKey } = dataOf(await browser.get('/me'));
  const { device, endpoint, keys } = await service.subscribe(pushKey);
  dataOf(await browser.post('/push-subscriptions', { endpoint, keys }));
  const quiet = (fields: object) =>
    browser.patch('/reading/level', { level: 'nothing', mutedUntil: 8e12, ...fields }).then(dataOf);
  /** Resolves with the titles of the pushes that the device got, once no push is queued. */
  const titles = async (): Promise<string[]> => {
    await drained();
    return service.pushed.filter((one) => one.device === device).map(({ payload }) => payload.title);
  };
  return { scene, channelId, channel, user, device, browser, quiet, titles };
}

const drained = () =>
  until(async () => {
    await world.node.senders.pushes?.look();
    return (await world.data.db.read.all(q.selectFrom('push').selectAll())).length === 0;
  });

/** A message that a member reports to the moderators. */
async function report(scene: Scene, place: { channelId: string } | 'dm'): Promise<Json> {
  const [one, other] = await Promise.all([0, 0].map(() => world.user({ agent: true })));
  const [author, reporter] = [
    await world.client(scene.server, ['canEditData'], one),
    await world.client(scene.server, ['canEditData'], other),
  ];
  const { channelId } =
    place === 'dm'
      ? { channelId: (await scene.make('/conversations', { userIds: [other?.id] }, author)).id }
      : place;
  const message = await scene.make('/messages', { channelId, content: 'spam' }, author);
  await scene.make('/reports', { messageId: message.id, reason: 'Spam' }, reporter);
  return other as Json;
}

test("mutes, levels and leaving the channel do not affect pushes about a person's own reminders, messages and flows", async () => {
  const { scene, channelId, channel, user, browser, quiet, titles } = await stage();
  await quiet({ channelId });
  await quiet({});
  dataOf(await browser.patch('/reading/channel', { channelId, hidden: true }));
  const message = await scene.make('/messages', { channelId, content: `Later, @${user.username}` });
  assert.deepEqual(await titles(), [], 'a mention follows the settings');

  const at = clock.at + MINUTE_MS;
  dataOf(await browser.post('/saved', { messageId: message.id, remindAt: at }));
  clock.advance(MINUTE_MS);
  await world.node.clock?.look();
  const reminder = `Reminder: message from ${scene.owner.name} in ${channel}`;
  assert.deepEqual(await titles(), [reminder]);

  const due = { channelId, content: 'Good morning', dueAt: clock.at + MINUTE_MS };
  dataOf(await browser.post('/scheduled-messages', due));
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { private: true }));
  clock.advance(MINUTE_MS);
  await world.node.clock?.look();
  // The channel may have been renamed since the person lost access to it.
  const schedule = `A scheduled message in ${scene.server.name} could not be sent`;
  assert.deepEqual(await titles(), [reminder, schedule]);

  const steps = [{ name: 'broken', do: 'pin.add', messageId: 'nothing' }];
  const flow = dataOf(await browser.api.post('/flows', { name: 'Pins', trigger: { on: 'manual' }, steps }));
  dataOf(await scene.admin.post(`/flows/${flow.id}/run`, {}));
  await runsWith(scene, flow.id, 'failed', 1);
  assert.deepEqual(await titles(), [reminder, schedule, 'The flow “Pins” needs attention']);
});

test('a scheduled message fails in a channel that was deleted, and in one that its author can see', async () => {
  const { scene, channelId, channel, browser, titles } = await stage();
  const answered = await scene.message({ channelId });
  const other = await scene.channel();
  const due = { content: 'Good morning', dueAt: clock.at + MINUTE_MS };
  dataOf(await browser.post('/scheduled-messages', { channelId, replyToId: answered.id, ...due }));
  dataOf(await browser.post('/scheduled-messages', { channelId: other.id, ...due }));
  await scene.remove(`/messages/${answered.id}`);
  await scene.remove(`/channels/${other.id}`);
  clock.advance(MINUTE_MS);
  await world.node.clock?.look();
  const failed = [channel, scene.server.name].map(
    (place) => `A scheduled message in ${place} could not be sent`,
  );
  assert.deepEqual((await titles()).sort(), failed.sort());
});

test("reports ignore the channel's settings, and follow the server's", async () => {
  const { scene, channelId, quiet, titles } = await stage();
  await quiet({ channelId });
  const expected: string[] = [];
  for (const place of [{ channelId }, 'dm'] as const) {
    const { name } = await report(scene, place);
    expected.push(`${name} reported a message`);
    assert.deepEqual(await titles(), expected);
  }
  await quiet({});
  await report(scene, { channelId });
  assert.deepEqual(await titles(), expected);
});

test('mentions and all messages in a direct message are urgent', async () => {
  const { scene, channelId, user, device, browser, titles } = await stage();
  const asOwner = (await Browser.of(world, scene.owner, scene.server)).api;
  const dm = dataOf(await asOwner.post('/conversations', { userIds: [user.id] }));
  const send = async (body: object) => {
    dataOf(await asOwner.post('/messages', body));
    await titles();
  };
  for (const place of [channelId, dm.id]) {
    const own = dataOf(await browser.api.post('/messages', { channelId: place, content: 'Mine' }));
    const thread = dataOf(await browser.api.post('/threads', { messageId: own.id }));
    await send({ channelId: place, content: `@${user.username}` });
    await send({ channelId: place, content: 'reply', replyToId: own.id });
    await send({ threadId: thread.id, content: 'thread' });
  }
  await send({ channelId: dm.id, content: 'direct' });
  const urgencies = (await service.got(device, 7)).map(({ payload, headers }) => [
    payload.channelId === dm.id,
    payload.body,
    headers.urgency,
  ]);
  const mention = `@${user.name}`;
  assert.deepEqual(urgencies, [
    [false, mention, 'high'],
    [false, 'reply', 'normal'],
    [false, 'thread', 'normal'],
    [true, mention, 'high'],
    [true, 'reply', 'high'],
    [true, 'thread', 'high'],
    [true, 'direct', 'high'],
  ]);
});
