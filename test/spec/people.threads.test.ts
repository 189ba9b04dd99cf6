import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { countedReads } from '../support/countedReads.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let user: Json;
let browser: Browser;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  user = await world.user();
  await world.member(scene.server, user);
  browser = await Browser.of(world, user, scene.server);
});
after(() => world.close());

test('a view of a thread has its replies, the thread, its root message and everything needed to display them', async () => {
  const starter = await world.client(scene.server, ['canEditData']);
  const channel = await scene.channel();
  const root = dataOf(await browser.api.post('/messages', { channelId: channel.id, content: 'Root' }));
  const { data: thread } = await starter.post('/threads', { messageId: root.id, name: 'Aside' });
  const replies: Json[] = [];
  for (let number = 0; number < 7; number++) replies.push(await scene.message({ threadId: thread.id }));
  await scene.message({ channelId: channel.id });
  const ids = idsOf(replies);
  const own: Json[] = [];
  for (const messageId of [root.id, ids[2]])
    own.push(dataOf(await browser.api.post('/reactions', { messageId, emoji: '👍' })));
  dataOf(await starter.post('/reactions', { messageId: ids[3], emoji: '👍' }));
  const pins = [
    await scene.make('/pins', { messageId: root.id }),
    await scene.make('/pins', { messageId: ids[1] }),
  ];
  const view = async (query = '', limit = 3): Promise<Json> =>
    dataOf(await browser.get(`/threads/${thread.id}/view?limit=${limit}${query}`), query);
  const shown = await view('', 50);
  assert.deepEqual(shown.messages, dataOf(await browser.api.get(`/threads/${thread.id}`)).messages);
  assert.deepEqual(shown.thread, dataOf(await browser.api.get(`/threads/${thread.id}/info`)));
  assert.deepEqual(shown.message, dataOf(await browser.api.get(`/messages/${root.id}`)));
  assert.deepEqual(idsOf(shown.users).sort(), [user.id, scene.owner.id, thread.creatorId].sort());
  assert.deepEqual(idsOf(shown.reactions), idsOf(own));
  assert.deepEqual(idsOf(shown.pins), idsOf(pins));
  assert.deepEqual(idsOf(shown.threads), [thread.id]);
  assert.deepEqual([shown.before, shown.after, shown.cursor], [null, null, await scene.cursor()]);

  const latest = await view();
  assert.deepEqual([idsOf(latest.messages), latest.after], [ids.slice(4), null]);
  const upwards = [...latest.messages];
  for (let { before } = latest; before !== null; ) {
    const earlier = await view(`&before=${before}`);
    assert.deepEqual(earlier.message, shown.message);
    upwards.unshift(...earlier.messages);
    before = earlier.before;
  }
  assert.deepEqual(idsOf(upwards), ids);
  const around = await view(`&around=${ids[3]}`);
  assert.deepEqual(idsOf(around.messages), ids.slice(2, 5));
  assert.deepEqual(idsOf((await view(`&after=${around.after}`)).messages), ids.slice(5));
  assert.deepEqual(idsOf((await view(`&before=${around.before}`)).messages), ids.slice(0, 2));
  for (const wrong of [`&before=${ids[1]}&after=${ids[2]}`, '&around=somewhere', '&limit=101'])
    assertRefused(await browser.get(`/threads/${thread.id}/view?limit=3${wrong}`), 'INVALID_REQUEST', wrong);

  await scene.remove(`/messages/${root.id}`);
  const detached = await view();
  assert.deepEqual([detached.message, detached.thread.messageId, detached.threads], [null, null, []]);
  assert.deepEqual(idsOf(detached.messages), ids.slice(4));
});

test('a thread without a root message, or without replies, has a view; one in an invisible channel has none', async () => {
  const { id: channelId } = await scene.channel();
  const empty = await scene.make('/threads', { channelId, name: 'Empty' });
  const shown = dataOf(await browser.get(`/threads/${empty.id}/view`));
  assert.deepEqual(
    [shown.message, shown.messages, shown.before, shown.after, idsOf(shown.users)],
    [null, [], null, null, [scene.owner.id]],
  );
  const closed = await scene.channel({ private: true });
  const hidden = await scene.make('/threads', { channelId: closed.id });
  assertRefused(await browser.get(`/threads/${hidden.id}/view`), 'FORBIDDEN');
  assertRefused(await browser.get('/threads/none/view'), 'NOT_FOUND');
  await scene.remove(`/threads/${empty.id}`);
  assertRefused(await browser.get(`/threads/${empty.id}/view`), 'NOT_FOUND');
});

test('a view of a thread takes the same number of statements for a hundred replies as for two', async () => {
  const threads = await Promise.all([2, 100].map(() => scene.thread()));
  for (const [index, amount] of [2, 100].entries())
    for (let number = 0; number < amount; number++) {
      const { id: messageId } = await scene.message({ threadId: threads[index].id });
      if (number % 9 === 0) await scene.make('/pins', { messageId });
    }
  const counts = await countedReads(world, async (count) => {
    const found: number[] = [];
    await browser.get('/me');
    for (const { id } of threads) {
      const times: number[] = [];
      // Takes the minimum of three, because the node itself reads occasionally.
      for (let time = 0; time < 3; time++) {
        const before = count();
        dataOf(await browser.get(`/threads/${id}/view?limit=100`));
        times.push(count() - before);
      }
      found.push(Math.min(...times));
    }
    return found;
  });
  assert.equal(counts[1], counts[0]);
  assert.ok((counts[0] as number) > 0 && (counts[0] as number) <= 9, String(counts));
});
