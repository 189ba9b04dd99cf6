import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// During an upgrade, nodes of the previous version can only read events that contain the whole record.

/** The lock that every node holds. Nodes that support versions also hold a second one. */
const NODE_LOCK_KEY = '31632379671078258';

const world = await World.open();
const older = new Client({ connectionString: world.place.database });
await older.connect();
after(async () => {
  await older.end();
  await world.close();
});

test('while an older node runs, events contain the records; afterwards, upkeep converts these events', async () => {
  const { db } = world.data;
  await older.query(`select pg_advisory_lock_shared(${NODE_LOCK_KEY})`);
  await db.join(true);
  assert.equal(db.hasOlderNodes(), true);
  const scene = await Scene.open(world);
  await scene.message({ content: 'in whole' });
  const gone = await scene.message({ content: 'to be deleted' });
  await scene.remove(`/messages/${gone.id}`);
  const stored = async () => JSON.stringify(await db.read.all(find('event', { logId: scene.server.id })));
  assert.match(await stored(), /in whole/);
  await world.tidy();
  assert.match(await stored(), /in whole/, 'older nodes may still read them');
  const shown = async (): Promise<Json[]> => dataOf(await scene.admin.get('/events?types=message.*'));
  const before = await shown();
  assert.deepEqual(
    before.map(({ data }) => data.content),
    ['in whole', '', ''],
  );
  await older.query(`select pg_advisory_unlock_shared(${NODE_LOCK_KEY})`);
  await until(() => !db.hasOlderNodes(), 20_000);
  await scene.message({ content: 'in part' });
  await world.tidy();
  assert.doesNotMatch(await stored(), /in whole|to be deleted|in part/);
  assert.deepEqual((await shown()).slice(0, 3), before);
});
