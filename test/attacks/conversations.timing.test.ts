import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertAlike } from '../support/alike.ts';
import { dataOf } from '../support/expect.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
});
after(() => world.close());

async function join(): Promise<{ user: Json; browser: Browser }> {
  const user = await world.user();
  await world.member(scene.server, user);
  return { user, browser: await Browser.of(world, user, scene.server) };
}

/** Asserts that two requests are refused with the same message after about the same time. */
async function assertSame(what: string, ask: (side: 0 | 1) => Promise<Answer>): Promise<void> {
  const shown = ({ status, body }: Answer) => [status, { ...body.error, requestId: '' }];
  assert.deepEqual(shown(await ask(0)), shown(await ask(1)), what);
  const times = await assertAlike(what, ask);
  console.log(`${what}: ${times.map((ms) => ms.toFixed(3)).join(' and ')} ms`);
}

test('a block takes the same time as the setting to accept no messages', async () => {
  const [ada, blocker, closed] = [await join(), await join(), await join()];
  const open = async (user: Json) =>
    dataOf(await ada.browser.api.post('/conversations', { userIds: [user.id] }));
  const dms = [await open(blocker.user), await open(closed.user)] as const;
  const messages: Json[] = [];
  for (const [at, { browser }] of [blocker, closed].entries())
    messages.push(dataOf(await browser.api.post('/messages', { channelId: dms[at]?.id, content: 'Hello' })));
  dataOf(await blocker.browser.post('/blocks', { userId: ada.user.id }));
  dataOf(await closed.browser.patch('/me', { directMessages: 'nobody' }));
  const { api } = ada.browser;
  await assertSame('sending', (side) => api.post('/messages', { channelId: dms[side].id, content: 'Hi' }));
  await assertSame('reacting', (side) =>
    api.post('/reactions', { messageId: messages[side]?.id, emoji: '👋' }),
  );
  const cid = await join();
  dataOf(await blocker.browser.post('/blocks', { userId: cid.user.id }));
  const users = [blocker.user, closed.user] as const;
  await assertSame('a new one', (side) =>
    cid.browser.api.post('/conversations', { userIds: [users[side].id] }),
  );
});

test('a refusal costs the same for a long and an empty direct message', async () => {
  const [ada, bob, cid, eve] = [await join(), await join(), await join(), await join()];
  const open = async (user: Json) =>
    dataOf(await ada.browser.api.post('/conversations', { userIds: [user.id] }));
  const dms = [await open(bob.user), await open(cid.user)] as const;
  await fillChannel(world, dms[0], ada.user.id, 5_000, async () => {});
  // Indexes the messages, which would otherwise happen during the measurement.
  dataOf(await ada.browser.api.get(`/channels/${dms[0].id}/messages?q=hello`));
  const { api } = eve.browser;
  for (const query of ['', '?q=hello', '?limit=100'])
    await assertSame(`a page ${query}`, (side) => api.get(`/channels/${dms[side].id}/messages${query}`));
});
