import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Feed } from '../../../web/replica/feed.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Api, Records } from '../../../web/replica/types.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import type { Json } from '../../support/world.ts';

/** A server's snapshot with one channel. */
const snapshotOf = (id: string, cursor = `${id} 1`, rest: Json = {}) =>
  ({
    ...{
      server: { id, name: `the ${id}` },
      channels: [{ id: `${id}-channel`, serverId: id }],
      user: { id: 'me' },
    },
    ...{ conversations: [], categories: [], emoji: [], roles: [], reading: {}, cursor },
    ...{ standing: { userId: 'me', roleIds: ['role'], isServerCreator: false } },
    ...rest,
  }) as unknown as Records['Snapshot'];

/** A feed whose snapshots the test provides. */
function stage() {
  const clock = new FakeClock();
  const replica = new Replica(() => {});
  const asked: Json[] = [];
  const heard: string[] = [];
  const owned: Json[] = [];
  const serverSnapshot = ({ id }: { id: string }) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    asked.push({
      id,
      answer: async (snapshot: unknown = snapshotOf(id)) => {
        resolve(snapshot);
        await turn();
      },
      refuse: async (status?: number) => {
        reject(Object.assign(new Error('refused'), { status }));
        await turn();
      },
    });
    return promise;
  };
  const ownServers = async function* () {
    yield* owned;
    if (owned.length === 0) throw new Error('refused');
  };
  const feed = new Feed({
    ...{ replica, around: clock, api: (() => ({ serverSnapshot, ownServers })) as unknown as Api },
    applied: ({ type }) => void heard.push(`applied ${type}`),
    read: ({ server }, begun) => void heard.push(`read ${server.id} ${typeof begun.time}`),
    missed: (id) => void heard.push(`missed ${id}`),
    left: (id) => void heard.push(`left ${id}`),
    opened: (id) => void heard.push(`opened ${id}`),
  });
  const open = (cursors: Json) => feed.take({ event: 'opening', data: { userId: 'me', cursors } });
  const event = (type: string, serverId: string | null, id: string | undefined, data: Json = {}) =>
    feed.take({ event: 'message', data: { type, serverId, id, data: { serverId, ...data } } });
  /** The requests for snapshots since the last call. */
  const requested = () => asked.splice(0);
  const ids = (requests: Json[]) => requests.map(({ id }) => id);
  return { feed, replica, clock, heard, owned, open, event, requested, ids, asked };
}

test('three snapshots are read at once, and then first that of the server that the person opens', async () => {
  const { feed, open, requested, ids } = stage();
  open({ me: 'me 1', a: 'a 1', b: 'b 1', c: 'c 1', d: 'd 1', e: 'e 1', f: 'f 1' });
  const [first, ...others] = requested();
  assert.deepEqual(ids([first, ...others]), ['a', 'b', 'c']);
  feed.hurry('f');
  feed.hurry('a');
  await first?.answer();
  const [next, ...more] = requested();
  assert.deepEqual([next?.id, more.length], ['f', 0]);
  for (const request of [...others, next]) await request?.answer();
  assert.deepEqual(ids(requested()), ['d', 'e']);
});

test('a server that was left before its snapshot was requested is not read', async () => {
  const { feed, open, requested, ids } = stage();
  open({ me: 'me 1', a: 'a 1', b: 'b 1', c: 'c 1', d: 'd 1', e: 'e 1' });
  const [first] = requested();
  feed.take({ event: 'left', data: { serverId: 'd' } });
  await first?.answer();
  assert.deepEqual(ids(requested()), ['e']);
});

