import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { addMessages, addReplies } from '../support/crowds.ts';
import { dataOf } from '../support/expect.ts';
import { countsOf, openReading, read, say as sayAt } from '../support/reading.ts';
import { type Client, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

const stage = () => openReading(world, clock);
const say = (by: Client, channelId: string, ...contents: string[]) =>
  sayAt(clock, by, channelId, ...contents);

const repeated = (amount: number) => Array.from({ length: amount }, () => 'x');

test('unread counts are exact up to 999 and capped at 1,000, excluding the reader’s own messages', async () => {
  const { scene, browser, other, ada } = await stage();
  const channel = await scene.channel();
  const { id } = channel;
  const own = await world.client(scene.server, ['canEditData'], ada);
  await say(own, id, ...Array.from({ length: 60 }, () => 'mine'));
  clock.advance(1);
  await addMessages(world, channel, scene.owner.id, 999);
  assert.deepEqual(await countsOf(browser, id), [999, 0]);
  await say(other, id, 'one more');
  assert.deepEqual(await countsOf(browser, id), [1_000, 0]);
  await say(other, id, 'and one');
  assert.deepEqual(await countsOf(browser, id), [1_000, 0]);
});

test('unread counts are exact regardless of the position and number of the reader’s own messages', async () => {
  const stories: [ownFirst: number, others: number, ownLater: number][] = [
    [1, 998, 1],
    [1, 999, 0],
    [0, 999, 1],
    [0, 1_000, 1],
    [1_000, 999, 0],
    [1_001, 999, 3],
    [999, 1_000, 0],
    [4_500, 955, 0],
    [3, 500, 4_100],
    [17_000, 7, 0],
  ];
  for (const [first, others, later] of stories) {
    // Each case has a new server, because its messages are added without events.
    const { scene, browser, ada } = await stage();
    const channel = await scene.channel();
    const { id } = channel;
    for (const [creatorId, amount] of [
      [ada.id, first],
      [scene.owner.id, others],
      [ada.id, later],
    ] as const) {
      clock.advance(1);
      await addMessages(world, channel, creatorId, amount);
    }
    // Counts twice, because the second count is cached.
    for (const _ of [1, 2])
      assert.deepEqual(await countsOf(browser, id), [others, 0], `${first}, ${others} and ${later}`);
  }
});

test('a cached count of 1,000 drops as soon as messages are deleted, regardless of how', async () => {
  const { scene, browser, other } = await stage();
  const channel = await scene.channel();
  const { id } = channel;
  const thread = await scene.thread({ channelId: id });
  const replies = async (amount: number) => {
    for (let number = 0; number < amount; number++) {
      clock.advance(1);
      dataOf(await other.post('/messages', { threadId: thread.id, content: 'reply' }));
    }
  };
  const sent = await say(other, id, ...repeated(70));
  clock.advance(1);
  await addMessages(world, channel, scene.owner.id, 900);
  await replies(30);
  assert.deepEqual(await countsOf(browser, id), [1_000, 0]);
  const [first, second, third, ...rest] = sent.map((message) => message.id as string);
  dataOf(await scene.admin.delete(`/messages/${second}`));
  assert.deepEqual(await countsOf(browser, id), [999, 0]);
  await say(other, id, 'one more');
  dataOf(await scene.admin.patch(`/messages/${third}`, { content: 'edited' }));
  assert.deepEqual(await countsOf(browser, id), [1_000, 0]);
  // Moving the marker forward recounts; moving it back does not.
  dataOf(await read(browser, { channelId: id, messageId: first as string }));
  assert.deepEqual(await countsOf(browser, id), [999, 0]);
  dataOf(await browser.post('/reading/unread', { channelId: id, messageId: first }));
  assert.deepEqual(await countsOf(browser, id), [1_000, 0]);
  dataOf(await scene.admin.post('/messages/delete', { channelId: id, ids: rest.slice(0, 10) }));
  assert.deepEqual(await countsOf(browser, id), [990, 0]);
  await say(other, id, ...repeated(40));
  assert.deepEqual(await countsOf(browser, id), [1_000, 0]);
  dataOf(await scene.admin.delete(`/threads/${thread.id}`));
  assert.deepEqual(await countsOf(browser, id), [1_000, 0]);
  // Another user has the same marker, but has written other messages.
  const writer = await world.user();
  await world.member(scene.server, writer);
  const theirs = await Browser.of(world, writer, scene.server);
  const writing = await world.client(scene.server, ['canEditData'], writer);
  clock.advance(10);
  dataOf(await theirs.post('/reading/unread', { channelId: id, messageId: first }));
  dataOf(await browser.post('/reading/unread', { channelId: id, messageId: first }));
  assert.deepEqual(await countsOf(theirs, id), [1_000, 0]);
  await say(writing, id, ...repeated(2));
  assert.deepEqual(await countsOf(theirs, id), [1_000, 0]);
  dataOf(await scene.admin.post('/messages/delete', { channelId: id, ids: rest.slice(10, 13) }));
  assert.deepEqual(await countsOf(theirs, id), [997, 0]);
  assert.deepEqual(await countsOf(browser, id), [999, 0]);
});

test('deleted replies are not counted, whether the sweep has removed them or not', async () => {
  const { scene, browser, other } = await stage();
  const { id } = await scene.channel();
  const thread = await scene.thread({ channelId: id });
  await say(other, id, '1', '2', '3');
  await addReplies(world, thread, 450);
  assert.deepEqual(await countsOf(browser, id), [453, 0]);
  dataOf(await scene.admin.delete(`/threads/${thread.id}`));
  assert.deepEqual(await countsOf(browser, id), [3, 0]);
  await say(other, id, '4');
  await world.tidy();
  assert.deepEqual(await countsOf(browser, id), [4, 0]);
});
