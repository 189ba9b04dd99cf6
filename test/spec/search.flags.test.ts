import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { upload } from '../support/uploads.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

// Filters for files, links, pins and mentions, in lists and searches.

let world: World;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
});
after(() => world.close());

test('messages are filtered by files, links, pins and mentions, with and without words', async () => {
  const scene = await Scene.open(world);
  const reader = await world.user();
  await world.member(scene.server, reader);
  const client: Client = await world.client(scene.server, ['canEditData'], reader);
  const { id: channelId } = await scene.channel();
  const say = (content: string, more: object = {}): Promise<Json> =>
    scene.make('/messages', { channelId, content, ...more });
  const plain = await say('tide tables');
  const linked = await say('tide [tables](https://example.com/tides)');
  const bare = await say('see HTTPS://example.com tide');
  const pinned = await say('tide pinned');
  await scene.make('/pins', { messageId: pinned.id });
  const file = dataOf(await upload(world, scene.admin, Buffer.from('tide'), 'tide.txt'));
  const withFile = await say('tide file', { attachmentIds: [file.id] });
  const mention = await say(`tide @${reader.username}`);
  const other = await say(`tide @${reader.username}x and \`@${reader.username}\``);
  await world.tidy();
  const all = [plain, linked, bare, pinned, withFile, mention, other].map(({ id }) => id).reverse();
  const expected: [string, Json[]][] = [
    ['hasLink=true', [linked, bare]],
    ['pinned=true', [pinned]],
    ['hasFile=true', [withFile]],
    ['mentionsMe=true', [mention]],
    ['hasLink=true&pinned=true', []],
    ['hasFile=false&pinned=false&hasLink=false&mentionsMe=false', [plain, other]],
  ];
  for (const [filter, found] of expected) {
    const ids = found.map(({ id }) => id).reverse();
    for (const path of [
      `/channels/${channelId}/messages?${filter}`,
      `/channels/${channelId}/messages?${filter}&q=tide`,
      `/servers/${scene.server.id}/messages?${filter}&q=tide`,
    ]) {
      assert.deepEqual(idsOf(await listAll(client, path, 100)), ids, path);
      assert.deepEqual(idsOf(await listAll(client, path, 1)), ids, `${path}, one by one`);
    }
    const oldest = await listAll(client, `/channels/${channelId}/messages?${filter}&order=asc`, 2);
    assert.deepEqual(idsOf(oldest), ids.toReversed(), filter);
  }
  assert.deepEqual(idsOf(await listAll(client, `/channels/${channelId}/messages`, 100)), all);
  const around = `/channels/${channelId}/messages?around=${plain.id}&hasFile=true`;
  assertRefused(await client.get(around), 'INVALID_REQUEST', '', 'around');
});

test('a page examines a limited number of messages, and the next one continues', async () => {
  const scene = await Scene.open(world);
  const channel = await scene.channel();
  const channelId = channel.id;
  const first = await scene.make('/messages', { channelId, content: 'https://example.com' });
  await fillChannel(world, channel, scene.owner.id, 2_500);
  const path = `/channels/${channelId}/messages?hasLink=true`;
  const page = (await scene.admin.get(path)).body;
  assert.deepEqual(page.data, []);
  assert.ok(page.nextCursor);
  assert.deepEqual(idsOf(await listAll(scene.admin, path, 50)), [first.id]);
});
