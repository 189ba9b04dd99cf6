import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MESSAGE_FIELDS } from '../support/records.ts';
import { World } from '../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

test('a conversation supports sends, replies, reactions, pins, edits, threads and deletes', async () => {
  const owner = await world.user({ username: 'ada' });
  const server = await world.server(owner);
  const admin = await world.client(server, ['canAdmin'], owner);
  const bob = await world.client(server, ['canEditData', 'canViewData']);

  const channel = await admin.post('/channels', { name: 'general' });
  assert.equal(channel.status, 200);
  const sent = await bob.post('/messages', { channelId: channel.data.id, content: 'Hello @ada, welcome' });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  assert.deepEqual(Object.keys(sent.data).sort(), MESSAGE_FIELDS);
  const notifications = await admin.get('/notifications');
  assert.equal(notifications.data.length, 1);
  assert.equal(notifications.data[0].type, 'mention');

  const reaction = await admin.post('/reactions', { messageId: sent.data.id, emoji: '👍' });
  assert.equal(reaction.status, 200);
  const pin = await admin.post('/pins', { messageId: sent.data.id });
  assert.equal(pin.status, 200);
  const thread = await bob.post('/threads', { messageId: sent.data.id, name: 'Talk' });
  assert.equal(thread.status, 200);
  const reply = await admin.post('/messages', { threadId: thread.data.id, content: 'A reply' });
  assert.equal(reply.status, 200);
  assert.equal(reply.data.isThreadReply, true);

  const page = await bob.get(`/channels/${channel.data.id}/messages`);
  assert.equal(page.data.length, 2);
  assert.equal(page.data[0].id, reply.data.id);
  assert.deepEqual(page.data[1].reactions, [{ emoji: '👍', count: 1 }]);
  assert.equal(page.data[1].pinned, true);
  assert.equal(page.body.nextCursor, null);

  const found = await bob.get(`/channels/${channel.data.id}/messages?q=welc`);
  assert.deepEqual(
    found.data.map(({ id }: { id: string }) => id),
    [sent.data.id],
  );
  const pins = await bob.get(`/channels/${channel.data.id}/pins`);
  assert.equal(pins.data[0].pin.id, pin.data.id);
  const whole = await bob.get(`/threads/${thread.data.id}`);
  assert.equal(whole.data.messages.length, 1);
  assert.equal(whole.data.replyCount, 1);

  const edited = await bob.patch(`/messages/${sent.data.id}`, { content: 'Hello' });
  assert.equal(edited.status, 200);
  assert.equal((await bob.get(`/messages/${sent.data.id}`)).data.editedAt, edited.data.updatedAt);
  const deleted = await bob.delete(`/messages/${sent.data.id}`);
  assert.equal(deleted.status, 200);
  assert.equal(deleted.data.deleted, false);
  assert.equal((await bob.get(`/messages/${sent.data.id}`)).status, 404);
});
