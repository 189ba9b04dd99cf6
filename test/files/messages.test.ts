import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { MESSAGE_FIELDS } from '../support/records.ts';
import { content, plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Files and the messages that they are sent with.

let world: World;
let server: Json;
let admin: Client;
let ada: Client;
let bob: Client;
let channel: Json;
before(async () => {
  world = await World.open();
  const owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
  ada = await world.client(server, ['canEditData']);
  bob = await world.client(server, ['canEditData']);
  channel = dataOf(await admin.post('/channels', { name: 'files' }));
});
after(() => world.close());

const send = (client: Client, attachmentIds: string[], channelId = channel.id) =>
  client.post('/messages', { channelId, content: 'See here', attachmentIds });

test('a file is uploaded, sent, included in reads, and served to members who can see the message', async () => {
  const bytes = plainBytes(100_000);
  const made = dataOf(await upload(world, ada, bytes, 'notes.txt'));
  assert.deepEqual(
    [made.name, made.type, made.bytes, made.messageId, made.channelId, made.creatorId],
    ['notes.txt', 'application/octet-stream', 100_000, null, null, ada.secret.userId],
  );
  assert.deepEqual((await content(world, ada, made.id)).bytes, bytes);
  // Before it is sent, nobody else can see it, not even an admin.
  for (const other of [bob, admin]) {
    assert.equal((await other.get(`/attachments/${made.id}`)).body.error.code, 'FORBIDDEN');
    assert.equal((await content(world, other, made.id)).status, 403);
    assert.equal((await send(other, [made.id])).body.error.code, 'FORBIDDEN');
  }
  const sent = dataOf(await send(ada, [made.id]));
  assert.deepEqual(Object.keys(sent).sort(), MESSAGE_FIELDS);
  const shown = {
    id: made.id,
    name: 'notes.txt',
    type: 'application/octet-stream',
    bytes: 100_000,
    width: null,
    height: null,
    thumbhash: null,
    previews: [],
  };
  const one = dataOf(await bob.get(`/messages/${sent.id}`));
  assert.deepEqual(one.attachments, [shown]);
  for (const path of [
    `/channels/${channel.id}/messages`,
    `/channels/${channel.id}/messages?around=${sent.id}`,
    `/channels/${channel.id}/messages?q=here`,
    `/channels/${channel.id}/messages?type=person`,
    `/servers/${server.id}/messages?q=here`,
  ]) {
    const found = dataOf(await bob.get(path)).find(({ id }: Json) => id === sent.id);
    assert.deepEqual(found, one, path);
  }
  const record = dataOf(await bob.get(`/attachments/${made.id}`));
  assert.deepEqual([record.messageId, record.channelId], [sent.id, channel.id]);
  assert.deepEqual((await content(world, bob, made.id)).bytes, bytes);
  // A message without files has no `attachments` field.
  const plain = dataOf(await ada.post('/messages', { channelId: channel.id, content: 'Hello' }));
  assert.ok(!('attachments' in dataOf(await ada.get(`/messages/${plain.id}`))));
});

test('files in threads and pinned messages are shown, and survive edits and reactions', async () => {
  const thread = dataOf(await ada.post('/threads', { channelId: channel.id }));
  const file = dataOf(await upload(world, ada));
  const reply = dataOf(
    await ada.post('/messages', { threadId: thread.id, content: 'In here', attachmentIds: [file.id] }),
  );
  dataOf(await admin.post('/pins', { messageId: reply.id }));
  dataOf(await ada.post('/reactions', { messageId: reply.id, emoji: '👍' }));
  dataOf(await ada.patch(`/messages/${reply.id}`, { content: 'Changed' }));
  const { messages } = dataOf(await bob.get(`/threads/${thread.id}`));
  const [pinned] = dataOf(await bob.get(`/channels/${channel.id}/pins`));
  for (const message of [messages[0], pinned, dataOf(await bob.get(`/messages/${reply.id}`))])
    assert.deepEqual(
      message.attachments.map(({ id }: Json) => id),
      [file.id],
    );
});

test('files in a private channel are hidden from members who cannot see it', async () => {
  const role = dataOf(await admin.post('/roles', { name: 'Insiders', canEditData: true }));
  const hidden = dataOf(await admin.post('/channels', { name: 'hidden', private: true, roleIds: [role.id] }));
  const insider = await world.clientWithRole(server, role);
  const file = dataOf(await upload(world, insider));
  dataOf(await send(insider, [file.id], hidden.id));
  assert.equal((await content(world, insider, file.id)).status, 200);
  assert.equal((await content(world, bob, file.id)).status, 403);
  assert.equal((await bob.get(`/attachments/${file.id}`)).body.error.code, 'FORBIDDEN');
  const elsewhere = await world.client(await world.server(await world.user()), ['canAdmin']);
  assert.equal((await content(world, elsewhere, file.id)).status, 403);
});

test('files that cannot be sent are rejected, and so is the message', async () => {
  const file = dataOf(await upload(world, ada));
  const id = '01900000-0000-7000-8000-000000000000';
  assertRefused(await send(ada, [id]), 'NOT_FOUND');
  assertRefused(await send(ada, ['no id']), 'NOT_FOUND');
  assertRefused(await send(ada, [file.id, file.id]), 'INVALID_REQUEST');
  const nowhere = Array.from({ length: 11 }, (_, index) => `${id.slice(0, -2)}${10 + index}`);
  assertRefused(await send(ada, nowhere.slice(1)), 'NOT_FOUND', 'ten files are allowed');
  assertRefused(await send(ada, nowhere), 'INVALID_REQUEST', 'eleven are not', 'attachmentIds');
  const elsewhere = await world.server(await world.user());
  const user = { id: ada.secret.userId };
  await world.member(elsewhere, user);
  const there = await world.client(elsewhere, ['canAdmin'], user);
  const room = dataOf(await there.post('/channels', { name: 'room' }));
  assertRefused(await send(there, [file.id], room.id), 'INVALID_REQUEST');
  const sent = dataOf(await send(ada, [file.id]));
  assertRefused(await send(ada, [file.id]), 'INVALID_REQUEST');
  assertRefused(await ada.delete(`/attachments/${file.id}`), 'INVALID_REQUEST');
  assert.equal(dataOf(await ada.get(`/attachments/${file.id}`)).messageId, sent.id);
});

test('two concurrent messages cannot both get a file', async () => {
  const file = dataOf(await upload(world, ada));
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(ada, [file.id])));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test('files are deleted with their message, channel or thread, including from the disk', async () => {
  const room = dataOf(await admin.post('/channels', { name: 'to be deleted' }));
  const file = async () => dataOf(await upload(world, ada)).id as string;
  const [one, two, three, four] = await Promise.all([file(), file(), file(), file()]);
  const message = dataOf(await send(ada, [one]));
  dataOf(await send(ada, [two], room.id));
  const thread = dataOf(await ada.post('/threads', { channelId: channel.id }));
  dataOf(await ada.post('/messages', { threadId: thread.id, content: 'In here', attachmentIds: [three] }));
  const all = [one, two, three, four];
  for (const id of all) assert.ok(storedIn(world.folder).includes(id));
  dataOf(await ada.delete(`/messages/${message.id}`));
  dataOf(await admin.delete(`/channels/${room.id}`));
  dataOf(await admin.delete(`/threads/${thread.id}`));
  dataOf(await ada.delete(`/attachments/${four}`));
  for (const id of all) assert.equal((await content(world, ada, id)).status, 404);
  await world.tidy();
  for (const id of all) assert.ok(!storedIn(world.folder).includes(id), id);
  assert.equal((await ada.get(`/attachments/${two}`)).body.error.code, 'NOT_FOUND');
});

test('a message can consist of files only, and its notifications list their names', async () => {
  const question = dataOf(await ada.post('/messages', { channelId: channel.id, content: 'Where is it?' }));
  const { id } = dataOf(await upload(world, bob, plainBytes(10), 'answer.txt'));
  const body = { channelId: channel.id, attachmentIds: [id], replyToId: question.id };
  assert.equal(dataOf(await bob.post('/messages', body)).content, '');
  const [told] = dataOf(await ada.get('/notifications?excerpts=true'));
  assert.deepEqual([told.excerpt, told.files], ['', ['answer.txt']]);
  assert.equal(dataOf(await ada.get('/notifications'))[0].files, undefined);
  const nothing = await bob.post('/messages', { channelId: channel.id, attachmentIds: [] });
  assertRefused(nothing, 'INVALID_REQUEST', '', 'content');
});
