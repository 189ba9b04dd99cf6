import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseUser } from '../../server/src/cli/people/erase.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { find, q } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const clock = new TestClock();
let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 }, timers: true });
  scene = await Scene.open(world);
});
after(() => world.close());

interface Person {
  user: Json;
  browser: Browser;
}

async function join(at = scene): Promise<Person> {
  const user = await world.user();
  await world.member(at.server, user);
  return { user, browser: await Browser.of(world, user) };
}

const schedule = async ({ browser }: Person, channelId: string, fields: object = {}): Promise<Json> =>
  dataOf(
    await browser.post('/scheduled-messages', {
      channelId,
      content: 'Later',
      dueAt: clock.at + MINUTE_MS,
      ...fields,
    }),
  );

const scheduledOf = async ({ browser }: Person): Promise<Json[]> =>
  dataOf(await browser.get('/scheduled-messages'));

const sentIn = async (channelId: string): Promise<string[]> =>
  dataOf(await scene.admin.get(`/channels/${channelId}/messages?order=asc&limit=100`)).map(
    ({ content }: Json) => content,
  );

const noticesOf = async ({ browser }: Person, at = scene): Promise<Json[]> => {
  browser.place = at.server.id;
  const found = dataOf(await browser.api.get('/notifications?excerpts=true'));
  browser.place = 'none';
  return found;
};

