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

/** A session whose connection the test controls, with the requests that it made. */
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
    become(next: string) {
      status = next;
      listeners.get('connection')?.();
    },
  };
}

test('the lists are read at the start and again after the connection was lost', async () => {
  const asked: string[] = [];
  const list = (name: string) => () => {
    asked.push(name);
    return Promise.resolve(Object.assign([], { nextCursor: null }));
  };
  const calls = {
    blocks: list('blocks'),
    savedMessages: list('saved'),
    scheduledMessages: list('scheduled'),
  };
  const { session, become } = sessionOf();
  keepOwn(session, calls as unknown as Parameters<typeof keepOwn>[1]);
  assert.deepEqual(asked.splice(0), ['blocks', 'saved', 'scheduled']);
  become('live');
  become('offline');
  assert.deepEqual(asked, []);
  become('live');
  assert.deepEqual(asked, ['blocks', 'saved', 'scheduled']);
});
