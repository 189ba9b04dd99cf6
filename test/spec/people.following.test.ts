import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

// Tests following threads: who is notified of new replies.

let world: World;
let scene: Scene;
let browser: Browser;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  const user = await world.user();
  await world.member(scene.server, user);
  browser = await Browser.of(world, user, scene.server);
});
after(() => world.close());

const following = async (thread: Json): Promise<boolean> => {
  const state = dataOf(await browser.get(`/threads/${thread.id}/following`));
  assert.equal(state.threadId, thread.id);
  return state.following;
};
const set = async (thread: Json, isOn: boolean): Promise<Json> =>
  browser.send('PATCH', `/threads/${thread.id}/following`, { following: isOn });
/** True if another user's reply creates a notification. */
async function isTold(thread: Json): Promise<boolean> {
  const reply = await scene.message({ threadId: thread.id });
  const list: Json[] = dataOf(await browser.api.get('/notifications'));
  return list.some(({ messageId, type }) => messageId === reply.id && type === 'thread');
}

test('a user who follows a thread is notified of replies, and one who unfollows it is not, until they reply again', async () => {
  const thread = await scene.thread();
  assert.deepEqual([await following(thread), await isTold(thread)], [false, false]);
  for (let time = 0; time < 2; time++) assert.equal(dataOf(await set(thread, true)).following, true);
  assert.deepEqual([await following(thread), await isTold(thread)], [true, true]);
  for (let time = 0; time < 2; time++) assert.equal(dataOf(await set(thread, false)).following, false);
  assert.deepEqual([await following(thread), await isTold(thread)], [false, false]);
  dataOf(await browser.api.post('/messages', { threadId: thread.id, content: 'I write again' }));
  assert.deepEqual([await following(thread), await isTold(thread)], [true, true]);
});

test('a thread in a channel that the user cannot see cannot be followed', async () => {
  const closed = await scene.channel({ private: true });
  const { id: messageId } = await scene.message({ channelId: closed.id });
  const hidden = await scene.thread({ messageId });
  assertRefused(await set(hidden, true), 'NOT_FOUND');
  assertRefused(await browser.get(`/threads/${hidden.id}/following`), 'FORBIDDEN');
  const gone = await scene.thread();
  await scene.remove(`/threads/${gone.id}`);
  assertRefused(await set(gone, true), 'NOT_FOUND');
});
