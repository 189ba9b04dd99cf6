import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { assertRefused, dataOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { find, remove } from '../support/sources.ts';
import { plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Pictures of direct messages: upload, who may change them, and deletion.

let world: World;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
});
after(() => world.close());

/** A direct message between two agents. */
async function stage() {
  const scene = await Scene.open(world);
  const [one, other] = await Promise.all([0, 0].map(() => world.user({ agent: true })));
  const author = await world.client(scene.server, ['canEditData'], one);
  const partner = await world.client(scene.server, [], other);
  const dm = await scene.make('/conversations', { userIds: [other?.id] }, author);
  return { scene, author, partner, dm };
}

const put = async (client: Client, { id }: Json, shade = 'red') => {
  const create = { width: 40, height: 40, channels: 3, background: shade } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  return upload(world, client, Buffer.from(bytes), 'us.png', { path: `/channels/${id}/image` });
};
const idOf = (address: string): string => address.replace('/api/v1/pictures/', '');
const statusOf = async (address: string) => (await fetch(`${world.url}${address}`)).status;
const used = async ({ id }: Json): Promise<number> =>
  (await world.data.db.read.first(find('fileUse', { serverId: id })))?.bytes ?? 0;

test('every member of a direct message can upload its picture, which replaces the previous one', async () => {
  const { scene, author, partner, dm } = await stage();
  const first = dataOf(await put(author, dm));
  assert.match(first.image, /^\/api\/v1\/pictures\/[\da-f-]{36}$/);
  const bytes = await used(scene.server);
  assert.ok(bytes > 0);
  const { image } = dataOf(await put(partner, dm, 'blue'));
  assert.equal(dataOf(await author.get(`/channels/${dm.id}`)).image, image);
  assert.deepEqual([await statusOf(first.image), await statusOf(image)], [404, 200]);
  assert.ok((await used(scene.server)) < 2 * bytes, 'the first picture no longer counts');
  const events = (await logOf(world, scene.server.id)).filter(({ type }) => type === 'channel.updated');
  assert.equal((events.at(-1) as Json).data.image, image);

  dataOf(await author.patch(`/channels/${dm.id}`, { image: null }));
  assert.deepEqual([await statusOf(image), await used(scene.server)], [404, 0]);
  await world.tidy();
  const left = storedIn(world.folder);
  for (const address of [first.image, image]) assert.ok(!left.some((name) => name.startsWith(idOf(address))));
});

test('only members can upload a picture, channels have none, and it must be an image', async () => {
  const { scene, author, dm } = await stage();
  assertRefused(await put(scene.admin, dm), 'FORBIDDEN');
  assertRefused(await put(scene.admin, await scene.channel()), 'INVALID_REQUEST', '', 'id');
  const text = await upload(world, author, plainBytes(), 'us.png', { path: `/channels/${dm.id}/image` });
  assertRefused(text, 'INVALID_REQUEST', '', 'file');
  assert.equal(dataOf(await author.get(`/channels/${dm.id}`)).image, null);
});

test('the picture is deleted with the direct message', async () => {
  const { author, dm } = await stage();
  const { image } = dataOf(await put(author, dm));
  // Deletes the row, as the sweep of a deleted server does.
  await world.data.db.write((tx) => tx.run(remove('channel', { id: dm.id })));
  await world.tidy();
  assert.equal(await statusOf(image), 404);
  assert.ok(!storedIn(world.folder).some((name) => name.startsWith(idOf(image))));
});
