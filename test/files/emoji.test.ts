import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { photo, png, SECRET } from '../support/pictures.ts';
import { Scene } from '../support/scene.ts';
import { plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Custom emoji: upload, name, picture and deletion.

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ quotas: { emoji: 6 } });
  scene = await Scene.open(world);
});
after(() => world.close());

const small = Buffer.from(png(40, 40));
const add = (name: string, bytes: Uint8Array<ArrayBuffer> = small, by: Pick<Client, 'key'> = scene.admin) =>
  upload(world, by, bytes, 'emoji.png', { path: '/emoji', fields: { name } });
const status = async (url: string): Promise<number> => (await fetch(world.url + url)).status;

test('an emoji has a folded name in any script, and a picture without metadata that is deleted with it', async () => {
  const { admin, server, owner } = scene;
  const made = dataOf(await add('Party_Parrot', await photo(600, 400).jpeg().toBuffer()));
  assert.deepEqual([made.name, made.serverId, made.creatorId], ['party_parrot', server.id, owner.id]);
  const event = (await logOf(world, server.id)).find(({ type }) => type === 'emoji.created');
  assert.deepEqual((event as Json).data, made);
  const bytes = Buffer.from(await (await fetch(world.url + made.url)).arrayBuffer());
  assert.ok(bytes.length > 0 && !bytes.includes(SECRET));
  const other = dataOf(await add('ÄRGER-2'));
  assert.equal(other.name, 'ärger-2');
  dataOf(await add('समोसा'));
  assert.deepEqual(
    dataOf(await admin.get(`/servers/${server.id}/emoji`)).map(({ name }: Json) => name),
    ['party_parrot', 'ärger-2', 'समोसा'],
  );
  const stored = storedIn(world.folder).length;
  dataOf(await admin.delete(`/emoji/${made.id}`));
  assert.equal(await status(made.url), 404);
  assert.equal(await status(other.url), 200);
  assert.ok(stored > 0);
  assert.equal(dataOf(await add('party_parrot')).name, 'party_parrot', 'the name is free again');
});

test('taken and invalid names, and files that are not small images, are rejected', async () => {
  const taken = dataOf(await add('taken'));
  const again = await add('TAKEN');
  assertRefused(again, 'ALREADY_EXISTS');
  assert.equal(again.body.error.details.id, taken.id);
  for (const name of ['', 'a b', ':a:', '👍', 'a\u202eb', '../x', 'x'.repeat(33), '<b>'])
    assertRefused(await add(name), 'INVALID_REQUEST', name, 'name');
  assertRefused(await upload(world, scene.admin, small, 'e.png', { path: '/emoji' }), 'INVALID_REQUEST');
  for (const bytes of [plainBytes(), Buffer.from(png(1025, 10)), plainBytes(1_100_000)])
    assertRefused(await add('wrong', bytes), 'INVALID_REQUEST');
  const guest = await world.client(scene.server, ['canEditData', 'canModerate']);
  assertRefused(await add('guest', small, guest), 'FORBIDDEN');
});

test('a server has a limited number of emoji', async () => {
  for (let left = 6; left > 0; left--) {
    const { body } = await add(world.unique('e').toLowerCase());
    if (body.ok) continue;
    assert.equal(body.error.details[0].reason, 'quota');
    return;
  }
  assert.fail('the quota is not enforced');
});
