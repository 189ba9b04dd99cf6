import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepOwn } from '../../../web/replica/own.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { LiveEvent, Rows } from '../../../web/replica/types.ts';

const saved = (id: string, remindAt: number | null = null) =>
  ({ id, serverId: 'server', channelId: 'channel', messageId: `of-${id}`, remindAt }) as Rows['saved'];
const event = (type: string, data: object) => ({ type, serverId: null, data }) as unknown as LiveEvent;
const ids = (replica: Replica) => replica.rows('saved', 'all', '').map(({ id }) => id);

test("a list replaces the user's own rows, except those that an event changed or removed in the meantime", () => {
  const replica = new Replica(() => {});
  replica.own(replica.marks.begin(), 'saved', [saved('1'), saved('2'), saved('3')]);
  assert.deepEqual(ids(replica), ['3', '2', '1'], 'newest first');
  const begun = replica.marks.begin();
  replica.apply(event('saved.updated', saved('4')));
  replica.apply(event('saved.updated', saved('1', 5)));
  replica.apply(event('saved.deleted', saved('3')));
  replica.own(begun, 'saved', [saved('1'), saved('3')]);
  assert.deepEqual(ids(replica), ['4', '1']);
  assert.equal(replica.row('saved', '1')?.remindAt, 5);
  assert.deepEqual(
    replica.rows('saved', 'messageId', 'of-1').map(({ id }) => id),
    ['1'],
  );
});

test('the first pages of a list leave older rows alone', () => {
  const replica = new Replica(() => {});
  replica.own(replica.marks.begin(), 'saved', [saved('1'), saved('5'), saved('6')]);
  replica.own(replica.marks.begin(), 'saved', [saved('7'), saved('5')], '5');
  assert.deepEqual(ids(replica), ['7', '5', '1']);
  replica.own(replica.marks.begin(), 'saved', [saved('7')], '5');
  assert.deepEqual(ids(replica), ['7', '1']);
});

test("the user's own rows survive missed events and leaving a server", () => {
  const replica = new Replica(() => {});
  replica.own(replica.marks.begin(), 'saved', [saved('1')]);
  replica.drop('server', false);
  replica.drop('server', true);
  assert.deepEqual(ids(replica), ['1']);
});

/** Stores rows like a read without any others in flight. */
function store(replica: Replica, rows: readonly Rows['saved'][]): void {
  const begun = replica.marks.begin();
  replica.own(begun, 'saved', rows);
  replica.marks.end(begun);
}

/** A session whose connection and notifications the test controls. */
function sessionOf() {
  const replica = new Replica(() => {});
  const listeners = new Map<string, () => void>();
  let status = 'live';
  const session = {
    replica,
    connection: () => ({ status }),
    subscribe: (key: string, listen: () => void) => {
      listeners.set(key, listen);
      return () => {};
    },
  } as unknown as Parameters<typeof keepOwn>[0];
  return {
    session,
    replica,
    tell: (key: string) => listeners.get(key)?.(),
    become(next: string) {
      status = next;
      listeners.get('connection')?.();
    },
  };
}

/** API calls that return these pages of each list, and the requests made. */
function callsOf(pages: Partial<Record<'blocks' | 'savedMessages' | 'scheduledMessages', object[][]>> = {}) {
  const asked: { list: string; limit: number; cursor?: string }[] = [];
  const call =
    (list: 'blocks' | 'savedMessages' | 'scheduledMessages') =>
    async (input: { limit: number; cursor?: string }) => {
      asked.push({ list, ...input });
      const all = pages[list] ?? [[]];
      const page = Number(input.cursor ?? 0);
      const nextCursor = page + 1 < all.length ? String(page + 1) : null;
      return Object.assign([...(all[page] ?? [])], { nextCursor });
    };
  const calls = {
    blocks: call('blocks'),
    savedMessages: call('savedMessages'),
    scheduledMessages: call('scheduledMessages'),
  } as unknown as Parameters<typeof keepOwn>[1];
  const lists = () => asked.splice(0).map(({ list }) => list);
  return { calls, asked, lists };
}

const ALL = ['blocks', 'savedMessages', 'scheduledMessages'];

test('the lists are read at the start and again after the connection was lost', async () => {
  const { calls, lists } = callsOf();
  const { session, become } = sessionOf();
  keepOwn(session, calls);
  assert.deepEqual(lists(), ALL);
  become('live');
  become('offline');
  become('offline');
  assert.deepEqual(lists(), []);
  become('live');
  assert.deepEqual(lists(), ALL);
});

test('the lists are read again after the user left a server, and not after joining one', () => {
  const { calls, lists } = callsOf();
  const { session, replica, tell } = sessionOf();
  keepOwn(session, calls);
  lists();
  const server = (id: string) => ({ id, name: id }) as Rows['server'];
  replica.reading(replica.marks.begin(), { server: [server('a'), server('b')] as never });
  tell('server@all=');
  tell('server@all=');
  assert.deepEqual(lists(), []);
  replica.drop('a', true);
  tell('server@all=');
  assert.deepEqual(lists(), ALL);
});

test('each list is read in pages of 100, up to a maximum number of pages', async () => {
  const page = (number: number) => [saved(String(1_000 - number))];
  const pages = Array.from({ length: 12 }, (_, number) => page(number));
  const { calls, asked } = callsOf({ blocks: pages, savedMessages: pages, scheduledMessages: pages });
  const { session, replica } = sessionOf();
  // The oldest row is beyond the pages that are read. It stays.
  store(replica, [saved('1'), saved('999')]);
  keepOwn(session, calls);
  await new Promise(setImmediate);
  const count = (name: string) => asked.filter(({ list }) => list === name).length;
  assert.deepEqual(ALL.map(count), [10, 3, 1]);
  assert.deepEqual(
    asked.filter(({ list }) => list === 'savedMessages'),
    [
      { list: 'savedMessages', limit: 100 },
      { list: 'savedMessages', limit: 100, cursor: '1' },
      { list: 'savedMessages', limit: 100, cursor: '2' },
    ],
  );
  assert.deepEqual(ids(replica), ['999', '998', '1000', '1']);
  assert.equal(replica.marks.isReading, false);
});

test('a list that was read to its end replaces older rows, too', async () => {
  const { calls, asked } = callsOf({ savedMessages: [[saved('7')], [saved('6')]] });
  const { session, replica } = sessionOf();
  store(replica, [saved('1'), saved('7')]);
  keepOwn(session, calls);
  await new Promise(setImmediate);
  assert.equal(asked.length, 4, 'no request after the last page');
  assert.deepEqual(ids(replica), ['7', '6']);
});

test('if a list cannot be read, its rows stay, and later reads do not wait for it', async () => {
  const { calls } = callsOf();
  const { session, replica } = sessionOf();
  store(replica, [saved('1')]);
  keepOwn(session, { ...calls, savedMessages: () => Promise.reject(new Error('unreachable')) });
  assert.equal(replica.marks.isReading, true);
  await new Promise(setImmediate);
  assert.deepEqual([ids(replica), replica.marks.isReading], [['1'], false]);
});
