import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { EventStream } from '../support/eventStream.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { metricOf } from '../support/metrics.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let bot: Client;
let channelId: string;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  bot = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
  channelId = (await scene.channel()).id;
});
after(() => world.close());

const streams: EventStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function open(query: Record<string, string> = {}, client: Client = scene.admin): Promise<EventStream> {
  const stream = await EventStream.open(world, client.key, query);
  streams.push(stream);
  return stream;
}

const begin = (fields: object = {}): Promise<Json> =>
  scene.make('/messages', { channelId, streaming: true, ...fields }, bot);
const append = (id: string, offset: number, text: string, done?: boolean) =>
  bot.post(`/messages/${id}/append`, { offset, text, ...(done !== undefined && { done }) });
const messageOf = async (id: string): Promise<Json> => dataOf(await scene.admin.get(`/messages/${id}`));

const deltasOf = (stream: EventStream, id: string): Json[] =>
  stream.events
    .filter(({ type, data }) => type === 'messageDelta.appended' && data.messageId === id)
    .map(({ data }) => data);

test('200 appends produce 200 deltas, no other live event and two log events, and every read has the text so far', async () => {
  const stream = await open();
  const before = await scene.cursor();
  const { id } = await begin();
  assert.deepEqual([(await messageOf(id)).content, (await messageOf(id)).stream], ['', 'open']);
  let whole = '';
  for (let count = 0; count < 200; count++) {
    const text = `word${count} `;
    const appended = dataOf(await append(id, whole.length, text, count === 199));
    whole += text;
    assert.deepEqual(appended, { id, offset: whole.length });
    if (count !== 100) continue;
    // Reads include the text that is not committed yet.
    assert.equal((await messageOf(id)).content, whole);
    const [latest] = dataOf(await scene.admin.get(`/channels/${channelId}/messages`));
    assert.deepEqual([latest.id, latest.content, latest.stream], [id, whole, 'open']);
    const [around] = dataOf(await scene.admin.get(`/channels/${channelId}/messages?around=${id}`));
    assert.equal(around.content, whole);
  }
  await until(() => deltasOf(stream, id).length === 200);
  assert.equal(
    deltasOf(stream, id).reduce((content, { offset, text }) => content.slice(0, offset) + text, ''),
    whole,
  );
  const [first] = deltasOf(stream, id);
  assert.deepEqual(first, { messageId: id, channelId, threadId: null, offset: 0, text: 'word0 ' });
  const { content, stream: state, editedAt, updatedAt, createdAt } = await messageOf(id);
  assert.deepEqual([content, state, editedAt], [whole, 'done', null]);
  assert.ok(updatedAt > createdAt);
  const logged = (await scene.admin.get(`/events?limit=100&after=${before}`)).data;
  assert.deepEqual(
    logged.map(({ type, data }: Json) => [type, data.stream, data.finished]),
    [
      ['message.created', 'open', undefined],
      ['message.updated', 'done', true],
    ],
  );
  assert.equal(logged[1].data.content, whole);
  await until(() => stream.types.includes('message.updated'));
  assert.deepEqual([...new Set(stream.types)].toSorted(), [
    'message.created',
    'message.updated',
    'messageDelta.appended',
  ]);
});

test('a wrong offset is rejected with the correct one; a repeated append takes effect once', async () => {
  const stream = await open();
  const { id } = await begin({ content: 'Ahoy' });
  assert.equal((await messageOf(id)).content, 'Ahoy');
  for (const offset of [0, 3, 5, 100]) {
    const refused = await append(id, offset, 'x');
    assertRefused(refused, 'INVALID_REQUEST');
    const [{ path, reason, offset: right }] = refused.body.error.details;
    assert.deepEqual([path, reason, right], ['offset', 'wrong_offset', 4]);
  }
  assert.equal(dataOf(await append(id, 4, ', harbour')).offset, 13);
  assert.equal(dataOf(await append(id, 4, ', harbour')).offset, 13);
  assert.equal(dataOf(await append(id, 4, ', har')).offset, 13);
  const twins = await Promise.all([append(id, 13, '!'), append(id, 13, '!')]);
  assert.deepEqual(
    twins.map((one) => dataOf(one).offset),
    [14, 14],
  );
  const others = await Promise.all([append(id, 14, 'a'), append(id, 14, 'b')]);
  assert.deepEqual(others.map(({ status }) => status).toSorted(), [200, 400]);
  assert.equal(dataOf(await append(id, 15, '', true)).offset, 15);
  // The response to the last append may have been lost, too.
  assert.equal(dataOf(await append(id, 15, '', true)).offset, 15);
  const late = await append(id, 15, 'more');
  assertRefused(late, 'INVALID_REQUEST');
  const [{ reason, stream: state, offset }] = late.body.error.details;
  assert.deepEqual([reason, state, offset], ['ended', 'done', 15]);
  await until(() => deltasOf(stream, id).length === 4);
});

