import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test('old events are removed, except the latest of each server', async (t) => {
  const clock = new TestClock();
  const world = await World.open({ clock });
  t.after(() => world.close());
  const scene = await Scene.open(world);
  await world.server(scene.owner);
  const { db } = world.data;
  const log = (serverId: string) =>
    db.read.all(q.selectFrom('event').select(['seq', 'at']).where('logId', '=', serverId).orderBy('seq'));
  const channel = await scene.channel();
  for (let index = 0; index < 620; index++) await scene.message({ channelId: channel.id });
  const old = await log(scene.server.id);

  clock.advance(20 * DAY_MS);
  await scene.message({ channelId: channel.id });
  await world.tidy();
  assert.equal((await log(scene.server.id)).length, old.length + 1);

  clock.advance(11 * DAY_MS);
  await world.tidy();
  assert.deepEqual(
    (await log(scene.server.id)).map(({ seq }) => seq),
    [old.length + 1],
  );
  clock.advance(31 * DAY_MS);
  await world.tidy();
  assert.deepEqual(
    (await log(scene.server.id)).map(({ seq }) => seq),
    [old.length + 1],
  );
  await scene.message({ channelId: channel.id });
  assert.equal((await log(scene.server.id)).at(-1)?.seq, old.length + 2);
  const counts = await db.read.all(
    q
      .selectFrom('event')
      .select((eb) => ['logId', eb.fn.countAll<number>().as('count')])
      .groupBy('logId'),
  );
  assert.ok(
    counts.every(({ count }) => count > 0),
    'each server keeps its sequence number',
  );
});
