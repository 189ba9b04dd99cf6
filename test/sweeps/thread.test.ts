import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TableName } from '../../server/src/db/schema.ts';
import { q } from '../../server/src/db/statements.ts';
import { addNotifications, addReplies, addRows } from '../support/crowds.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { endOf, logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { type Json, listAll, World } from '../support/world.ts';

const REPLIES = 3_000;

let world: World;
let scene: Scene;
/** Rows that must stay: a message before and a message after the replies, and a thread with one reply. */
let kept: Json[];
let keptReply: Json;
let channel: Json;
let thread: Json;
let replies: Json[];
/** Two threads on replies: one without replies, and one with a single reply. */
let empty: Json;
let answered: Json;
let answer: Json;
let pin: Json;
let reaction: Json;
/** The number of the latest event before the thread's delete, and after it. */
let start: number;
let end: number;

const remove = async (path: string) => dataOf(await scene.admin.delete(path), path);

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  channel = await scene.channel();
  const channelId = channel.id;
  kept = [await scene.message({ channelId, content: 'the oldest of many' })];
  const keptThread = await scene.thread({ messageId: kept[0].id });
  keptReply = await scene.message({ threadId: keptThread.id, content: 'a reply of few, not of many' });
  keptReply.threadId = keptThread.id;
  thread = await scene.thread({ channelId });
  replies = await addReplies(world, thread, REPLIES);
  kept.push(await scene.message({ channelId, content: 'the newest of many' }));

  const reply = replies[1_500];
  empty = await scene.thread({ messageId: reply.id });
  answered = await scene.thread({ messageId: reply.id });
  answer = await scene.message({ threadId: answered.id, content: 'answered' });
  pin = await scene.make('/pins', { messageId: reply.id });
  await scene.make('/pins', { messageId: kept[0].id });
  reaction = await scene.make('/reactions', { messageId: reply.id, emoji: '👍' });
  await addNotifications(world, scene.owner.id, [...replies, kept[1]]);
  await addRows(world, 'indicator', [
    {
      type: 'typing',
      userId: scene.owner.id,
      serverId: scene.server.id,
      channelId,
      threadId: thread.id,
      lastActiveAt: 0,
    },
  ]);
  start = await endOf(world, scene.server.id);
  await remove(`/threads/${thread.id}`);
  end = await endOf(world, scene.server.id);
});
after(() => world.close());

const rowsOf = (table: TableName, column: string, value: string): Promise<Json[]> =>
  world.data.db.read.all(
    q
      .selectFrom(table)
      .selectAll()
      .where(column as never, '=', value as never) as never,
  );

/** Asserts that reads show none of the replies, swept or not. */
async function assertOutOfSight(): Promise<void> {
  const { admin } = scene;
  for (const path of ['', '/info'])
    assertRefused(await admin.get(`/threads/${thread.id}${path}`), 'NOT_FOUND', path);
  for (const { id } of [replies[0], replies[1_500], replies[REPLIES - 1]]) {
    assertRefused(await admin.get(`/messages/${id}`), 'NOT_FOUND');
    assertRefused(await admin.get(`/messages/${id}/threads`), 'NOT_FOUND');
    assertRefused(await admin.get(`/messages/${id}/reactions`), 'NOT_FOUND');
    assertRefused(await admin.get(`/channels/${channel.id}/messages?around=${id}`), 'NOT_FOUND');
  }
  const messages = `/channels/${channel.id}/messages`;
  const oldestFirst = [kept[0].id, keptReply.id, kept[1].id, answer.id];
  const newestFirst = [...oldestFirst].reverse();
  const { createdAt } = kept[0];
  const lists: [query: string, ids: string[]][] = [
    ['', newestFirst],
    [`?around=${answer.id}`, newestFirst],
    ['?order=asc', oldestFirst],
    ['?type=person', newestFirst],
    ['?isThreadReply=true', [answer.id, keptReply.id]],
    ['?isThreadReply=false', [kept[1].id, kept[0].id]],
    [`?creatorId=${scene.owner.id}`, newestFirst],
    [`?after=${createdAt - 1}`, newestFirst],
    [`?before=${Date.now() + 60_000}&order=asc`, oldestFirst],
    ['?q=many', [kept[1].id, keptReply.id, kept[0].id]],
    ['?q=many&order=asc', [kept[0].id, keptReply.id, kept[1].id]],
    ['?q=%22of%20many%22&isThreadReply=true', [keptReply.id]],
  ];
  for (const [query, ids] of lists) {
    for (const limit of [1, 100])
      assert.deepEqual(idsOf(await listAll(admin, messages + query, limit)), ids, query);
  }
  for (const limit of [1, 100]) {
    const found = await listAll(admin, `/servers/${scene.server.id}/messages?q=many`, limit);
    assert.deepEqual(idsOf(found), [kept[1].id, keptReply.id, kept[0].id], 'in the server');
  }
  assert.deepEqual(idsOf(await listAll(admin, `/channels/${channel.id}/pins`, 1)), [kept[0].id]);
  for (const query of ['', '?unread=true']) {
    const told = await listAll(admin, `/notifications${query}`, 10);
    assert.deepEqual(
      told.map(({ messageId }) => messageId),
      [kept[1].id],
      query,
    );
  }
  assert.deepEqual(await listAll(admin, '/notifications?unread=false'), []);
}

async function assertNestedThreads(): Promise<void> {
  const { admin } = scene;
  for (const path of ['', '/info'])
    assertRefused(await admin.get(`/threads/${empty.id}${path}`), 'NOT_FOUND', path);
  const { messageId, messages } = dataOf(await admin.get(`/threads/${answered.id}`));
  assert.equal(messageId, null, 'the thread is independent');
  assert.deepEqual(idsOf(messages), [answer.id]);
  assert.equal(dataOf(await admin.get(`/threads/${answered.id}/info`)).messageId, null);
  for (const limit of [1, 100]) {
    const listed = await listAll(admin, `/channels/${channel.id}/threads`, limit);
    assert.deepEqual(
      listed.map(({ id, messageId }) => [id, messageId]),
      [
        [answered.id, null],
        [keptReply.threadId, kept[0].id],
      ],
    );
  }
}