test('offsets count UTF-16 code units, a surrogate pair stays whole, and 8,000 characters are the limit', async () => {
  const { id } = await begin();
  assert.equal(dataOf(await append(id, 0, '𝒳')).offset, 2);
  for (const half of ['\ud835', '\udcb3', 'a\ud835'])
    assertRefused(await append(id, 2, half), 'INVALID_REQUEST');
  assert.equal(dataOf(await append(id, 2, '𝒳'.repeat(7_990))).offset, 15_982);
  const long = await append(id, 15_982, 'ten letter');
  assertRefused(long, 'INVALID_REQUEST');
  assert.equal(long.body.error.details[0].reason, 'too_long');
  assert.equal(dataOf(await append(id, 15_982, 'nine more', true)).offset, 15_991);
  assert.equal([...(await messageOf(id)).content].length, 8_000);
});

test('metrics count the messages that are being streamed', async () => {
  const isNow = (amount: number) =>
    until(async () => (await metricOf(world, 'palaver_messages_streaming')) === amount);
  const before = await metricOf(world, 'palaver_messages_streaming');
  const { id } = await begin();
  await isNow(before + 1);
  dataOf(await append(id, 0, 'Counted', true));
  await isNow(before);
});

test('two streams in a channel do not affect each other or an indicator', async () => {
  const stream = await open();
  await scene.make('/indicators', { type: 'thinking', text: 'Looking', channelId }, bot);
  const [one, two] = [await begin(), await begin()];
  for (let count = 0; count < 20; count++)
    await Promise.all([append(one.id, count, 'a'), append(two.id, 2 * count, 'bc')]);
  await until(() => deltasOf(stream, one.id).length + deltasOf(stream, two.id).length === 40);
  assert.equal((await messageOf(one.id)).content, 'a'.repeat(20));
  assert.equal((await messageOf(two.id)).content, 'bc'.repeat(20));
  const kinds = stream.types.filter((type) => type.startsWith('indicator.'));
  assert.deepEqual(kinds, ['indicator.created']);
});

test('a stream that ends empty is deleted, unless it has a file', async () => {
  for (const text of ['', ' \n\u200b']) {
    const { id } = await begin();
    dataOf(await append(id, 0, text, true));
    assertRefused(await scene.admin.get(`/messages/${id}`), 'NOT_FOUND');
    assertRefused(await append(id, 0, 'x'), 'NOT_FOUND');
  }
  const { id } = await begin();
  dataOf(await append(id, 0, ' '));
  dataOf(await scene.admin.post(`/messages/${id}/stop`));
  assertRefused(await scene.admin.get(`/messages/${id}`), 'NOT_FOUND');
});

test('only the author can append, and only to an open stream, with permission to send, and to an existing message', async () => {
  const { id } = await begin();
  const refused = await scene.admin.post(`/messages/${id}/append`, { offset: 0, text: 'x' });
  assertRefused(refused, 'FORBIDDEN');
  const plain = await scene.make('/messages', { channelId, content: 'Plain' }, bot);
  assert.equal((await messageOf(plain.id)).stream, null);
  const [{ reason }] = (await append(plain.id, 5, 'x')).body.error.details;
  assert.equal(reason, 'wrong_kind');
  assert.equal(
    (await scene.admin.post(`/messages/${plain.id}/stop`)).body.error.details[0].reason,
    'wrong_kind',
  );

  dataOf(await append(id, 0, 'So far'));
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { readonly: true }));
  assertRefused(await append(id, 6, 'x'), 'FORBIDDEN');
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { readonly: false }));
  assert.equal(dataOf(await append(id, 6, ' good')).offset, 11);
  await scene.remove(`/messages/${id}`);
  assertRefused(await append(id, 11, 'x'), 'NOT_FOUND');

  const { id: rootId } = await scene.message({ channelId });
  const thread = await scene.thread({ messageId: rootId });
  const reply = await begin({ channelId: undefined, threadId: thread.id });
  dataOf(await append(reply.id, 0, 'In here'));
  const { messages } = dataOf(await scene.admin.get(`/threads/${thread.id}`));
  assert.deepEqual([messages[0].content, messages[0].stream], ['In here', 'open']);
  dataOf(await scene.admin.patch(`/threads/${thread.id}`, { locked: true }));
  assertRefused(await append(reply.id, 7, 'x'), 'FORBIDDEN');
});

