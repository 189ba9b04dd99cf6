import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillIdle } from '../support/idleData.ts';
import { fillLog } from '../support/log.ts';
import { until } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { World } from '../support/world.ts';

/** Palaver promises 5 seconds, or 1 second without Valkey. The rest is a margin for a busy machine. */
const SEEN_MS = 15_000;
const nobody = () => Promise.reject(new Error('unexpected call'));

/** A process that never notifies others of its commits, like one that crashes right after a commit. */
const mute = (world: World) => World.open({ place: world.place });

test("a commit without a notification still reaches another process's readers and webhooks", async (t) => {
  const world = await World.open({ privateWebhooks: true, webhooks: {} });
  t.after(() => world.close());
  const receiver = await Receiver.open();
  t.after(() => receiver.close());
  const scene = await Scene.open(world);
  const channel = await scene.channel();
  await scene.webhook({ url: receiver.url, types: ['message.created'] });
  // So many logs that polling them one after another would take longer than promised.
  const { url, file } = { url: world.place.database, file: `${world.folder}/palaver.db` };
  await fillIdle(url ? { url } : { file }, { servers: 4_000, webhooks: 4_000 });

  const reader = await world.feed.reader(scene.server.id, {}, nobody);
  t.after(() => reader.close());
  const other = await mute(world);
  t.after(() => other.close());
  const body = { channelId: channel.id, content: 'quietly' };
  const answer = await other.as(scene.admin.key).post('/messages', body);
  assert.equal(answer.status, 200);
  await until(() => !reader.isAtEnd && receiver.deliveries.length === 1, SEEN_MS);
  assert.equal(receiver.deliveries[0]?.event.data.id, answer.data.id);
});

test('a new epoch makes tails reread their logs, to find missed events and replaced logs', async (t) => {
  const world = await World.open();
  t.after(() => world.close());
  const [grown, replaced] = [await Scene.open(world), await Scene.open(world)];
  const readers = [
    await world.feed.reader(grown.server.id, {}, nobody),
    await world.feed.reader(replaced.server.id, {}, nobody),
  ] as const;
  let lost = 0;
  readers[0].onLost = () => assert.fail('this log was not replaced');
  readers[1].onLost = () => lost++;
  // Events dated 1970, which a query for the newest events does not find.
  await fillLog(world, grown.server.id, 3, 1_000_000);
  const { db } = world.data;
  const newest = q
    .selectFrom('event')
    .select('seq')
    .where('logId', '=', replaced.server.id)
    .orderBy('seq', 'desc')
    .limit(1);
  const last = await db.read.first(newest);
  await db.write((tx) =>
    tx.run(
      q
        .deleteFrom('event')
        .where('logId', '=', replaced.server.id)
        .where('seq', '=', last?.seq ?? 0),
    ),
  );
  await db.write((tx) =>
    tx.run(q.updateTable('setting').set({ value: 'ffffffffffff' }).where('name', '=', 'epoch')),
  );
  await until(() => !readers[0].isAtEnd && lost === 1, SEEN_MS);
  for (const reader of readers) reader.close();
});
