import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const clock = new TestClock();
let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: {}, clock });
  scene = await Scene.open(world);
});
after(() => world.close());

async function join(): Promise<{ user: Json; api: Browser['api'] }> {
  const user = await world.user();
  await world.member(scene.server, user);
  return { user, api: (await Browser.of(world, user, scene.server)).api };
}

test('a person starts at most ten direct messages a minute', async () => {
  const [ada, bob] = [await join(), await join()];
  const others: Json[] = [];
  for (let count = 0; count < 12; count++) others.push((await join()).user);
  const start = (by: typeof ada, at: number) =>
    by.api.post('/conversations', { userIds: [(others[at] as Json).id] });
  const first = dataOf(await start(ada, 0));
  clock.advance(1_000);
  // An attempt to start an existing direct message takes a slot, too.
  assertRefused(await start(ada, 0), 'ALREADY_EXISTS');
  for (let at = 1; at < 9; at++) dataOf(await start(ada, at), `${at}`);
  const refused = await start(ada, 9);
  assertRefused(refused, 'RATE_LIMITED');
  assert.equal(refused.headers.get('retry-after'), '59');
  dataOf(await start(bob, 9), 'somebody else');
  dataOf(await ada.api.post('/messages', { channelId: first.id, content: 'Still writing' }));
  clock.advance(MINUTE_MS - 1_001);
  assertRefused(await start(ada, 9), 'RATE_LIMITED');
  clock.advance(1);
  dataOf(await start(ada, 9), 'the first slot is free');
  assertRefused(await start(ada, 10), 'RATE_LIMITED');
  clock.advance(1_000);
  for (let at = 10; at < 12; at++) dataOf(await start(ada, at), `${at}`);
});

test('agents have the same limit', async () => {
  const agent = await world.client(scene.server, [], await world.user({ agent: true }));
  clock.advance(MINUTE_MS);
  for (let count = 0; count < 10; count++)
    dataOf(await agent.post('/conversations', { userIds: [(await join()).user.id] }));
  const refused = await agent.post('/conversations', { userIds: [(await join()).user.id] });
  assertRefused(refused, 'RATE_LIMITED');
});
