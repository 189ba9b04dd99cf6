// @run sqlite: tests the search index of SQLite
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Kysely } from 'kysely';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// The search index records the blocks in which a channel has messages.

/** More than one write of a sweep removes. */
const BLOCKS = 1_500;

// biome-ignore lint/suspicious/noExplicitAny: the table is the engine's own
const any = q as unknown as Kysely<any>;

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const blocksOf = (channelId: string): Promise<Json[]> =>
  world.data.db.read.all(any.selectFrom('searchBlock').selectAll().where('channelId', '=', channelId));

/** A channel with a message in the index, and many older blocks. */
async function indexed(): Promise<Json> {
  const channel = await scene.channel();
  await scene.message({ channelId: channel.id, content: 'zebra' });
  await scene.admin.get(`/channels/${channel.id}/messages?q=zebra`);
  await until(async () => (await blocksOf(channel.id)).length > 0);
  const rows = Array.from({ length: BLOCKS }, (_, index) => ({ channelId: channel.id, block: -index }));
  await world.data.db.write(async (tx) => {
    await tx.run(any.insertInto('searchBlock').values(rows));
  });
  return channel;
}

test('the sweep of a deleted channel removes all of it from the index, and nothing of the others', async () => {
  const [gone, kept] = [await indexed(), await indexed()];
  const before = await blocksOf(kept.id);
  await scene.remove(`/channels/${gone.id}`);
  await world.tidy();
  assert.deepEqual(await blocksOf(gone.id), []);
  assert.deepEqual(await blocksOf(kept.id), before);
  assert.deepEqual(await world.data.db.read.all(q.selectFrom('sweep').selectAll()), []);
});
