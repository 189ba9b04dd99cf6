import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

test('a channel is in one category of its server, or in none', async () => {
  const { admin, server } = scene;
  const first = await scene.category({ position: 5 });
  const second = await scene.category();
  assert.equal(second.position, 6, 'after the last one by default');
  const channel = await scene.channel({ categoryId: first.id });
  assert.equal(channel.categoryId, first.id);
  const path = `/channels/${channel.id}`;
  assert.equal(dataOf(await admin.patch(path, { categoryId: second.id })).categoryId, second.id);
  assert.equal(dataOf(await admin.patch(path, { categoryId: null })).categoryId, null);
  assert.equal((await scene.channel()).categoryId, null);

  const other = await (await Scene.open(world)).category();
  const mismatched = await admin.patch(path, { categoryId: other.id });
  assertRefused(mismatched, 'INVALID_REQUEST', '', 'categoryId');
  assertRefused(await admin.patch(path, { categoryId: channel.id }), 'NOT_FOUND');
  assertRefused(
    await admin.post('/channels', { name: 'Elsewhere', categoryId: other.id }),
    'INVALID_REQUEST',
  );
  const ids = dataOf(await admin.get(`/servers/${server.id}/categories`)).map(({ id }: Json) => id);
  assert.deepEqual(ids, [first.id, second.id]);
});

test('when a category is deleted, its channels remain, also in snapshots', async () => {
  const { admin, server, owner } = scene;
  const browser = await Browser.of(world, owner, server);
  const snapshot = async () => dataOf(await browser.get(`/servers/${server.id}/snapshot`));
  const kept = await scene.category();
  const gone = await scene.category({ position: 0 });
  const channel = await scene.channel({ categoryId: gone.id });
  const before = await snapshot();
  assert.equal(before.categories[0].id, gone.id, 'by position');
  dataOf(await admin.patch(`/categories/${kept.id}`, { name: 'Kept' }));
  await scene.remove(`/categories/${gone.id}`);
  const { categories, channels } = await snapshot();
  assert.ok(!categories.some(({ id }: Json) => id === gone.id));
  assert.equal(categories.find(({ id }: Json) => id === kept.id).name, 'Kept');
  assert.equal(channels.find(({ id }: Json) => id === channel.id).categoryId, null);
});
