import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const events = async (query = ''): Promise<Json> => {
  const answer = await scene.admin.get(`/events${query}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const enough = '?limit=100';
/** The latest event's cursor. */
async function end(): Promise<string> {
  let cursor = '';
  for (;;) {
    const { data, nextCursor } = await events(`${enough}${cursor && `&after=${cursor}`}`);
    cursor = nextCursor;
    if (data.length === 0) return cursor;
  }
}

test('an event has seven fields, and its data is the record as a read returns it', async () => {
  const after = await end();
  const message = await scene.message();
  const { data } = await events(`?after=${after}&types=message.created`);
  const [event] = data;
  assert.deepEqual(Object.keys(event), ['id', 'seq', 'type', 'serverId', 'actorId', 'actor', 'at', 'data']);
  assert.equal(event.type, 'message.created');
  assert.equal(event.serverId, scene.server.id);
  assert.equal(event.actorId, scene.owner.id);
  assert.ok(event.at >= message.createdAt && event.at < message.createdAt + 1_000);
  assert.deepEqual(event.data, dataOf(await scene.admin.get(`/messages/${message.id}`)));
});

test('pages go from the oldest event to the newest without gaps or duplicates, and each has a cursor', async () => {
  for (let index = 0; index < 20; index++) await scene.message();
  const seen: number[] = [];
  let query = '?limit=7';
  for (;;) {
    const { data, nextCursor } = await events(query);
    assert.equal(typeof nextCursor, 'string');
    if (data.length === 0) break;
    assert.ok(data.length <= 7);
    assert.equal(nextCursor, data.at(-1).id);
    seen.push(...data.map(({ seq }: Json) => seq));
    query = `?limit=7&after=${nextCursor}`;
  }
  assert.deepEqual(
    seen,
    Array.from(seen, (_, index) => index + 1),
  );
  assert.ok(seen.length >= 40);
});

test('a page links to the next one if there are more events', async () => {
  const first = await scene.admin.get('/events?limit=2&types=channel.created,role.created');
  const link = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] as string;
  assert.ok(link.includes('types='));
  const second = await scene.admin.get(link.replace('/api/v1', ''));
  assert.ok(second.data[0].seq > first.data[1].seq);
  const last = await scene.admin.get(`/events?after=${await end()}`);
  assert.equal(last.headers.get('link'), null);
});

test('the filters types (single types or all of a noun) and channelId select events', async () => {
  const after = await end();
  const message = await scene.message();
  await scene.make('/reactions', { messageId: message.id, emoji: '👍' });
  await scene.make('/pins', { messageId: message.id });
  await scene.message();
  const kinds = async (query: string) =>
    (await events(`?after=${after}&${query}`)).data.map(({ type }: Json) => type);
  assert.deepEqual(await kinds('types=reaction.created,pin.created'), ['reaction.created', 'pin.created']);
  assert.deepEqual(await kinds('types=message.*'), [
    'message.created',
    'message.updated',
    'message.updated',
    'message.created',
  ]);
  assert.deepEqual(await kinds(`types=message.created&channelId=${message.channelId}`), ['message.created']);
  const inChannel = (await events(`?after=${after}&channelId=${message.channelId}`)).data;
  assert.ok(inChannel.every(({ data }: Json) => [data.channelId, data.id].includes(message.channelId)));
  assert.ok(inChannel.length >= 6);
});

test('the cursor also advances past events that a filter leaves out', async () => {
  const after = await end();
  for (let index = 0; index < 5; index++) await scene.message();
  const { data, nextCursor } = await events(`?after=${after}&types=role.deleted`);
  assert.deepEqual(data, []);
  assert.equal(nextCursor, await end());
});

test('a malformed or forbidden query is rejected', async () => {
  const other = await Scene.open(world);
  const theirs = (await other.admin.get('/events?limit=1')).data[0].id;
  const mine = await end();
  const altered = mine.slice(0, -3) + (mine.at(-3) === 'A' ? 'B' : 'A') + mine.slice(-2);
  const listCursor = (await scene.admin.get(`/servers/${scene.server.id}/channels?limit=1`)).body.nextCursor;
  const cases: [string, Parameters<typeof assertRefused>[1], string?][] = [
    ['?types=message.sent', 'INVALID_REQUEST', 'types'],
    ['?types=', 'INVALID_REQUEST', 'types'],
    ['?types=*', 'INVALID_REQUEST', 'types'],
    ['?wait=61', 'INVALID_REQUEST', 'wait'],
    ['?wait=-1', 'INVALID_REQUEST', 'wait'],
    ['?wait=soon', 'INVALID_REQUEST', 'wait'],
    ['?limit=101', 'INVALID_REQUEST', 'limit'],
    ['?after=nonsense', 'INVALID_REQUEST', 'after'],
    [`?after=${altered}`, 'INVALID_REQUEST', 'after'],
    [`?after=${theirs}`, 'INVALID_REQUEST', 'after'],
    [`?after=${listCursor}`, 'INVALID_REQUEST', 'after'],
    ['?channelId=nothing', 'NOT_FOUND'],
    ['?serverId=nothing', 'NOT_FOUND'],
    [`?serverId=${other.server.id}`, 'FORBIDDEN'],
    [`?channelId=${(await other.channel()).id}`, 'FORBIDDEN'],
  ];
  for (const [query, code, path] of cases) {
    assertRefused(await scene.admin.get(`/events${query}`), code, query, path);
    const asStream = await scene.admin.get(`/events${query}`, { accept: 'text/event-stream' });
    assertRefused(asStream, code, `${query} as a stream`, path);
  }
  const elsewhere = `?serverId=${other.server.id}&channelId=${(await scene.channel()).id}`;
  assertRefused(await scene.admin.get(`/events${elsewhere}`), 'INVALID_REQUEST', elsewhere, 'serverId');
  assertRefused(await world.as('').get('/events'), 'UNAUTHORIZED');
  assertRefused(await world.as('sk_live_x').get('/events'), 'INVALID_API_KEY');
  const found = await scene.admin.get(`/events?serverId=${scene.server.id}&foo=1`);
  assert.equal(found.headers.get('ignored-parameters'), 'foo');
});

test('a long poll waits for a matching event, for at most `wait`', async () => {
  const after = await end();
  const waiting = events(`?after=${after}&wait=20&types=message.deleted`);
  const message = await scene.message();
  await scene.admin.delete(`/messages/${message.id}`);
  const start = performance.now();
  const { data } = await waiting;
  assert.ok(performance.now() - start < 1_000);
  assert.deepEqual(
    data.map(({ type, data }: Json) => [type, data.id]),
    [['message.deleted', message.id]],
  );
  const before = performance.now();
  const empty = await events(`?after=${await end()}&wait=1`);
  assert.ok(performance.now() - before > 900);
  assert.deepEqual(empty.data, []);
  assert.equal(empty.nextCursor, await end());
});

test('a cursor older than all retained events is rejected with the oldest valid cursor', async (t) => {
  const clock = new TestClock();
  const old = await World.open({ clock });
  t.after(() => old.close());
  const { admin, channel, message } = bound(await Scene.open(old));
  const first = (await admin.get('/events?limit=1')).data[0].id;
  const { id: channelId } = await channel();
  const last = (await admin.get('/events?limit=100')).body.nextCursor;
  clock.advance(31 * 24 * 60 * 60 * 1000);
  await message({ channelId });
  await message({ channelId });
  await old.tidy();
  const refused = await admin.get(`/events?after=${first}`);
  assertRefused(refused, 'INVALID_REQUEST', '', 'after');
  const [oldest] = /[\w-]{27}$/.exec(refused.body.error.message) as unknown as [string];
  const types = (query: string) => admin.get(query).then(({ data }) => data.map(({ type }: Json) => type));
  assert.deepEqual(await types(`/events?after=${oldest}`), ['message.created', 'message.created']);
  // All events after this one are still retained.
  assert.deepEqual(await types(`/events?after=${last}`), ['message.created', 'message.created']);
  assert.deepEqual(await types('/events'), ['message.created', 'message.created']);
});

test('a cursor from a lost history is rejected', async () => {
  const { db } = world.data;
  const cursor = await end();
  const [{ seq }] = (await events(`?after=${(await events('?limit=1')).data[0].id}&limit=1`)).data;
  await db.write((tx) =>
    tx.run(
      q
        .updateTable('event')
        .set({ epoch: 'ffffffffffff' })
        .where('logId', '=', scene.server.id)
        .where('seq', '>', seq),
    ),
  );
  const refused = await scene.admin.get(`/events?after=${cursor}`);
  assertRefused(refused, 'INVALID_REQUEST', '', 'after');
  assert.ok(refused.body.error.message.endsWith(await end()));
});

const bound = (scene: Scene) => ({
  admin: scene.admin,
  channel: () => scene.channel(),
  message: (fields: object) => scene.message(fields),
});
