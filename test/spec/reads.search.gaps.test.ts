import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { seedMessages } from '../../bench/seed.ts';
import { databaseFile } from '../../server/src/cli/data.ts';
import { idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { listAll, World } from '../support/world.ts';

test('more unindexed messages than a portion, with gaps among them, are all found', async (t) => {
  const world = await World.open();
  t.after(() => world.close());
  const scene = await Scene.open(world);
  const channel = await scene.channel();
  const file = databaseFile(world.folder);
  seedMessages(file, channel, scene.owner.id, 4_000);
  const db = new DatabaseSync(file);
  // Short gaps, one longer than a portion, and one at the end.
  db.exec(`delete from message where ord % 7 = 0 or ord between 600 and 1800 or ord > 3990`);
  db.exec(`update message set content = 'needle ' || ord`);
  const left = db.prepare('select id from message order by id').all() as { id: string }[];
  db.close();
  assert.ok(left.length > 2_000);
  const path = `/channels/${channel.id}/messages?order=asc&q=needle`;
  assert.deepEqual(idsOf(await listAll(scene.admin, path)), idsOf(left));

  const { id } = await scene.message({ channelId: channel.id, content: 'a needle more' });
  assert.deepEqual(idsOf(await listAll(scene.admin, path)), [...idsOf(left), id]);
  assert.deepEqual(await listAll(scene.admin, `/channels/${channel.id}/messages?q=rain`), []);
});