/** Advances the clock and runs what is due. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await world.node.clock?.look();
}

test('a message is sent as its author when it is due, and not before', async () => {
  const ada = await join();
  const { id: channelId } = await scene.channel();
  const made = await schedule(ada, channelId, { content: 'Good morning' });
  assert.ok(!('content' in made), 'stored responses repeat no text');
  await schedule(ada, channelId, { content: 'Good night', dueAt: clock.at + 2 * MINUTE_MS });
  assert.deepEqual(
    (await scheduledOf(ada)).map(({ content }) => content),
    ['Good morning', 'Good night'],
  );
  await pass(MINUTE_MS - 1);
  assert.deepEqual(await sentIn(channelId), []);
  await pass(1);
  assert.deepEqual(await sentIn(channelId), ['Good morning']);
  await pass(MINUTE_MS);
  assert.deepEqual(await sentIn(channelId), ['Good morning', 'Good night']);
  const [message] = dataOf(await scene.admin.get(`/channels/${channelId}/messages`));
  assert.deepEqual([message.creatorId, message.type], [ada.user.id, 'person']);
  assert.deepEqual(await scheduledOf(ada), []);
  assert.deepEqual(await world.data.db.read.all(q.selectFrom('timer').selectAll()), []);
});

test('replies, threads and direct messages can be scheduled', async () => {
  const [ada, bob] = [await join(), await join()];
  const { id: channelId } = await scene.channel();
  const message = await scene.message({ channelId });
  const thread = await scene.thread({ messageId: message.id });
  ada.browser.place = scene.server.id;
  const dm = dataOf(await ada.browser.api.post('/conversations', { userIds: [bob.user.id] }));
  ada.browser.place = 'none';
  await schedule(ada, channelId, { threadId: thread.id });
  await schedule(ada, channelId, { replyToId: message.id, content: 'Yes' });
  await schedule(ada, dm.id, { content: 'Psst' });
  await pass(MINUTE_MS);
  const sent = dataOf(await scene.admin.get(`/channels/${channelId}/messages?order=asc`)).slice(1);
  assert.deepEqual(
    sent.map(({ threadId, replyToId }: Json) => [threadId, replyToId]),
    [
      [thread.id, null],
      [null, message.id],
    ],
  );
  const [notice] = await noticesOf(bob);
  assert.deepEqual([notice?.type, notice?.excerpt], ['direct', 'Psst']);
});

test('permissions are checked at sending: a rejected text is kept, and the person is notified', async () => {
  const ada = await join();
  const { id: channelId } = await scene.channel();
  const { id } = await schedule(ada, channelId);
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { private: true, roleIds: [] }));
  await pass(MINUTE_MS);
  assert.deepEqual(await sentIn(channelId), []);
  const [failed] = await scheduledOf(ada);
  assert.deepEqual([failed?.content, failed?.failedAt], ['Later', clock.at]);
  assert.match(failed?.failure, /cannot see/);
  const [notice, ...others] = await noticesOf(ada);
  assert.deepEqual(
    [notice?.type, notice?.messageId, notice?.channelId, notice?.actorId, others.length],
    ['schedule', id, channelId, ada.user.id, 0],
  );
  await pass(DAY_MS);
  assert.equal((await noticesOf(ada)).length, 1, 'it is not tried again');
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { private: false }));
  dataOf(await ada.browser.patch(`/scheduled-messages/${id}`, { dueAt: clock.at + MINUTE_MS }));
  assert.deepEqual(await noticesOf(ada), []);
  await pass(MINUTE_MS);
  assert.deepEqual(await sentIn(channelId), ['Later']);
});

test('a message in a deleted channel fails, and one by a member who left is kept without a notification', async () => {
  const [ada, bob] = [await join(), await join()];
  const [gone, other] = [await scene.channel(), await scene.channel()];
  await schedule(ada, gone.id);
  await schedule(bob, other.id);
  await scene.remove(`/channels/${gone.id}`);
  const member = await world.data.db.read.first(
    find('serverMember', { serverId: scene.server.id, userId: bob.user.id }),
  );
  await scene.remove(`/server-members/${member?.id}`);
  await pass(MINUTE_MS);
  assert.match((await scheduledOf(ada))[0]?.failure, /not found|does not exist/i);
  assert.equal((await noticesOf(ada))[0]?.type, 'schedule');
  assert.deepEqual(
    (await scheduledOf(bob)).map(({ content, failedAt }) => [content, failedAt]),
    [['Later', clock.at]],
  );
  assert.deepEqual(await sentIn(other.id), []);
  const kept = await world.data.db.read.all(find('notification', { userId: bob.user.id }));
  assert.deepEqual(kept, []);
});

test('a scheduled message can be changed, sent now and deleted, only by its author', async () => {
  const [ada, bob] = [await join(), await join()];
  const { id: channelId } = await scene.channel();
  const [first, second, third] = [
    await schedule(ada, channelId),
    await schedule(ada, channelId),
    await schedule(ada, channelId),
  ];
  const path = `/scheduled-messages/${first.id}`;
  for (const answer of [
    await bob.browser.patch(path, { content: 'Mine' }),
    await bob.browser.delete(path),
    await bob.browser.post(`${path}/send`, {}),
  ])
    assertRefused(answer, 'NOT_FOUND');
  assert.deepEqual(await scheduledOf(bob), []);
  const dueAt = clock.at + 3 * MINUTE_MS;
  assert.equal(dataOf(await ada.browser.patch(path, { content: 'Changed', dueAt })).dueAt, dueAt);
  const sent = dataOf(await ada.browser.post(`/scheduled-messages/${second.id}/send`, {}));
  assert.equal(dataOf(await scene.admin.get(`/messages/${sent.messageId}`)).content, 'Later');
  dataOf(await ada.browser.delete(`/scheduled-messages/${third.id}`));
  await pass(2 * MINUTE_MS);
  assert.deepEqual(await sentIn(channelId), ['Later']);
  await pass(MINUTE_MS);
  assert.deepEqual(await sentIn(channelId), ['Later', 'Changed']);
});

test('times, texts and counts are limited', async () => {
  const ada = await join();
  const { id: channelId } = await scene.channel();
  const hidden = await scene.channel({ private: true, roleIds: [] });
  const send = (fields: object) =>
    ada.browser.post('/scheduled-messages', {
      channelId,
      content: 'Later',
      dueAt: clock.at + MINUTE_MS,
      ...fields,
    });
  const rows: [object, 'INVALID_REQUEST' | 'FORBIDDEN' | 'NOT_FOUND', string?][] = [
    [{ dueAt: clock.at }, 'INVALID_REQUEST', 'dueAt'],
    [{ dueAt: clock.at - MINUTE_MS }, 'INVALID_REQUEST', 'dueAt'],
    [{ dueAt: clock.at + 366 * DAY_MS + 1 }, 'INVALID_REQUEST', 'dueAt'],
    [{ dueAt: '2027-01-01' }, 'INVALID_REQUEST', 'dueAt'],
    [{ dueAt: 1.5 }, 'INVALID_REQUEST', 'dueAt'],
    [{ content: ' ' }, 'INVALID_REQUEST', 'content'],
    [{ content: 'x'.repeat(8_001) }, 'INVALID_REQUEST', 'content'],
    [{ channelId: hidden.id }, 'FORBIDDEN'],
    [{ channelId: 'none' }, 'NOT_FOUND'],
    [{ threadId: 'none' }, 'NOT_FOUND'],
    [{ replyToId: (await scene.message()).id }, 'INVALID_REQUEST', 'replyToId'],
  ];
  for (const [fields, code, field] of rows)
    assertRefused(await send(fields), code, JSON.stringify(fields), ...(field ? [field] : []));
  for (const dueAt of [clock.at + 1, clock.at + 366 * DAY_MS]) dataOf(await send({ dueAt }));
  for (let amount = 2; amount < 100; amount++) dataOf(await send({ dueAt: clock.at + DAY_MS }));
  assertRefused(await send({}), 'INVALID_REQUEST');
  await pass(1);
  dataOf(await send({}));
});

test('scheduling is round-robin over servers, and chronological within a server', async () => {
  const other = await Scene.open(world);
  const { id: channelId } = await scene.channel();
  const { id: elsewhere } = await other.channel();
  const first = clock.at + MINUTE_MS;
  const people = [await join(), await join()];
  for (let number = 0; number < 60; number++)
    await schedule(people[number % 2] as Person, channelId, { content: `${number}`, dueAt: first + number });
  const waiting = await join(other);
  await schedule(waiting, elsewhere, { dueAt: first + 60 });
  await pass(MINUTE_MS + 60);
  assert.deepEqual(
    await sentIn(channelId),
    Array.from({ length: 60 }, (_, number) => `${number}`),
  );
  const [message] = dataOf(await other.admin.get(`/channels/${elsewhere}/messages`));
  const all = dataOf(await scene.admin.get(`/channels/${channelId}/messages?order=asc&limit=100`));
  assert.ok(all.filter(({ id }: Json) => id < message.id).length <= 40, 'it did not wait for all the others');
});

test('erasing a person deletes their scheduled messages, and deleting a server deletes the scheduled messages in it', async () => {
  const ada = await join();
  const { id: channelId } = await scene.channel();
  const { id } = await schedule(ada, channelId);
  await eraseUser(world.data, { username: ada.user.username, messages: 'keep' });
  assert.equal(await world.data.db.read.first(find('scheduledMessage', { id })), undefined);
  assert.equal(await world.data.db.read.first(find('timer', { id })), undefined);
});
