import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { engine } from '../support/databases.ts';
import { dataOf } from '../support/expect.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { assertSameCpu, type Request } from '../support/serverCpu.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
});
after(() => world.close());

interface Member {
  user: Json;
  browser: Browser;
}

async function join(): Promise<Member> {
  const user = await world.user();
  await world.member(scene.server, user);
  return { user, browser: await Browser.of(world, user, scene.server) };
}

test('a refusal costs the same whether the sender is blocked or the recipient accepts no messages', async () => {
  const [ada, cid, blocker, closed] = [await join(), await join(), await join(), await join()];
  const places: Json[] = [];
  for (const { user } of [blocker, closed]) {
    const dm = dataOf(await ada.browser.api.post('/conversations', { userIds: [user.id] }));
    const place = { channelId: dm.id };
    const own = dataOf(await ada.browser.api.post('/messages', { ...place, content: 'Hello' }));
    places.push({ dm, own, user });
  }
  for (const { user } of [ada, cid]) dataOf(await blocker.browser.post('/blocks', { userId: user.id }));
  dataOf(await closed.browser.patch('/me', { directMessages: 'nobody' }));
  const attempts: [string, Member, (place: Json) => [Request['method'], string, object]][] = [
    ['sending', ada, ({ dm }) => ['POST', '/messages', { channelId: dm.id, content: 'Hi' }]],
    ['editing', ada, ({ own }) => ['PATCH', `/messages/${own.id}`, { content: 'Hi' }]],
    ['renaming', ada, ({ dm }) => ['PATCH', `/channels/${dm.id}`, { name: 'We two' }]],
    ['a new one', cid, ({ user }) => ['POST', '/conversations', { userIds: [user.id] }]],
  ];
  // With the PostgreSQL driver, a refusal takes four times as long, so only one kind is measured.
  const measured = engine === 'sqlite' ? attempts : attempts.filter(([what]) => what === 'sending');
  for (const [what, by, requestOf] of measured)
    await assertSameCpu(world, by.browser, what, (side) => {
      const [method, path, body] = requestOf(places[side]);
      return { method, path: `/api/v1${path}`, body };
    });
});

test('a refusal costs the same for a long and an empty direct message', async () => {
  const [ada, bob, cid, eve] = [await join(), await join(), await join(), await join()];
  const open = async (user: Json) =>
    dataOf(await ada.browser.api.post('/conversations', { userIds: [user.id] }));
  const dms = [await open(bob.user), await open(cid.user)] as const;
  await fillChannel(world, dms[0], ada.user.id, 5_000, async () => {});
  // Indexes the messages now, so indexing does not disturb the measurement.
  dataOf(await ada.browser.api.get(`/channels/${dms[0].id}/messages?q=hello`));
  assert.equal(dataOf(await ada.browser.api.get(`/channels/${dms[0].id}/messages?limit=100`)).length, 100);
  await assertSameCpu(world, eve.browser, 'a search', (side) => ({
    method: 'GET',
    path: `/api/v1/channels/${dms[side].id}/messages?q=hello`,
  }));
});
