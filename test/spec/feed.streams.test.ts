import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStream } from '../support/eventStream.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { find, q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const streams: EventStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function open(
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const stream = await EventStream.open(world, scene.admin.key, query, headers);
  streams.push(stream);
  return stream;
}

const log = () =>
  world.data.db.read.all(
    q.selectFrom('event').selectAll().where('logId', '=', scene.server.id).orderBy('seq'),
  );

test('a stream sends events from now on, as server-sent events with their cursor', async () => {
  await scene.message();
  const stream = await open();
  assert.equal(stream.status, 200);
  assert.match(stream.headers['content-type'] ?? '', /^text\/event-stream/);
  assert.match(stream.headers['cache-control'] ?? '', /no-store/);
  assert.ok(stream.headers['x-request-id'] && stream.headers.ratelimit === undefined);
  const message = await scene.message();
  const event = await stream.event(({ type }) => type === 'message.created');
  assert.deepEqual(stream.types, ['channel.created', 'message.created']);
  assert.equal(event.data.id, message.id);
  const [opening, ...others] = stream.blocks;
  assert.deepEqual(opening, { comment: 'events follow', id: stream.headers['last-event-id'] });
  assert.ok(others.every(({ data, id }) => data?.id === id));
});

test('a client that disconnects before its first event can resume from the id of the first block', async () => {
  const lost = await open();
  await until(() => lost.blocks.length > 0);
  lost.close();
  const message = await scene.message();
  const stream = await open({}, { 'last-event-id': lost.blocks[0]?.id as string });
  const { data } = await stream.event(({ type }) => type === 'message.created');
  assert.equal(data.id, message.id);
});

test('a stream resumes after Last-Event-ID or `after`, from any event', async () => {
  const all = await open();
  for (let index = 0; index < 10; index++) await scene.message();
  await until(() => all.events.length === 20);
  for (const place of [0, 7, 18]) {
    const { id } = all.events[place];
    const rest = all.events.slice(place + 1);
    for (const stream of [
      await open({}, { 'last-event-id': id }),
      await open({ after: id }),
      await open({ after: all.events[19].id }, { 'last-event-id': id }),
    ]) {
      await until(() => stream.events.length === rest.length);
      assert.deepEqual(stream.events, rest);
    }
  }
});

test('a stream from an old cursor sends every event once and in order under concurrent writes', async () => {
  const [first] = await log();
  const after = (await scene.admin.get('/events?limit=1')).data[0].id;
  const { id: channelId } = await scene.channel();
  const readers: EventStream[] = [];
  const sending = Array.from({ length: 30 }, async () => {
    for (let index = 0; index < 40; index++) {
      await scene.message({ channelId });
      if (index % 20 === 10) readers.push(await open({ after }));
    }
  });
  await Promise.all(sending);
  const expected = (await log()).slice(first ? 1 : 0).map(({ seq }) => seq);
  for (const reader of readers) {
    await until(() => reader.events.length >= expected.length);
    assert.deepEqual(
      reader.events.map(({ seq }) => seq),
      expected,
    );
  }
  assert.equal(readers.length, 60);
});

test('a stream starts with its cursor, so that a client without events misses nothing', async () => {
  const stream = await open();
  const cursor = stream.headers['last-event-id'] as string;
  stream.close();
  const message = await scene.message();
  const next = await open({}, { 'last-event-id': cursor });
  const event = await next.event(({ type }) => type === 'message.created');
  assert.equal(event.data.id, message.id);
});

test('types and channelId filter streams too', async () => {
  const message = await scene.message();
  const stream = await open({ types: 'reaction.*,message.created', channelId: message.channelId });
  await scene.message();
  await scene.make('/reactions', { messageId: message.id, emoji: '👍' });
  const last = await scene.message({ channelId: message.channelId });
  await stream.event(({ data }) => data.id === last.id);
  assert.deepEqual(stream.types, ['reaction.created', 'message.created']);
});

test('a cursor from a lost history resets the stream to the latest event', async () => {
  await scene.message();
  const { nextCursor } = (await scene.admin.get('/events?limit=100&types=message.*')).body;
  const end = (await log()).at(-1);
  await world.data.db.write((tx) =>
    tx.run(q.updateTable('event').set({ epoch: 'eeeeeeeeeeee' }).where('logId', '=', scene.server.id)),
  );
  const stream = await open({ after: nextCursor });
  const message = await scene.message();
  await stream.event(({ data }) => data.id === message.id);
  const [, reset] = stream.blocks.filter(({ data, comment }) => data || comment);
  assert.equal(reset?.event, 'reset');
  assert.equal(reset?.data.reason, 'unknown');
  assert.equal(reset?.id, reset?.data.latest);
  assert.deepEqual(
    stream.events.map(({ seq }: Json) => seq),
    [(end?.seq ?? 0) + 1, (end?.seq ?? 0) + 2],
  );
});

test('a cursor older than all retained events resets the stream to the oldest event', async () => {
  const other = await Scene.open(world);
  const first = (await other.admin.get('/events?limit=1')).data[0].id;
  await other.message();
  const { db } = world.data;
  const { length } = await db.read.all(find('event', { logId: other.server.id }));
  await db.write((tx) =>
    tx.run(
      q
        .deleteFrom('event')
        .where('logId', '=', other.server.id)
        .where('seq', '<', length - 1),
    ),
  );
  const stream = await EventStream.open(world, other.admin.key, {}, { 'last-event-id': first });
  streams.push(stream);
  await stream.event(({ type }) => type === 'message.created');
  const reset = stream.blocks.find(({ event }) => event);
  assert.deepEqual([reset?.event, reset?.data.reason], ['reset', 'expired']);
  assert.equal(reset?.data.oldest, reset?.id);
  assert.deepEqual(stream.types, ['channel.created', 'message.created']);
});

test('an HTTP/1.0 client gets the stream without chunked encoding', async () => {
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  socket.write(
    `GET /api/v1/events HTTP/1.0\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${scene.admin.key}\r\n\r\n`,
  );
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  await until(() => text.includes('\r\n\r\n: '));
  const message = await scene.message();
  await until(() => text.includes(message.id));
  const [head, body] = text.split('\r\n\r\n', 2) as [string, string];
  assert.doesNotMatch(head, /transfer-encoding/i);
  assert.match(
    body,
    /^: [^\n]*\nretry: \d+\nid: [\w-]+\n\nid: [\w-]+\ndata: \{.*\}\n\nid: [\w-]+\ndata: \{.*\}\n\n$/,
  );
  socket.destroy();
});

test('streams and long polls end immediately when the server stops', async () => {
  const own = await World.open();
  const { admin } = await Scene.open(own);
  const stream = await EventStream.open(own, admin.key);
  const { nextCursor } = (await admin.get('/events?limit=100')).body;
  const polling = admin.get(`/events?wait=30&after=${nextCursor}`);
  await sleep(50);
  const start = performance.now();
  await own.close();
  assert.ok(performance.now() - start < 2_000);
  await stream.over();
  assert.deepEqual((await polling).data, []);
});