test("the replies' rows still exist", async () => {
  assert.ok((await rowsOf('message', 'threadId', thread.id)).length > REPLIES / 2);
  assert.equal((await rowsOf('sweep', 'id', thread.id)).length, 1);
  assert.deepEqual(
    (await logOf(world, scene.server.id, start)).map(({ type }) => type),
    ['thread.deleted'],
  );
});

test('no read shows a reply in the thread', assertOutOfSight);

test('threads on its replies are deleted, or become independent if they have replies', assertNestedThreads);

test('writes to a reply in the thread are rejected', async () => {
  const { admin } = scene;
  const { id } = replies[1_500];
  const channelId = channel.id;
  const [indicator] = await rowsOf('indicator', 'threadId', thread.id);
  const refused = {
    'an edit': admin.patch(`/messages/${id}`, { content: 'edited' }),
    'a deletion': admin.delete(`/messages/${id}`),
    'a pin': admin.post('/pins', { messageId: replies[0].id }),
    'a delete of a pin': admin.delete(`/pins/${pin.id}`),
    'a reaction': admin.post('/reactions', { messageId: id, emoji: '🎉' }),
    'a delete of a reaction': admin.delete(`/reactions/${reaction.id}`),
    'an answer': admin.post('/messages', { channelId, replyToId: id, content: 'answer' }),
    'a thread on it': admin.post('/threads', { messageId: id }),
    'a reply': admin.post('/messages', { threadId: thread.id, content: 'reply' }),
    'an update of the thread': admin.patch(`/threads/${thread.id}`, { name: 'other' }),
    'a delete of the thread': admin.delete(`/threads/${thread.id}`),
    'a reply in an empty thread on it': admin.post('/messages', { threadId: empty.id, content: 'reply' }),
    'an update of the empty thread': admin.patch(`/threads/${empty.id}`, { name: 'other' }),
    'a delete of the empty thread': admin.delete(`/threads/${empty.id}`),
    'an indicator in it': admin.post('/indicators', { type: 'typing', threadId: thread.id }),
    'an indicator in the empty one': admin.post('/indicators', { type: 'typing', threadId: empty.id }),
    'an update of an indicator in it': admin.patch(`/indicators/${indicator?.id}`, {}),
  };
  for (const [what, asked] of Object.entries(refused)) assertRefused(await asked, 'NOT_FOUND', what);
  assert.equal(await endOf(world, scene.server.id), end, 'and none appends an event');
});

test('other writes in the channel succeed', async () => {
  const message = await scene.message({ channelId: channel.id, content: 'meanwhile' });
  const { data } = await scene.admin.get(`/channels/${channel.id}/messages?limit=1`);
  assert.deepEqual(idsOf(data), [message.id]);
  await remove(`/messages/${message.id}`);
  end = await endOf(world, scene.server.id);
});

test('the sweep removes every row, with events for the threads on the replies', async () => {
  await world.tidy();
  const ids = new Set(idsOf(replies));
  assert.deepEqual(await rowsOf('message', 'threadId', thread.id), []);
  for (const table of ['pin', 'reaction', 'notification'] as const) {
    const rows = await rowsOf(table, 'channelId', channel.id);
    assert.ok(!rows.some(({ messageId }) => ids.has(messageId)), table);
  }
  for (const { id } of [thread, empty]) assert.deepEqual(await rowsOf('threadFollower', 'threadId', id), []);
  assert.deepEqual(await rowsOf('indicator', 'threadId', thread.id), []);
  assert.deepEqual(await rowsOf('sweep', 'id', thread.id), []);
  const events = await logOf(world, scene.server.id, end);
  assert.deepEqual(
    events.map(({ type, actorId, data }) => [type, actorId, data.id, data.messageId]),
    [
      ['thread.deleted', scene.owner.id, empty.id, replies[1_500].id],
      ['thread.updated', scene.owner.id, answered.id, null],
    ],
  );
});

test('reads return the same data before and after the sweep', async () => {
  await assertOutOfSight();
  await assertNestedThreads();
});

test('a thread with few replies leaves nothing to sweep', async () => {
  const small = await scene.thread({ channelId: channel.id });
  const [reply] = await addReplies(world, small, 20);
  await addNotifications(world, scene.owner.id, [reply]);
  await remove(`/threads/${small.id}`);
  assert.deepEqual(await rowsOf('sweep', 'id', small.id), []);
  assert.deepEqual(await rowsOf('message', 'threadId', small.id), []);
  assert.deepEqual(await rowsOf('notification', 'messageId', reply.id), []);
});

test('a thread whose channel is deleted in the meantime is swept without events', async () => {
  const other = await scene.channel();
  const large = await scene.thread({ channelId: other.id });
  const [reply] = await addReplies(world, large, 1_000);
  const nested = await scene.thread({ messageId: reply.id });
  await scene.message({ threadId: nested.id });
  await remove(`/threads/${large.id}`);
  await remove(`/channels/${other.id}`);
  const before = await endOf(world, scene.server.id);
  await world.tidy();
  assert.equal(await endOf(world, scene.server.id), before);
  for (const table of ['message', 'thread', 'notification'] as const)
    assert.deepEqual(await rowsOf(table, 'channelId', other.id), [], table);
  for (const { id } of [large, nested]) assert.deepEqual(await rowsOf('threadFollower', 'threadId', id), []);
});
