import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseUser } from '../../server/src/cli/people/erase.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
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

async function join(): Promise<{ user: Json; browser: Browser }> {
  const user = await world.user();
  await world.member(scene.server, user);
  return { user, browser: await Browser.of(world, user) };
}

const savedOf = async (browser: Browser): Promise<Json[]> => dataOf(await browser.get('/saved'));

async function noticesOf(browser: Browser): Promise<Json[]> {
  browser.place = scene.server.id;
  const found = dataOf(await browser.api.get('/notifications?excerpts=true'));
  browser.place = 'none';
  return found;
}

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await world.node.clock?.look();
}

test('saved messages are listed across all servers, newest first, and can be removed', async () => {
  const { browser } = await join();
  const [one, two] = [await scene.message({ content: 'One' }), await scene.message({ content: 'Two' })];
  const first = dataOf(await browser.post('/saved', { messageId: one.id }));
  assert.equal(first.remindAt, null);
  dataOf(await browser.post('/saved', { messageId: two.id }));
  assert.deepEqual(dataOf(await browser.post('/saved', { messageId: one.id })), first, 'saving twice');
  assert.deepEqual(
    (await savedOf(browser)).map(({ message }) => message.content),
    ['Two', 'One'],
  );
  const other = await join();
  assert.deepEqual(await savedOf(other.browser), []);
  assertRefused(await other.browser.delete(`/saved/${first.id}`), 'NOT_FOUND');
  dataOf(await browser.delete(`/saved/${first.id}`));
  assert.equal((await savedOf(browser)).length, 1);
});

test('a saved message with blocks but no content shows the text of its blocks', async () => {
  const { browser } = await join();
  const agent = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
  const blocks = [{ type: 'section', text: 'The build **failed**' }];
  const { id: channelId } = await scene.place();
  const message = dataOf(await agent.post('/messages', { channelId, content: '', blocks }));
  dataOf(await browser.post('/saved', { messageId: message.id }));
  assert.deepEqual(
    (await savedOf(browser)).map(({ message }) => message.content),
    ['The build failed'],
  );
});

test('a saved message that is no longer visible does not show its content', async () => {
  const { user, browser } = await join();
  const messages = await Promise.all([1, 2, 3].map(() => scene.message({ content: 'Zebra' })));
  for (const { id } of messages) dataOf(await browser.post('/saved', { messageId: id }));
  const [deleted, hidden] = messages as [Json, Json];
  await scene.remove(`/messages/${deleted.id}`);
  dataOf(await scene.admin.patch(`/channels/${hidden.channelId}`, { private: true, roleIds: [] }));
  const contents = async () => (await savedOf(browser)).map(({ message }) => message?.content ?? null);
  assert.deepEqual(await contents(), ['Zebra', null, null]);
  const member = await world.data.db.read.first(
    find('serverMember', { serverId: scene.server.id, userId: user.id }),
  );
  await scene.remove(`/server-members/${member?.id}`);
  assert.deepEqual(await contents(), [null, null, null]);
  assertRefused(await browser.post('/saved', { messageId: messages[2]?.id }), 'FORBIDDEN');
});

test('a reminder notifies once, when it is due', async () => {
  const { browser } = await join();
  const message = await scene.message({ content: 'Call Ada' });
  const remindAt = clock.at + MINUTE_MS;
  const { id } = dataOf(await browser.post('/saved', { messageId: message.id, remindAt }));
  await pass(MINUTE_MS - 1);
  assert.deepEqual(await noticesOf(browser), []);
  await pass(1);
  const [notice, ...others] = await noticesOf(browser);
  assert.deepEqual(
    [notice?.type, notice?.messageId, notice?.actorId, notice?.excerpt, others.length],
    ['reminder', message.id, message.creatorId, 'Call Ada', 0],
  );
  await pass(DAY_MS);
  assert.equal((await noticesOf(browser)).length, 1);
  const [saved] = await savedOf(browser);
  assert.deepEqual([saved?.id, saved?.remindAt], [id, null], 'it stays saved');
});

test('a reminder can be changed and removed, and requires that the person still sees the message', async () => {
  const { browser } = await join();
  const messages = await Promise.all([1, 2, 3, 4].map(() => scene.message()));
  const [moved, cleared, deleted, hidden] = messages.map(({ id }) => id as string);
  const remind = async (messageId: string | undefined, remindAt: number | null) =>
    dataOf(await browser.post('/saved', { messageId, remindAt }));
  for (const { id } of messages) await remind(id, clock.at + MINUTE_MS);
  await remind(moved, clock.at + 2 * MINUTE_MS);
  await remind(cleared, null);
  await scene.remove(`/messages/${deleted}`);
  const channelId = messages[3]?.channelId;
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { private: true, roleIds: [] }));
  await pass(MINUTE_MS);
  assert.deepEqual(await noticesOf(browser), []);
  assert.ok(hidden);
  await pass(MINUTE_MS);
  assert.deepEqual(
    (await noticesOf(browser)).map(({ messageId }) => messageId),
    [moved],
  );
});

test("a reminder's time is bounded", async () => {
  const { browser } = await join();
  const { id: messageId } = await scene.message();
  const remind = (remindAt: unknown) => browser.post('/saved', { messageId, remindAt });
  for (const bad of [clock.at, 0, -1, 1.5, '9:00', clock.at + 366 * DAY_MS + 1])
    assertRefused(await remind(bad), 'INVALID_REQUEST', `${bad}`, 'remindAt');
  for (const good of [clock.at + 1, clock.at + 366 * DAY_MS, null]) dataOf(await remind(good));
});

test('erasing a person deletes their saved messages', async () => {
  const { user, browser } = await join();
  const { id: messageId } = await scene.message();
  const { id } = dataOf(await browser.post('/saved', { messageId, remindAt: clock.at + MINUTE_MS }));
  await eraseUser(world.data, { username: user.username, messages: 'keep' });
  assert.equal(await world.data.db.read.first(find('saved', { id })), undefined);
  assert.equal(await world.data.db.read.first(find('timer', { id })), undefined);
});
