import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tableNames } from '../../server/src/db/schema.ts';
import { Browser } from '../support/account.ts';
import { EventStream } from '../support/eventStream.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Post } from '../support/post.ts';
import { Scene } from '../support/scene.ts';
import { eventIdOf, q } from '../support/sources.ts';
import { plainBytes, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Deleted content is gone from events, pages, streams, webhooks, replayed responses and every table. Earlier versions
// of an edited message are shown only to people who may see them.

const SECRET = 'zanzibarplum';
const FILE = 'quokkafile';
const CHANGED = 'melon';

let world: World;
let scene: Scene;
let author: Client;
let member: Client;
let moderator: Client;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  author = await world.client(scene.server, ['canEditData']);
  member = await world.client(scene.server, ['canEditData']);
  moderator = await world.client(scene.server, ['canModerate']);
});
after(() => world.close());

/** All events that a client may read, as the text of the responses. */
async function eventsOf(client: Client, direction: 'forward' | 'backward' = 'forward'): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor = direction === 'forward' ? '' : '&before=latest'; ; ) {
    const { data, nextCursor } = (await client.get(`/events?limit=100${cursor}`)).body;
    found.push(...data);
    if (data.length === 0) return found;
    cursor = `&${direction === 'forward' ? 'after' : 'before'}=${nextCursor}`;
  }
}

/** The cursor before the first event. */
const beforeAll = (): string => eventIdOf(scene.server.id, { epoch: '000000000000', seq: 0 });
const keyOf = (client: Client): string => client.key;

const textOf = (found: unknown): string => JSON.stringify(found);
const about = (events: Json[], id: string): Json[] => events.filter(({ data }) => data.id === id);

/** The tables with a row that contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of tableNames) {
    const rows = await world.data.db.read.all(q.selectFrom(table).selectAll());
    if (textOf(rows).includes(text)) found.push(table);
  }
  return found;
}

/** A message with a file, an edit, a reaction, a pin, and a thread that repeats its words and has a reply. */
async function everything(
  channelId: string,
): Promise<{ message: Json; thread: Json; file: Json; key: string }> {
  const file = dataOf(await upload(world, author, plainBytes(), `${FILE}.txt`));
  const key = world.unique('key');
  const body = { channelId, content: `${SECRET} first`, attachmentIds: [file.id] };
  const message = dataOf(await author.post('/messages', body, { 'idempotency-key': key }));
  dataOf(await author.patch(`/messages/${message.id}`, { content: `${SECRET} second` }));
  await scene.make('/reactions', { messageId: message.id, emoji: '👍' }, member);
  await scene.make('/pins', { messageId: message.id });
  const thread = await scene.make('/threads', { messageId: message.id, name: `${SECRET} second` }, member);
  await scene.make('/messages', { threadId: thread.id, content: 'A reply' }, member);
  return { message, thread, file, key };
}

const replay = async (channelId: string, file: Json, key: string) =>
  author.post(
    '/messages',
    { channelId, content: `${SECRET} first`, attachmentIds: [file.id] },
    { 'idempotency-key': key },
  );

test('no content of a deleted message remains', async () => {
  const { id: channelId } = await scene.channel();
  const { message, thread, file, key } = await everything(channelId);
  assert.match(textOf(await eventsOf(author)), new RegExp(SECRET));
  const cursor = await scene.cursor();
  await scene.remove(`/messages/${message.id}`);
  await world.tidy();
  for (const client of [scene.admin, author, member, moderator]) {
    for (const direction of ['forward', 'backward'] as const) {
      const events = await eventsOf(client, direction);
      assert.doesNotMatch(textOf(events), new RegExp(`${SECRET}|${FILE}`));
      const [created] = about(direction === 'forward' ? events : events.toReversed(), message.id);
      assert.deepEqual(
        [created?.type, created?.data.content, created?.data.redacted],
        ['message.created', '', true],
      );
      const deleted = about(events, message.id).find(({ type }) => type === 'message.deleted');
      const { content, redacted, attachments } = (deleted as Json).data;
      assert.deepEqual([content, redacted, attachments], ['', undefined, undefined]);
    }
  }
  assert.equal(dataOf(await member.get(`/threads/${thread.id}/info`)).name, null);
  const again = await replay(channelId, file, key);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual([again.data.id, again.data.content, again.data.deleted], [message.id, '', true]);
  const stream = await EventStream.open(world, keyOf(member), { after: beforeAll() });
  try {
    await stream.event(({ type, data }) => type === 'message.deleted' && data.id === message.id);
    assert.doesNotMatch(textOf(stream.events), new RegExp(`${SECRET}|${FILE}`));
  } finally {
    stream.close();
  }
  const resumed = (await member.get(`/events?after=${cursor}`)).data;
  assert.equal(resumed[0].type, 'message.deleted');
  assert.deepEqual([await tablesWith(SECRET), await tablesWith(FILE)], [[], []]);
});

