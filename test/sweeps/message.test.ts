import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { find, update } from '../../server/src/db/statements.ts';
import { addMembers, addNotifications, addRows } from '../support/crowds.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { endOf, logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { type Json, listAll, World } from '../support/world.ts';

const REACTIONS = 700;
const THREADS = 400;

let world: World;
let scene: Scene;
let message: Json;
let reactions: Json[];
let answered: Json;
let start: number;

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  message = await scene.message();
  const { id: messageId, serverId, channelId } = message;
  const users = await addMembers(world, serverId, REACTIONS);
  reactions = await addRows(
    world,
    'reaction',
    users.map(({ id }) => ({ serverId, channelId, messageId, userId: id, emoji: '👍' })),
  );
  const counts = [{ emoji: '👍', count: REACTIONS }];
  await world.data.db.write((tx) => tx.run(update('message', messageId, { reactions: counts })));
  await scene.make('/pins', { messageId: messageId });
  await addNotifications(world, scene.owner.id, [message]);
  const none = { name: null, creatorId: scene.owner.id, locked: false, replyCount: 0, lastReplyAt: null };
  await addRows(
    world,
    'thread',
    Array.from({ length: THREADS }, () => ({ ...none, serverId, channelId, messageId })),
  );
  answered = await scene.thread({ messageId });
  await scene.message({ threadId: answered.id });
  start = await endOf(world, serverId);
  dataOf(await scene.admin.delete(`/messages/${messageId}`));
});
after(() => world.close());

const hanging = () => world.data.db.read.all(find('reaction', { messageId: message.id }));

test('a message with many reactions disappears immediately, with its notifications and threads', async () => {
  const { admin } = scene;
  assert.ok((await hanging()).length > 0);
  assertRefused(await admin.get(`/messages/${message.id}`), 'NOT_FOUND');
  for (const { id } of (await hanging()).slice(0, 2))
    assertRefused(await admin.delete(`/reactions/${id}`), 'NOT_FOUND');
  assert.deepEqual(await listAll(admin, '/notifications'), []);
  const left = await world.data.db.read.all(find('thread', { messageId: message.id }));
  for (const { id, replyCount } of left) {
    const read = await admin.get(`/threads/${id}/info`);
    if (replyCount === 0) assertRefused(read, 'NOT_FOUND');
    else assert.equal(dataOf(read).messageId, null);
  }
});

test('the sweep removes the remaining rows, with one event for each reaction', async () => {
  await world.tidy();
  assert.deepEqual(await hanging(), []);
  assert.deepEqual(await world.data.db.read.all(find('sweep', {})), []);
  const events = await logOf(world, message.serverId, start);
  assert.equal(events[0]?.type, 'message.deleted');
  assert.ok(events.every(({ actorId }) => actorId === scene.owner.id));
  const told = (type: string) =>
    idsOf(events.filter((event) => event.type === type).map(({ data }) => data)).sort();
  assert.deepEqual(told('reaction.deleted'), idsOf(reactions).sort());
  assert.equal(new Set(told('thread.deleted')).size, THREADS);
  assert.equal(told('thread.deleted').length, THREADS);
  assert.deepEqual(told('thread.updated'), [answered.id]);
  for (const type of ['pin.deleted', 'notification.deleted']) assert.equal(told(type).length, 1, type);
  assert.equal(dataOf(await scene.admin.get(`/threads/${answered.id}`)).messageId, null);
});
