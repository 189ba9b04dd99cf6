import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { countedReads } from '../support/countedReads.ts';
import { EventStream } from '../support/eventStream.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scenes: [Scene, Scene];
before(async () => {
  world = await World.open();
  scenes = [await Scene.open(world), await Scene.open(world)];
});
after(() => world.close());

/** A person who is a member of both servers, in a browser. */
async function member(of: readonly Scene[] = scenes): Promise<{ user: Json; browser: Browser }> {
  const user = await world.user();
  for (const { server } of of) await world.member(server, user);
  return { user, browser: await Browser.of(world, user) };
}

/** Sends a message in a channel of a scene, and waits until the stream sends it. */
async function heard(stream: EventStream, scene: Scene, channel: Json): Promise<Json> {
  const { id } = await scene.message({ channelId: channel.id });
  return stream.event(({ type, data }) => type === 'message.created' && data.id === id);
}

/** Removes the events in a log up to `seq`, as upkeep does with old events. */
const forget = (logId: string, seq: number) =>
  q.deleteFrom('event').where('logId', '=', logId).where('seq', '<=', seq);

const remove = async (scene: Scene, user: Json): Promise<void> => {
  const list = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members?limit=100`));
  await scene.remove(`/server-members/${list.find(({ userId }: Json) => userId === user.id).id}`);
};

test('one stream sends the events from all servers, each with its own cursor, and resumes after these', async () => {
  const { user, browser } = await member();
  const channels = await Promise.all(scenes.map((scene) => scene.channel()));
  const stream = await browser.stream();
  assert.equal(stream.headers['last-event-id'], undefined);
  const { cursors } = await stream.told('opening');
  assert.deepEqual(Object.keys(cursors).sort(), [user.id, ...scenes.map(({ server }) => server.id)].sort());
  const last = { ...cursors };
  for (const number of [0, 1, 0] as const) {
    const event = await heard(stream, scenes[number], channels[number]);
    assert.equal(event.serverId, scenes[number].server.id);
    last[event.serverId] = event.id;
  }
  await stream.event(({ id }) => id === last[scenes[0].server.id]);
  const block = stream.blocks.find(({ data }) => data?.id === last[scenes[0].server.id]);
  assert.equal(block?.id, block?.data.id, 'it is also the id of the block');
  stream.close();

  const missed = [await scenes[1].message({ channelId: channels[1].id })];
  missed.push(await scenes[0].message({ channelId: channels[0].id }));
  const again = await browser.stream(Object.values(last));
  for (const { id } of missed) await again.event(({ data }) => data.id === id);
  assert.deepEqual(again.types, ['message.created', 'message.created'], 'no duplicates and nothing else');
  assert.deepEqual((await again.told('opening')).cursors, last, 'the cursors to resume from');
  assert.deepEqual(again.named('reset'), []);
  again.close();
});

test('a stream picks up servers that the person joins, and drops those that they leave, without reconnecting', async () => {
  const { user, browser } = await member([scenes[0]]);
  const [first, second] = scenes;
  const channel = await second.channel();
  const stream = await browser.stream();
  await stream.told('opening');
  browser.place = second.server.id;
  dataOf(await browser.api.post('/server-members', { serverId: second.server.id }));
  const { serverId, cursor } = await stream.told('joined');
  assert.equal(serverId, second.server.id);
  const { messages, cursor: at } = dataOf(await browser.get(`/channels/${channel.id}/view`));
  assert.deepEqual([messages, typeof at, typeof cursor], [[], 'string', 'string']);
  await heard(stream, second, channel);

  await remove(second, user);
  const { id } = await second.message({ channelId: channel.id });
  assert.equal((await stream.told('left')).serverId, second.server.id);
  await heard(stream, first, await first.channel());
  assert.ok(!stream.events.some(({ data }) => data.id === id), 'nothing since then');
  assert.ok(!stream.isOver);

  await world.member(second.server, user);
  await until(() => stream.named('joined').length === 2);
  await heard(stream, second, channel);
  stream.close();
});

test("deleting a server sends `left` once to its creator's and members' streams", async () => {
  const creator = await Browser.of(world, await world.user());
  const server = dataOf(await creator.post('/servers', { name: 'Short' }));
  const { user, browser } = await member([]);
  await world.member(server, user);
  const streams = [await creator.stream(), await browser.stream()];
  // Waits until the member is online, because any later event in the server would also remove the server from
  // the stream.
  for (const stream of streams)
    await stream.event(
      ({ type, data }) =>
        type === 'presence.updated' && data.people.some(({ userId }: Json) => userId === user.id),
    );
  creator.place = server.id;
  dataOf(await creator.post(`/servers/${server.id}/delete`, { name: 'Short' }));
  await world.tidy();
  for (const stream of streams) {
    assert.equal((await stream.told('left')).serverId, server.id);
    // The sweep writes this event to the person's own log.
    await stream.event(({ type, data }) => type === 'server.deleted' && data.id === server.id);
    assert.deepEqual([stream.named('left').length, stream.named('joined')], [1, []]);
    stream.close();
  }
});

test('leaving a server and rejoining right away sends both events, since events may have been missed', async () => {
  const { user, browser } = await member();
  const stream = await browser.stream();
  await stream.told('opening');
  const [scene] = scenes;
  await remove(scene, user);
  await world.member(scene.server, user);
  await stream.told('left');
  await stream.told('joined');
  await heard(stream, scene, await scene.channel());
  stream.close();
});

test("events follow the person's current access in each server while the stream is open", async () => {
  const [scene, other] = scenes;
  const { user, browser } = await member();
  const inside = await scene.role();
  const closed = await scene.channel({ private: true, roleIds: [inside.id] });
  const stream = await browser.stream();
  await stream.told('opening');
  const unseen = await scene.message({ channelId: closed.id });
  // Access is checked when an event is sent, which may be late on a busy node.
  await heard(stream, scene, await scene.channel());
  const given = await scene.make('/user-roles', { userId: user.id, roleId: inside.id });
  await heard(stream, scene, closed);
  await scene.admin.patch(`/channels/${closed.id}`, { roleIds: [] });
  const sight = await stream.event(({ type }) => type === 'sight');
  assert.deepEqual([sight.serverId, sight.data], [scene.server.id, { channelId: closed.id }]);
  await scene.remove(`/user-roles/${given.id}`);
  const hidden = await scene.message({ channelId: closed.id });
  await heard(stream, scene, await scene.channel());
  await heard(stream, other, await other.channel());
  const told = new Set(stream.events.map(({ data }) => data.id));
  assert.deepEqual([told.has(unseen.id), told.has(hidden.id)], [false, false]);

  const typing = await scene.channel();
  await scene.indicator({ channelId: typing.id });
  await stream.event(({ type, data }) => type === 'indicator.created' && data.channelId === typing.id);
  stream.close();
});

test('a cursor that is expired, or from other data, only resets its own server', async () => {
  const [scene, other] = scenes;
  const { browser } = await member();
  const channel = await scene.channel();
  const [old] = (await scene.admin.get('/events?limit=1')).data;
  await world.data.db.write((tx) => tx.run(forget(scene.server.id, old.seq + 3)));
  const good = await other.cursor();
  const missed = await other.channel();
  const stream = await browser.stream([old.id, good]);
  const reset = await stream.told('reset');
  assert.deepEqual([reset.serverId, reset.reason], [scene.server.id, 'expired']);
  await stream.event(({ type, data }) => type === 'channel.created' && data.id === missed.id);
  const { cursors } = await stream.told('opening');
  assert.deepEqual([cursors[other.server.id], cursors[scene.server.id]], [good, await scene.cursor()]);
  await heard(stream, scene, channel);
  assert.equal(stream.named('reset').length, 1);
  stream.close();

  const page = await browser.get(`/events?after=${old.id},${good}`);
  assertRefused(page, 'INVALID_REQUEST', 'a page', 'after');
  const [{ reason, cursor }] = page.body.error.details;
  assert.equal(reason, 'expired');
  const { data } = await browser.get(`/events?after=${cursor}`);
  assert.ok(data.some((event: Json) => event.data.id === missed.id));
});

test('pages and long polls return the events from all servers after their cursors', async () => {
  const { browser } = await member();
  const [one, other] = [await scenes[0].channel(), await scenes[1].channel()];
  const begin = await browser.get('/events');
  assert.deepEqual(begin.data, []);
  const sent = [
    await scenes[0].message({ channelId: one.id }),
    await scenes[1].message({ channelId: other.id }),
  ];
  const next = await browser.get(`/events?after=${begin.body.nextCursor}`);
  assert.deepEqual(next.data.map(({ data }: Json) => data.id).sort(), sent.map(({ id }) => id).sort());
  const waiting = browser.get(`/events?wait=30&after=${next.body.nextCursor}`);
  const { id } = await scenes[1].message({ channelId: other.id });
  const answer = await waiting;
  assert.deepEqual(
    answer.data.map(({ data }: Json) => data.id),
    [id],
  );
  for (const wrong of ['x', `${begin.body.nextCursor},x`, `${begin.body.nextCursor},`])
    assertRefused(await browser.get(`/events?after=${wrong}`), 'INVALID_REQUEST', wrong, 'after');
  const foreign = await (await Scene.open(world)).cursor();
  assert.deepEqual(
    (await browser.get(`/events?after=${foreign}`)).data,
    [],
    'of a server that the person has left',
  );
});

test('a ticket opens one stream without the server header, for its person only', async () => {
  const { browser } = await member();
  const path = '/api/people/events';
  const accept = { accept: 'text/event-stream' };
  const key = { 'idempotency-key': 'a ticket' };
  const { ticket } = dataOf(await browser.post('/events/tickets', undefined, key));
  assert.equal(dataOf(await browser.post('/events/tickets', undefined, key)).ticket, ticket);
  const open = (query: Record<string, string>, headers = {}) =>
    EventStream.open(world, '', query, { ...accept, ...headers }, path);
  const foreign = await open({ ticket }, { origin: 'https://evil.example' });
  assert.equal(foreign.status, 401);
  const keyed = await EventStream.open(world, '', { ticket });
  assert.equal(keyed.status, 401, 'it is not a ticket of a key');
  const stream = await open({ ticket });
  assert.equal(stream.status, 200);
  await heard(stream, scenes[0], await scenes[0].channel());
  assert.equal((await open({ ticket })).status, 401, 'it is used up');
  const { data: ofKey } = await scenes[0].admin.post('/events/tickets');
  assert.equal(
    (await open({ ticket: ofKey.ticket })).status,
    401,
    "a key's ticket does not open a person's stream",
  );
  assert.equal((await open({}, { cookie: browser.cookie })).status, 401, 'the cookie alone');
  const [{ id }] = dataOf(await browser.get('/sessions'));
  const unused = dataOf(await browser.post('/events/tickets'));
  dataOf(await browser.delete(`/sessions/${id}`));
  await stream.over();
  assert.equal((await open({ ticket: unused.ticket })).status, 401, 'it ends with the session');
});

test("a stream for many servers counts as several of its user's streams", async (t) => {
  const small = await World.open({ bounds: { streamsPerUser: 3 } });
  t.after(() => small.close());
  const user = await small.user();
  for (let number = 0; number < 21; number++) await small.server(user);
  const browser = await Browser.of(small, user);
  const stream = await browser.stream();
  assert.equal(Object.keys((await stream.told('opening')).cursors).length, 22);
  const refused = await browser.stream();
  assert.equal(refused.status, 429);
  stream.close();
  await until(async () => {
    const next = await browser.stream();
    next.close();
    return next.status === 200;
  });
});

test('opening, resuming and polling take the same number of statements for many servers as for one', async () => {
  const user = await world.user();
  const browser = await Browser.of(world, user);
  const counts = await countedReads(world, async (count) => {
    const found: number[] = [];
    for (const amount of [1, 20]) {
      for (let number = 0; number < amount; number++) await world.server(user);
      const times: number[] = [];
      // Takes the minimum of three, because the node itself reads occasionally.
      for (let time = 0; time < 3; time++) {
        const before = count();
        const begin = await browser.get('/events');
        await browser.get(`/events?after=${begin.body.nextCursor}`);
        const stream = await browser.stream(begin.body.nextCursor.split(','));
        await stream.told('opening');
        stream.close();
        times.push(count() - before);
      }
      found.push(Math.min(...times));
    }
    return found;
  });
  assert.ok((counts[0] as number) > 0 && (counts[0] as number) < 10, String(counts));
  assert.equal(counts[1], counts[0]);
});
