import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { countsOf, openReading, read, say, stateOf } from '../support/reading.ts';
import { TestClock, World } from '../support/world.ts';

const HOUR_MS = 60 * 60_000;

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

/** Runs a task with the clock set back by two hours. */
async function setBack(task: () => Promise<void>): Promise<void> {
  clock.advance(-2 * HOUR_MS);
  try {
    await task();
  } finally {
    clock.advance(2 * HOUR_MS);
  }
}

test('after the clock was set back, earlier messages can be marked as read', async () => {
  const { scene, browser, other } = await openReading(world, clock);
  const { id } = await scene.channel();
  const [, last] = await say(clock, other, id, 'one', 'two');
  await setBack(async () => {
    dataOf(await read(browser, { channelId: id, messageId: last?.id }));
    assert.deepEqual(await countsOf(browser, id), [0, 0]);
  });
});

test('after the clock was set back, marking all as read still clears earlier unread marks', async () => {
  const { scene, browser, other } = await openReading(world, clock);
  const { id } = await scene.channel();
  const { id: another } = await scene.channel();
  const [first] = await say(clock, other, id, 'one', 'two');
  const [root] = await say(clock, other, another, 'begins a thread');
  const thread = await scene.make('/threads', { messageId: root?.id }, other);
  const reply = await scene.make('/messages', { threadId: thread.id, content: 'a reply' }, other);
  const threadUnread = async (): Promise<number> =>
    dataOf(await browser.get(`/reading?threadIds=${thread.id}`)).threads[0].unread;
  clock.advance(HOUR_MS);
  dataOf(await browser.post('/reading/unread', { channelId: id, messageId: first?.id }));
  dataOf(await browser.post('/reading/unread', { threadId: thread.id, messageId: reply.id }));
  const { unreadAt } = await stateOf(browser, id);
  await setBack(async () => {
    dataOf(await browser.post('/reading/all', { serverId: scene.server.id }));
    assert.deepEqual(await countsOf(browser, id), [0, 0]);
    assert.equal(await threadUnread(), 0);
    // A message is marked as unread again, and the later mark wins.
    dataOf(await browser.post('/reading/unread', { channelId: id, messageId: first?.id }));
    assert.deepEqual(await countsOf(browser, id), [2, 0]);
    assert.ok((await stateOf(browser, id)).unreadAt > unreadAt);
  });
});

test('after the clock was set back, an earlier identity confirmation is not valid for longer', async () => {
  const browser = await Browser.claimed(world, await world.user());
  dataOf(await browser.post('/second-factor', {}));
  await setBack(async () => {
    assertRefused(await browser.post('/second-factor', {}), 'FORBIDDEN');
    dataOf(await browser.post('/proof', { password: PASSWORD }));
    dataOf(await browser.post('/second-factor', {}));
  });
});