test('the contents of a deleted channel are gone immediately', async () => {
  const { id: channelId } = await scene.channel();
  const { key, file } = await everything(channelId);
  await scene.remove(`/channels/${channelId}`);
  assert.doesNotMatch(textOf(await eventsOf(member)), new RegExp(`${SECRET}|${FILE}`));
  assert.deepEqual((await replay(channelId, file, key)).data.content, '');
  await world.tidy();
  assert.deepEqual([await tablesWith(SECRET), await tablesWith(FILE)], [[], []]);
});

test('the contents of a deleted thread are gone immediately', async () => {
  const thread = await scene.thread({ channelId: (await scene.channel()).id });
  const reply = await scene.message({ threadId: thread.id, content: `${SECRET} reply` });
  assert.match(textOf(about(await eventsOf(member), reply.id)), new RegExp(SECRET));
  await scene.remove(`/threads/${thread.id}`);
  assert.doesNotMatch(textOf(await eventsOf(member)), new RegExp(SECRET));
});

test('earlier versions of a message are shown to its author and to moderators, unless everyone may see them', async () => {
  const message = dataOf(
    await author.post('/messages', { channelId: (await scene.channel()).id, content: `${SECRET} edited` }),
  );
  const thread = await scene.make('/threads', { messageId: message.id, name: SECRET });
  dataOf(await author.patch(`/messages/${message.id}`, { content: CHANGED }));
  const contents = async (client: Client) =>
    about(await eventsOf(client), message.id).map(({ data }) => [data.content, data.redacted]);
  for (const client of [scene.admin, moderator, author])
    assert.deepEqual(await contents(client), [
      [`${SECRET} edited`, undefined],
      [CHANGED, undefined],
    ]);
  assert.deepEqual(await contents(member), [
    [CHANGED, true],
    [CHANGED, undefined],
  ]);
  assert.equal(dataOf(await member.get(`/threads/${thread.id}/info`)).name, null);
  assert.doesNotMatch(textOf(await eventsOf(member)), new RegExp(SECRET));
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { editHistory: 'everyone' }));
  assert.deepEqual((await contents(member))[0], [`${SECRET} edited`, undefined]);
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { editHistory: 'moderators' }));
  assert.deepEqual((await contents(member))[0], [CHANGED, true]);
});

test('a setting decides who sees the edit history', async () => {
  const user = await world.user();
  await world.member(scene.server, user);
  const browser = await Browser.of(world, user, scene.server);
  const message = await scene.message({ content: 'one' });
  const versions = () => browser.get(`/messages/${message.id}/edits`);
  assert.deepEqual(dataOf(await versions()).versions.length, 1);
  dataOf(await scene.admin.patch(`/messages/${message.id}`, { content: 'two' }));
  assertRefused(await versions(), 'FORBIDDEN');
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { editHistory: 'everyone' }));
  assert.deepEqual(
    dataOf(await versions()).versions.map(({ content }: Json) => content),
    ['one', 'two'],
  );
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { editHistory: 'moderators' }));
});

test('a replayed response for an edited message shows its author the original text', async () => {
  const { id: channelId } = await scene.channel();
  const body = { channelId, content: 'as sent' };
  const key = { 'idempotency-key': world.unique('key') };
  const sent = dataOf(await author.post('/messages', body, key));
  dataOf(await author.patch(`/messages/${sent.id}`, { content: CHANGED }));
  assert.deepEqual(dataOf(await author.post('/messages', body, key)), sent);
});

test('an open stream received the text, but not again with the deletion', async () => {
  const { id: channelId } = await scene.channel();
  const stream = await EventStream.open(world, keyOf(member));
  try {
    const message = await scene.message({ channelId, content: `${SECRET} live` });
    await scene.remove(`/messages/${message.id}`);
    await stream.event(({ type }) => type === 'message.deleted');
    assert.deepEqual(
      stream.events.map(({ type, data }) => [type, data.content]),
      [
        ['message.created', `${SECRET} live`],
        ['message.deleted', ''],
      ],
    );
  } finally {
    stream.close();
  }
});

test('a webhook that replays events gets nothing from a deleted message', async () => {
  const post = await Post.open();
  try {
    const { id: channelId } = await post.scene.channel();
    const cursor = await post.scene.cursor();
    const message = await post.scene.message({ channelId, content: `${SECRET} hook` });
    const webhook = await post.webhook({ types: ['message.*'] });
    await post.scene.remove(`/messages/${message.id}`);
    await post.receiver.got(1);
    dataOf(await post.scene.admin.post(`/webhooks/${webhook.id}/replay`, { after: cursor }));
    await post.receiver.got(3);
    assert.deepEqual(
      post.receiver.deliveries.map(({ event: { type, data } }) => [type, data.content]).slice(1),
      [
        ['message.created', ''],
        ['message.deleted', ''],
      ],
    );
  } finally {
    await post.close();
  }
});