test('the first block of a stream reads every server, and a reconnect only those that missed events', async () => {
  const { feed, replica, open, requested, ids, heard } = stage();
  assert.equal(feed.isBooted, false);
  open({ me: 'me 1', a: 'a 1', b: 'b 1' });
  assert.equal(feed.isBooted, true);
  for (const request of requested()) await request.answer();
  assert.deepEqual(heard.splice(0), ['opened me', 'read a number', 'read b number']);
  open({ me: 'me 1', a: 'a 1', b: 'b 1' });
  assert.deepEqual([requested(), heard.splice(0)], [[], ['opened me']]);
  assert.equal(replica.epoch('b'), 0);
  open({ me: 'me 1', a: 'a 1', b: 'b 2' });
  assert.deepEqual(heard.splice(0), ['opened me', 'missed b']);
  assert.deepEqual([replica.epoch('a'), replica.epoch('b')], [0, 1]);
  assert.notEqual(
    replica.row('channel', 'b-channel'),
    undefined,
    'its channels stay until the snapshot arrives',
  );
  assert.deepEqual(ids(requested()), ['b']);
  open({ me: 'me 2', a: 'a 1', b: 'b 2' });
  assert.deepEqual([requested(), heard], [[], ['opened me', 'missed null']]);
});

test('servers that the person left while the stream was interrupted are removed', async () => {
  const { feed, replica, open, requested, heard } = stage();
  open({ me: 'me 1', a: 'a 1', b: 'b 1' });
  for (const request of requested()) await request.answer();
  heard.length = 0;
  open({ me: 'me 1', a: 'a 1' });
  assert.deepEqual(heard, ['left b', 'opened me']);
  assert.deepEqual([...feed.cursors.keys()], ['me', 'a']);
  assert.deepEqual(
    replica.all('server').map(({ id }) => id),
    ['a'],
  );
  assert.deepEqual([replica.states.has('a'), replica.states.has('b')], [true, false]);
});

test('a stream resumes at the last event of each log', () => {
  const { feed, open, event } = stage();
  open({ me: 'me 1', a: 'a 1', b: 'b 1' });
  event('channel.created', 'a', 'a 2', { id: 'channel' });
  event('channel.created', 'b', undefined, { id: 'other' });
  event('draft.updated', null, 'me 2', { id: 'draft' });
  assert.equal(feed.cursors.get('b'), 'b 1', 'an event without an id has no cursor');
  feed.take({ event: 'cursors', data: { cursors: { b: 'b 3', unknown: 'c 3' } } });
  assert.deepEqual(Object.fromEntries(feed.cursors), { me: 'me 2', a: 'a 2', b: 'b 3' });
  feed.skip('a');
  feed.skip('unknown');
  assert.deepEqual(Object.fromEntries(feed.cursors), { me: 'me 2', a: '', b: 'b 3' });
  feed.skip(null);
  assert.equal(feed.cursors.get('me'), '');
});

test('nothing can be skipped before the stream has opened', () => {
  const { feed } = stage();
  feed.skip(null);
  assert.equal(feed.cursors.size, 0);
});

test('a snapshot that was read before the stream is used, and the stream continues at its cursor', async () => {
  const { feed, replica, heard, open, requested, clock } = stage();
  const begun = replica.marks.begin();
  feed.begin(snapshotOf('a', 'a 7'));
  assert.deepEqual([...feed.cursors], [['a', 'a 7']]);
  assert.deepEqual([heard, replica.userId], [['read a number'], 'me']);
  assert.equal(replica.row('channel', 'a-channel')?.serverId, 'a');
  const view = { cursor: 'a 6', messages: [], users: [], threads: [], reactions: [], pins: [] };
  assert.equal(replica.view(begun, 'a-channel', view as never), false, 'a window at another cursor is stale');
  assert.equal(replica.view(begun, 'a-channel', { ...view, cursor: 'a 7' } as never), true);
  replica.marks.end(begun);
  assert.equal(replica.marks.isReading, false);
  open({ me: 'me 1', a: 'a 7' });
  await clock.pass(60_000);
  assert.deepEqual(requested(), []);
});