test('an open stream cannot be edited, but it can be pinned, answered and reacted to', async () => {
  const { id } = await begin();
  dataOf(await append(id, 0, 'Text'));
  const edit = await bot.patch(`/messages/${id}`, { content: 'Other' });
  assertRefused(edit, 'INVALID_REQUEST');
  assert.equal(edit.body.error.details[0].reason, 'wrong_kind');
  dataOf(await scene.admin.post('/pins', { messageId: id }));
  dataOf(await scene.admin.post('/reactions', { messageId: id, emoji: '👍' }));
  await scene.message({ channelId, replyToId: id });
  const thread = await scene.thread({ messageId: id, name: 'Aside' });
  dataOf(await append(id, 4, ' and more', true));
  const { content, pinned, reactions, stream } = await messageOf(id);
  assert.deepEqual([content, pinned, stream], ['Text and more', true, 'done']);
  assert.deepEqual(reactions, [{ emoji: '👍', count: 1 }]);
  assert.equal(dataOf(await scene.admin.get(`/threads/${thread.id}/info`)).name, 'Aside');
  dataOf(await bot.patch(`/messages/${id}`, { content: 'Edited' }));
  assert.deepEqual([(await messageOf(id)).content, (await messageOf(id)).stream], ['Edited', 'done']);
});

test('notifications and search see the complete message, once', async () => {
  const user = await world.user();
  const reader = await world.client(scene.server, ['canEditData'], user);
  const { id } = await begin();
  dataOf(await append(id, 0, `Unmistakable @${user.username}`));
  assert.equal((await reader.get('/notifications')).data.length, 0);
  const search = async () =>
    dataOf(await scene.admin.get(`/servers/${scene.server.id}/messages?q=unmistakable`)).length;
  assert.equal(await search(), 0);
  dataOf(await append(id, (await messageOf(id)).content.length, '.', true));
  const told = (await reader.get('/notifications')).data;
  assert.deepEqual(
    told.map(({ type, messageId }: Json) => [type, messageId]),
    [['mention', id]],
  );
  await until(async () => (await search()) === 1);
});

test('only members of a private channel get its deltas', async () => {
  const hidden = await scene.channel({ private: true });
  const key = await world.client(scene.server, ['canAdmin']);
  const outside = await open({}, bot);
  const inside = await open();
  const { id } = await scene.make('/messages', { channelId: hidden.id, streaming: true }, key);
  dataOf(await key.post(`/messages/${id}/append`, { offset: 0, text: 'Secret' }));
  const { id: seen } = await begin();
  dataOf(await append(seen, 0, 'Seen'));
  await until(() => deltasOf(outside, seen).length === 1 && deltasOf(inside, seen).length === 1);
  assert.equal(deltasOf(outside, id).length, 0);
  assert.equal(deltasOf(inside, id).length, 1);
  assertRefused(await bot.post(`/messages/${id}/stop`), 'FORBIDDEN');
});

test("a person stops a stream: the text stays, the author's appends are rejected, and the author gets an event", async () => {
  const { id } = await begin();
  const heard = await open({ types: 'message.*' }, bot);
  dataOf(await append(id, 0, 'Once upon'));
  const stopped = dataOf(await scene.admin.post(`/messages/${id}/stop`));
  assert.equal(stopped.content, 'Once upon');
  assert.equal((await messageOf(id)).stream, 'stopped');
  const refused = await append(id, 9, ' a time');
  assertRefused(refused, 'INVALID_REQUEST');
  const [{ reason, stream, offset }] = refused.body.error.details;
  assert.deepEqual([reason, stream, offset], ['ended', 'stopped', 9]);
  await until(() => heard.events.some(({ type }) => type === 'message.updated'));
  const event = heard.events.find(({ type }) => type === 'message.updated');
  assert.deepEqual([event?.data.id, event?.data.stream, event?.actorId], [id, 'stopped', scene.owner.id]);
  // Stopping again changes nothing.
  dataOf(await scene.admin.post(`/messages/${id}/stop`));
});
