import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { engine } from '../support/databases.ts';
import { dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { find, insert, q } from '../support/sources.ts';
import { listAll, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

test('concurrent writes in one server share a commit', async () => {
  const { db } = world.data;
  const { batches, works } = db.figures;
  const values = Array.from({ length: 60 }, (_, index) => index);
  const written = await Promise.all(
    values.map((index) =>
      db.write(async (tx) => {
        await tx.run(insert('setting', { name: `shared ${index}`, value: 'kept' }));
        return index;
      }, scene.server.id),
    ),
  );
  assert.deepEqual(written, values);
  assert.deepEqual([db.figures.batches, db.figures.works], [batches + 1, works + values.length]);
});

test('failed writes in a shared commit have no effect, and the others are stored once', async () => {
  const { db } = world.data;
  const name = (index: number) => ({ name: `batch ${index}` });
  const batches = db.figures.batches;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) =>
      db.write(async (tx) => {
        await tx.run(insert('setting', { ...name(index), value: 'kept' }));
        if (index % 3 === 1) throw new Error(`refused ${index}`);
        // Inserts the same name again, which violates the primary key.
        if (index % 3 === 2) await tx.run(insert('setting', { ...name(index), value: 'twice' }));
        return index;
      }, scene.server.id),
    ),
  );
  // PostgreSQL has rolled back the batch and run each write separately.
  if (engine === 'sqlite') assert.equal(db.figures.batches, batches + 1, 'the writes shared a commit');
  for (const [index, outcome] of outcomes.entries()) {
    assert.equal(outcome.status, index % 3 === 0 ? 'fulfilled' : 'rejected', `${index}`);
    if (outcome.status === 'fulfilled') assert.equal(outcome.value, index);
    if (index % 3 === 1) assert.match(String((outcome as PromiseRejectedResult).reason), /refused/);
    const row = await db.read.first(find('setting', name(index)));
    assert.equal(row?.value, index % 3 === 0 ? 'kept' : undefined, `${index}`);
  }
  const rows = await db.read.all(q.selectFrom('setting').select('name').where('name', 'like', 'batch %'));
  assert.equal(rows.length, 20);
});

test('messages batched with requests that fail late are stored exactly once', async () => {
  const channel = await scene.channel();
  const emoji = { messageId: (await scene.message()).id, emoji: '👍' };
  dataOf(await scene.admin.post('/reactions', emoji));
  const user = await world.user();
  const sends = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      // Only one request adds the user as a member, and the reaction already exists.
      const [sent, joined, reacted] = await Promise.all([
        scene.admin.post('/messages', { channelId: channel.id, content: `${index}` }),
        scene.admin.post('/server-members', { userId: user.id }),
        scene.admin.post('/reactions', emoji),
      ]);
      return { sent, joined, reacted };
    }),
  );
  assert.equal(sends.filter(({ joined }) => joined.status === 200).length, 1);
  assert.ok(sends.every(({ joined }) => [200, 409].includes(joined.status)));
  assert.ok(sends.every(({ reacted }) => reacted.status === 409));
  const ids = sends.map(({ sent }) => dataOf(sent).id);
  const kept = await listAll(scene.admin, `/channels/${channel.id}/messages`);
  assert.deepEqual(idsOf(kept).sort(), ids.sort());
});
