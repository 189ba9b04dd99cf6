import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { content, upload } from '../support/uploads.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

const idsIn = async (client: Client, channelId: string): Promise<string[]> =>
  dataOf(await client.get(`/channels/${channelId}/messages`)).map(({ id }: Json) => id);

test('expired messages are deleted with their files, pins, threads and notifications, and readers are notified', async () => {
  const scene = await Scene.open(world);
  const { admin } = scene;
  const { id: channelId } = await scene.channel();
  const file = dataOf(await upload(world, admin, Buffer.from('A file'), 'a.txt'));
  const old = await scene.make('/messages', { channelId, content: 'needle', attachmentIds: [file.id] });
  await scene.make('/pins', { messageId: old.id });
  const thread = await scene.thread({ messageId: old.id });
  const reply = await scene.message({ threadId: thread.id });
  clock.advance(20 * DAY_MS);
  const young = await scene.message({ channelId, content: 'needle too' });
  assert.equal(dataOf(await admin.patch(`/channels/${channelId}`, { retentionDays: 30 })).retentionDays, 30);
  await world.tidy();
  assert.equal((await idsIn(admin, channelId)).length, 3);

  const cursor = await scene.cursor();
  clock.advance(10 * DAY_MS + 1);
  await world.tidy();
  await world.tidy();
  assert.deepEqual(await idsIn(admin, channelId), [young.id]);
  assert.deepEqual(dataOf(await admin.get(`/channels/${channelId}/pins`)), []);
  assertRefused(await admin.get(`/threads/${thread.id}`), 'NOT_FOUND');
  assertRefused(await admin.get(`/messages/${reply.id}`), 'NOT_FOUND');
  assert.equal((await content(world, admin, file.id)).status, 404);
  assert.equal(await world.data.db.read.first(find('fileRemoval', { id: file.id })), undefined);
  const found = dataOf(await admin.get(`/channels/${channelId}/messages?q=needle`));
  assert.deepEqual(
    found.map(({ id }: Json) => id),
    [young.id],
  );
  const events = dataOf(await admin.get(`/events?after=${cursor}&limit=100`));
  const deleted = events.filter(({ type }: Json) => type === 'message.deleted');
  assert.deepEqual(deleted.map(({ data }: Json) => data.id).sort(), [old.id, reply.id].sort());
  for (const { actor } of deleted) assert.equal(actor, 'system');
});

test("a channel without its own retention uses the server's, and a channel's retention can be longer", async () => {
  const scene = await Scene.open(world);
  const [plain, long] = [await scene.channel(), await scene.channel({ retentionDays: 90 })];
  for (const { id: channelId } of [plain, long]) await scene.message({ channelId });
  const path = `/servers/${scene.server.id}`;
  assert.equal(dataOf(await scene.admin.patch(path, { retentionDays: 7 })).retentionDays, 7);
  const later = await scene.channel();
  await scene.message({ channelId: later.id });
  clock.advance(7 * DAY_MS + 1);
  await world.tidy();
  const left = async () =>
    Promise.all([plain, long, later].map(async ({ id }) => (await idsIn(scene.admin, id)).length));
  assert.deepEqual(await left(), [0, 1, 0]);
  dataOf(await scene.admin.patch(path, { retentionDays: null }));
  await scene.message({ channelId: plain.id });
  clock.advance(60 * DAY_MS);
  await world.tidy();
  assert.deepEqual(await left(), [1, 1, 0]);
  dataOf(await scene.admin.patch(`/channels/${plain.id}`, { retentionDays: 30 }));
  await world.tidy();
  assert.deepEqual(await left(), [0, 1, 0]);
});

test('only admins and the owner can change the retention, and direct messages are kept', async () => {
  const scene = await Scene.open(world);
  const user = await world.user();
  const editor = await world.client(scene.server, ['canEditServer', 'canEditChannel'], user);
  const channel = await scene.channel();
  const writes = [
    await editor.patch(`/channels/${channel.id}`, { retentionDays: 1 }),
    await editor.patch(`/servers/${scene.server.id}`, { retentionDays: 1 }),
    await editor.post('/channels', { name: world.unique('channel'), retentionDays: 1 }),
  ];
  for (const answer of writes) {
    assertRefused(answer, 'FORBIDDEN');
    assert.deepEqual(answer.body.error.details.need, ['canAdmin']);
  }
  dataOf(await editor.patch(`/channels/${channel.id}`, { retentionDays: null, description: 'Talk' }));
  const friend = await world.user();
  await world.member(scene.server, friend);
  const browser = await Browser.of(world, user, scene.server);
  const { id: channelId } = dataOf(await browser.api.post('/conversations', { userIds: [friend.id] }));
  dataOf(await browser.api.post('/messages', { channelId, content: 'Between us' }));
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { retentionDays: 1 }));
  clock.advance(3 * DAY_MS);
  await world.tidy();
  const again = await Browser.of(world, user, scene.server);
  assert.equal(dataOf(await again.api.get(`/channels/${channelId}/messages`)).length, 1);
});