test('a snapshot that could not be read is read again after two to four seconds', async () => {
  for (const [status, randomness] of [
    [undefined, 0],
    [429, 0.5],
    [500, 0],
    [400, 0],
  ] as const) {
    const { open, requested, clock, ids, replica } = stage();
    clock.randomness = randomness;
    open({ me: 'me 1', a: 'a 1' });
    await requested()[0]?.refuse(status);
    assert.deepEqual([clock.delays, requested()], [[2_000 * (1 + randomness)], []]);
    await clock.pass(4_000);
    const [again] = requested();
    assert.deepEqual(ids([again]), ['a']);
    await again?.answer();
    assert.deepEqual([clock.delays, replica.all('channel').length], [[], 1]);
  }
});

test('a snapshot is not read again after a refusal, or once the person has left', async () => {
  for (const status of [401, 403, 404]) {
    const { open, requested, clock } = stage();
    open({ me: 'me 1', a: 'a 1' });
    await requested()[0]?.refuse(status);
    assert.deepEqual(clock.delays, [], `${status}`);
  }
  const { feed, open, requested, clock } = stage();
  open({ me: 'me 1', a: 'a 1' });
  await requested()[0]?.refuse(500);
  feed.take({ event: 'left', data: { serverId: 'a' } });
  await clock.pass(10_000);
  assert.deepEqual(requested(), []);
});

test('a snapshot is read again when an event changes what the person can see', async () => {
  const { open, event, requested, ids, heard } = stage();
  open({ me: 'me 1', a: 'a 1' });
  const [first] = requested();
  event('role.created', 'a', 'a 2', { id: 'role' });
  event('message.created', 'a', 'a 3', { id: 'message', channelId: 'a-channel' });
  await first?.answer();
  const [second] = requested();
  assert.deepEqual(ids([second]), ['a'], 'during the read, any role may matter');
  await second?.answer();
  event('role.created', 'a', 'a 4', { id: 'other' });
  event('role.updated', 'a', 'a 5', { id: 'other' });
  event('channel.created', 'a', 'a 6', { id: 'channel' });
  assert.deepEqual(requested(), []);
  event('role.updated', 'a', 'a 7', { id: 'role' });
  assert.deepEqual(ids(requested()), ['a']);
  assert.deepEqual(heard.slice(-2), ['applied channel.created', 'applied role.updated']);
});

test('a server is read again after an import, because imported rows emit no events', async () => {
  const { replica, open, event, requested, ids, heard } = stage();
  open({ me: 'me 1', a: 'a 1', b: 'b 1' });
  for (const request of requested()) await request.answer();
  heard.length = 0;
  event('import.started', 'a', 'a 2', { id: 'import' });
  event('import.finished', null, 'me 2', { id: 'import' });
  assert.deepEqual([requested(), replica.epoch('a')], [[], 0]);
  event('import.finished', 'a', 'a 3', { id: 'import' });
  assert.deepEqual([ids(requested()), replica.epoch('a'), replica.epoch('b')], [['a'], 1, 0]);
  assert.deepEqual(heard, [
    'applied import.started',
    'applied import.finished',
    'missed a',
    'applied import.finished',
  ]);
});

test('leaving a server removes everything of it', async () => {
  const { feed, replica, open, requested, heard } = stage();
  open({ me: 'me 1', a: 'a 1' });
  await requested()[0]?.answer();
  feed.take({ event: 'left', data: { serverId: 'a' } });
  assert.deepEqual([heard.at(-1), replica.all('channel'), replica.all('server')], ['left a', [], []]);
  assert.equal(replica.states.has('a'), false);
});

test('the names of all servers are read with one request, before their snapshots', async () => {
  const { feed, replica, owned, open, requested } = stage();
  open({ me: 'me 1', a: 'a 1' });
  await feed.nameServers();
  assert.deepEqual(replica.all('server'), [], 'a failure has no effect');
  const own = { roleIds: [], flags: [], isServerCreator: true };
  owned.push({ id: 'a', name: 'A', ...own }, { id: 'left', name: 'Left', ...own });
  await feed.nameServers();
  assert.deepEqual(replica.all('server'), [{ id: 'a', name: 'A' }]);
  await requested()[0]?.answer();
  assert.equal(replica.marks.isReading, false);
});
