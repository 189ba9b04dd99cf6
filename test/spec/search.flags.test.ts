import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { firstIdAt, timeOfId } from '../../server/src/lib/deps.ts';
import { addRows } from '../support/crowds.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { seeded } from '../support/seeded.ts';
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
      `/servers/${scene.server.id}/messages?${filter}`,
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

test("a server's messages can be filtered without words, over any time, in all channels and conversations that the caller sees", async () => {
  const scene = await Scene.open(world);
  const reader = await world.user({ agent: true });
  const client: Client = await world.client(scene.server, ['canEditData'], reader);
  const stranger = await world.client(scene.server, [], await world.user({ agent: true }));
  const [open, other, hidden] = [
    await scene.channel(),
    await scene.channel(),
    await scene.channel({ private: true }),
  ];
  const dm = await scene.make('/conversations', { userIds: [scene.admin.secret.userId] }, client);
  const foreign = await scene.make('/conversations', { userIds: [scene.admin.secret.userId] }, stranger);
  const random = seeded();
  const now = Date.now();
  const expected: string[] = [];
  const rows = Array.from({ length: 600 }, (_, number) => {
    const place = [open, other, hidden, dm, foreign][number % 5] as Json;
    // Two thirds of the messages are spread over a year, the others over nine seconds.
    const createdAt = Math.floor(
      number < 400 ? now - random.next() * 3e10 : now - 9e9 + random.next() * 9_000,
    );
    const id = firstIdAt(createdAt).slice(0, 24) + String(number).padStart(12, '0');
    const hasLink = random.below(4) === 0;
    if (hasLink && place !== hidden && place !== foreign) expected.push(id);
    const content = hasLink ? 'https://example.com/tides' : 'high water';
    return { id, createdAt, updatedAt: createdAt, channelId: place.id, content };
  });
  const fields = { serverId: scene.server.id, creatorId: scene.admin.secret.userId, type: 'agent' };
  const plain = { deleted: false, editedAt: null, threadId: null, replyToId: null, pinned: false };
  await addRows(
    world,
    'message',
    rows.map((row) => ({ ...row, ...fields, ...plain, isThreadReply: false, reactions: '[]' })),
  );
  expected.sort().reverse();
  const path = `/servers/${scene.server.id}/messages?hasLink=true`;
  for (const limit of [7, 100]) assert.deepEqual(idsOf(await listAll(client, path, limit)), expected);
  const [after, before] = [now - 2e10, now - 5e9];
  const within = expected.filter((id) => timeOfId(id) > after && timeOfId(id) < before);
  assert.ok(within.length > 0 && within.length < expected.length);
  const bounded = await listAll(client, `${path}&after=${after}&before=${before}`, 30);
  assert.deepEqual(idsOf(bounded), within);
  assert.deepEqual(await listAll(client, `${path}&type=person`, 30), []);
  const others = `/servers/${scene.server.id}/messages?creatorId=${reader.id}`;
  assertRefused(await client.get(others), 'INVALID_REQUEST', '', 'q');
});
