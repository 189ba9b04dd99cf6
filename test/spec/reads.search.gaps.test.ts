import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { idsOf } from '../support/expect.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { listAll, World } from '../support/world.ts';

test('a search finds all unindexed messages, even several batches with gaps between them', async (t) => {
  const world = await World.open();
  t.after(() => world.close());
  const scene = await Scene.open(world);
  const channel = await scene.channel();
  // Short gaps, one that is longer than a batch, and one at the end.
  const isGap = (place: number) => place % 7 === 0 || (place >= 600 && place <= 1800) || place > 3990;
  await fillChannel(world, channel, scene.owner.id, 4_000, async (tx, ids) => {
    const gone = ids.filter((_, index) => isGap(index + 1));
    await tx.run(q.deleteFrom('message').where('id', 'in', gone));
    await tx.run(q.updateTable('message').set({ content: sql<string>`'needle ' || id` }));
  });
  const left = await world.data.db.read.all(q.selectFrom('message').select('id').orderBy('id'));
  assert.ok(left.length > 2_000);
  const path = `/channels/${channel.id}/messages?order=asc&q=needle`;
  assert.deepEqual(idsOf(await listAll(scene.admin, path)), idsOf(left));

  const { id } = await scene.message({ channelId: channel.id, content: 'a needle more' });
  assert.deepEqual(idsOf(await listAll(scene.admin, path)), [...idsOf(left), id]);
  assert.deepEqual(await listAll(scene.admin, `/channels/${channel.id}/messages?q=rain`), []);
});
