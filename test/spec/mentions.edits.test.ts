import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { countsOf, openReading, say } from '../support/reading.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

// Mention notifications follow edits: a mention that an edit adds notifies once, and the notification for one that it
// removes is withdrawn.

const clock = new TestClock();
let world: World;
let scene: Scene;
let adaUser: Json;
let ada: Client;
let bobUser: Json;
let bob: Client;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
  scene = await Scene.open(world);
  [adaUser, bobUser] = [await world.user(), await world.user()];
  ada = await world.client(scene.server, ['canEditData'], adaUser);
  bob = await world.client(scene.server, ['canEditData'], bobUser);
});
after(() => world.close());

const told = async (client: Client, { id }: Json): Promise<string[]> => {
  const { data } = await client.get('/notifications?limit=100');
  return data.filter(({ messageId }: Json) => messageId === id).map(({ type }: Json) => type);
};
const edit = async (message: Json, content: string, by = scene.admin): Promise<Json> =>
  dataOf(await by.patch(`/messages/${message.id}`, { content }));

test('a mention that an edit adds notifies once, and one that it removes is withdrawn', async () => {
  const message = await scene.message({ content: 'hey' });
  await edit(message, `hey @${adaUser.username}`);
  await edit(message, `hey @${adaUser.username}, and @${bobUser.username}`);
  assert.deepEqual([await told(ada, message), await told(bob, message)], [['mention'], ['mention']]);
  await edit(message, `hey @${bobUser.username}`);
  assert.deepEqual([await told(ada, message), await told(bob, message)], [[], ['mention']]);
});

test('an edit that keeps a mention does not bring back a notification that was cleared', async () => {
  const message = await scene.message({ content: `@${adaUser.username} one` });
  const [{ id }] = (await ada.get('/notifications?limit=1')).data;
  const browser = await Browser.of(world, adaUser, scene.server);
  dataOf(await browser.post('/notifications/clear', { ids: [id] }));
  await edit(message, `@${adaUser.username} two`);
  assert.deepEqual(await told(ada, message), []);
});

test('a user who is also replied to, or follows the thread, is notified for that reason instead', async () => {
  const { id: channelId } = await scene.channel();
  const first = await scene.make('/messages', { channelId, content: 'One' }, ada);
  const answer = await scene.message({ channelId, replyToId: first.id, content: `@${adaUser.username}` });
  assert.deepEqual(await told(ada, answer), ['mention']);
  await edit(answer, 'yes');
  assert.deepEqual(await told(ada, answer), ['reply']);
  await edit(answer, `yes, @${adaUser.username}`);
  assert.deepEqual(await told(ada, answer), ['mention']);
  const thread = await scene.thread({ messageId: first.id });
  const reply = await scene.message({ threadId: thread.id, content: `@${adaUser.username}` });
  await edit(reply, 'nobody');
  assert.deepEqual(await told(ada, reply), ['thread']);
});

test('an edit notifies neither the author, nor the editor, nor members who cannot see the channel', async () => {
  const { id: channelId } = await scene.channel({ private: true });
  const hidden = await scene.message({ channelId });
  await edit(hidden, `@${adaUser.username}`);
  assert.deepEqual(await told(ada, hidden), []);
  const hers = await scene.make('/messages', { channelId: (await scene.channel()).id, content: 'I' }, ada);
  await edit(hers, `@${adaUser.username} @${scene.owner.username}`);
  assert.deepEqual([await told(ada, hers), await told(scene.admin, hers)], [[], []]);
});

test('mention counts are updated', async () => {
  const { scene, browser, other, ada } = await openReading(world, clock);
  const { id } = await scene.channel();
  const [first] = await say(clock, other, id, 'One', `Two @${ada.username}`);
  assert.deepEqual(await countsOf(browser, id), [2, 1]);
  await edit(first as Json, `One @${ada.username}`, other);
  assert.deepEqual(await countsOf(browser, id), [2, 2]);
  await edit(first as Json, 'One', other);
  assert.deepEqual(await countsOf(browser, id), [2, 1]);
});
