import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { find, q } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

/** The longest time between two heartbeats of a node. */
const HEARTBEAT_MS = 15_000;

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

test('a node that was considered dead and continues shows its people as online again', async () => {
  const scene = await Scene.open(world);
  const users: Json[] = [await world.user(), await world.user()];
  const browsers: Browser[] = [];
  for (const user of users) {
    await world.member(scene.server, user);
    browsers.push(await Browser.of(world, user, scene.server));
  }
  const streams = await Promise.all(browsers.map((browser) => browser.stream()));
  const ids = users.map(({ id }) => id);
  const watcher = await Browser.of(world, scene.owner, scene.server);
  const shown = async (): Promise<string> =>
    dataOf(await watcher.get(`/presence?userIds=${ids}`))
      .people.map(({ status }: Json) => status)
      .join();
  await until(async () => (await shown()) === 'online,online');

  // Simulates another node that has missed this node's heartbeats and removes its presence rows.
  await world.data.db.write((tx) => tx.run(q.deleteFrom('presenceNode')));
  assert.equal(await shown(), 'offline,offline');
  clock.advance(HEARTBEAT_MS + 1);
  await until(async () => (await shown()) === 'online,online');
  const noted = await world.data.db.read.all(find('nodePerson', { userId: ids[0] }));
  assert.equal(noted.length, 1);
  for (const stream of streams) stream.close();
});

test('concurrent first presence changes from several tabs all succeed', async () => {
  const browser = await Browser.of(world, await world.user());
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) => browser.patch('/presence/me', { text: `Text ${number}` })),
  );
  for (const answer of answers) dataOf(answer);
});
