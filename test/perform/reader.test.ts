// @run sqlite: opens only an embedded database
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { ChannelView } from '../../server/src/access/predicates.ts';
import type { Viewer } from '../../server/src/access/visibility.ts';
import { eventIdOf } from '../../server/src/feed/eventId.ts';
import { type EventKind, EventTable } from '../../server/src/feed/eventKind.ts';
import type { LiveEvent } from '../../server/src/feed/logged.ts';
import { Reader } from '../../server/src/feed/reader.ts';
import type { Filter } from '../../server/src/feed/span.ts';
import { Tail } from '../../server/src/feed/tail.ts';
import { eventPage } from '../../server/src/http/streams/follow.ts';
import { EPOCH, EventLog, range } from '../support/eventLog.ts';

// A reader returns the events that its viewer may see, and skips all others.

const CHANNEL = '0198c000-0000-7000-8000-000000000001';
const OWNER = '0198c000-0000-7000-8000-00000000000a';
const kind = (type: string, audience: string) =>
  ({ type, audience, log: 'server', live: undefined }) as unknown as EventKind;
const events = new EventTable([
  kind('pin.created', 'member'),
  kind('pin.moved', 'administrators'),
  kind('role.updated', 'member'),
  kind('channel.updated', 'channel'),
]);
const at = (seq: number) => ({ seq, epoch: EPOCH });
const seqsOf = (all: readonly { seq: number }[]) => all.map(({ seq }) => seq);

/** A log with a viewer whose permissions the test changes. */
async function stage(t: TestContext) {
  const log = await EventLog.open(t);
  const tail = await Tail.open(log.db, events, log.id);
  const state = { version: 1, hasChanged: true, loads: 0, onLoad: async (): Promise<void> => {} };
  const viewer = {
    userId: 'ada',
    serverId: log.id,
    isServerCreator: false,
    roleIds: ['sailor'],
    flags: new Set(),
  };
  const authority = { authorityVersion: () => state.version, authorityHasChanged: () => state.hasChanged };
  const open = (filter: Filter = {}) =>
    new Reader(authority, tail, filter, async () => {
      state.loads++;
      await state.onLoad();
      return { ...viewer } as unknown as Viewer;
    });
  return { log, tail, state, viewer, open };
}

test('a reader gets what its viewer may see, and moves past the rest', async (t) => {
  const { log, tail, viewer, open } = await stage(t);
  const reader = open();
  await log.add([1, 3, 5]);
  await log.add([2, 4, 6], { type: 'pin.moved' });
  await tail.wake();
  assert.equal(reader.isAtEnd, false);
  assert.deepEqual(seqsOf(await reader.next(2)), [1, 3]);
  assert.equal(reader.cursor, eventIdOf(log.id, at(3)));
  assert.deepEqual([seqsOf(await reader.next(9)), reader.isAtEnd], [[5], true]);
  viewer.flags.add('canAdmin');
  const admin = open();
  assert.equal(admin.isAtEnd, true, 'starts at the end');
  await admin.seekOldest();
  assert.deepEqual(seqsOf(await admin.next(9)), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(await admin.next(9), []);
});

test('ten batches of hidden events end a page, which the next one continues', async (t) => {
  const { log, tail, open } = await stage(t);
  const reader = open({ types: new Set(['none']) });
  await log.add(range(1, 5_600));
  reader.goTo(at(0));
  await tail.wake();
  // The oldest events are read from the database, 2,000 at a time, and the latest from memory.
  assert.deepEqual(await reader.next(9), []);
  assert.equal(reader.isAtEnd, true);
  const hidden = open({ types: new Set(['pin.created']) });
  hidden.goTo(at(0));
  await log.add(range(5_601, 5_610), { type: 'pin.moved' });
  await tail.wake();
  assert.equal((await hidden.next(10_000)).length, 5_600);
  assert.equal(hidden.isAtEnd, true);
});

test('a long poll goes on when other events arrive while it reads', async (t) => {
  const { log, tail, state, open } = await stage(t);
  const reader = open({ types: new Set(['pin.created']) });
  state.onLoad = async () => {
    state.onLoad = async () => {};
    await log.add([1], { type: 'role.updated' });
    await tail.wake();
    assert.deepEqual([reader.isAtEnd, reader.hasMore], [false, false]);
  };
  const polling = eventPage(reader, 9, 60_000, new AbortController().signal);
  while (state.loads === 0 || !reader.isAtEnd) await turn();
  await log.add([3]);
  await tail.wake();
  assert.deepEqual(seqsOf(await polling), [3]);
});

test('a long poll that skips too many hidden events returns early', async (t) => {
  const { log, tail, open } = await stage(t);
  const reader = open();
  await log.add(range(1, 21), { type: 'pin.moved' });
  await tail.wake();
  const poll = () => eventPage(reader, 1, 60_000, new AbortController().signal);
  assert.deepEqual([await poll(), reader.hasMore], [[], true]);
  assert.deepEqual([await poll(), reader.hasMore, reader.cursor], [[], true, eventIdOf(log.id, at(20))]);
  const last = poll();
  while (!reader.isAtEnd) await turn();
  await log.add([22]);
  await tail.wake();
  assert.deepEqual([seqsOf(await last), reader.hasMore], [[22], false]);
});

test('events in memory are delivered without a read, unless somebody may lose access', async (t) => {
  const { log, tail, state, open } = await stage(t);
  const reader = open();
  await log.add([1, 3]);
  await log.add([2], { type: 'pin.moved' });
  await tail.wake();
  assert.equal(reader.recent(), undefined, 'the viewer is not known yet');
  await reader.next(1);
  assert.deepEqual(seqsOf(reader.recent() ?? []), [3]);
  assert.equal(reader.isAtEnd, true);
  assert.deepEqual(reader.recent(), []);
  await log.add([4]);
  await tail.wake();
  assert.equal(reader.recent(), tail.recent(3), 'readers that see everything share the events');
  await log.add([5], { type: 'role.updated', lostBy: '{"roleId":"sailor"}' });
  await tail.wake();
  assert.equal(reader.recent(), undefined);
  assert.equal(reader.isAtEnd, false);
  assert.deepEqual(seqsOf(await reader.next(9)), [5]);
  state.version++;
  await log.add([6]);
  await tail.wake();
  assert.equal(reader.recent(), undefined, 'permissions have changed');
});

test('a viewer is loaded again only when their permissions have changed', async (t) => {
  const { log, tail, state, open } = await stage(t);
  const reader = open();
  assert.equal(reader.userId, undefined);
  await reader.next(1);
  assert.equal(reader.userId, 'ada');
  await reader.next(1);
  assert.equal(state.loads, 1);
  Object.assign(state, { version: 2, hasChanged: false });
  await reader.next(1);
  assert.equal(state.loads, 1, 'of somebody else');
  state.hasChanged = true;
  await reader.next(1);
  assert.equal(state.loads, 1, 'checked before');
  state.version = 3;
  await reader.next(1);
  await reader.next(1);
  assert.equal(state.loads, 2);
  assert.equal(tail.logId, log.id);
});

test('a viewer who loses access to a channel is told once, for the channel and types of the filter', async (t) => {
  const { log, tail, open } = await stage(t);
  const all = {
    open: open(),
    typed: open({ types: new Set(['sight']) }),
    other: open({ types: new Set(['pin.created']) }),
  };
  const placed = { own: open({ channelId: CHANNEL }), elsewhere: open({ channelId: OWNER }) };
  const told: string[] = [];
  const readers = Object.entries({ ...all, ...placed });
  for (const [name, reader] of readers)
    reader.tellSight = ({ channelId }: LiveEvent) =>
      void told.push(`${name} ${channelId === null ? 'any' : 'one'}`);
  const view: ChannelView = { private: true, readonly: false, roleIds: ['sailor'], memberIds: null };
  const toldAfter = async (seq: number, type: string, lostBy: object, data: object) => {
    const row = { type, lostBy: JSON.stringify(lostBy), data: JSON.stringify(data) };
    await log.add([seq], { ...row, channelId: type === 'channel.updated' ? CHANNEL : null });
    await tail.wake();
    for (const [, reader] of readers) await reader.next(9);
    return told.splice(0);
  };
  const lost = { ...view, roleIds: ['captain'] };
  assert.deepEqual(await toldAfter(1, 'channel.updated', { channel: view }, lost), [
    'open one',
    'typed one',
    'own one',
  ]);
  assert.deepEqual(await toldAfter(2, 'channel.updated', { channel: view }, view), [], 'still visible');
  assert.deepEqual(await toldAfter(3, 'channel.updated', { channel: lost }, lost), [], 'never visible');
  const everyone = ['open any', 'typed any', 'own any', 'elsewhere any'];
  assert.deepEqual(await toldAfter(4, 'role.updated', { roleId: 'sailor' }, {}), everyone);
  assert.deepEqual(await toldAfter(5, 'role.updated', { roleId: 'captain' }, {}), []);
});

test('a reader skips events of others only if it has read everything before them', async (t) => {
  const { open } = await stage(t);
  const reader = open();
  for (const [start, end] of [
    [4, 4],
    [5, 8],
    [7, 8],
    [8, 8],
    [9, 9],
  ] as const) {
    reader.goTo(at(start));
    reader.passOver(at(5), at(8));
    assert.equal(reader.cursor.length, 27);
    const { cursor } = reader;
    reader.goTo(at(end));
    assert.equal(cursor, reader.cursor, `${start}`);
  }
});

test('a reader moves to a cursor of its log, and stays if that is not possible', async (t) => {
  const { log, open } = await stage(t);
  await log.add(range(1, 3));
  const reader = open();
  const { cursor: start } = reader;
  assert.equal((await reader.seek(eventIdOf(log.id, at(9))))?.reason, 'unknown');
  assert.equal(reader.cursor, start);
  assert.equal(await reader.seek(eventIdOf(log.id, at(2))), undefined);
  assert.equal(reader.cursor, eventIdOf(log.id, at(2)));
  await reader.seekLatest();
  assert.equal(reader.cursor, eventIdOf(log.id, at(3)));
});

test('a page backward starts at the reader or at the end, and does not move the reader', async (t) => {
  const { log, open } = await stage(t);
  const reader = open();
  await log.add(range(1, 5));
  reader.goTo(at(3));
  const seqs = async (isFromEnd: boolean) => seqsOf((await reader.backward(2, isFromEnd)).events);
  assert.deepEqual(
    [await seqs(true), await seqs(false)],
    [
      [5, 4],
      [2, 1],
    ],
  );
  assert.equal(reader.cursor, eventIdOf(log.id, at(3)));
});

test('a closed reader is no longer notified', async (t) => {
  const { log, tail, open } = await stage(t);
  const reader = open();
  let [told, closed] = [0, 0];
  reader.onEvents = () => told++;
  reader.onClose = () => closed++;
  await log.add([1]);
  await tail.wake();
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
  reader.close();
  await log.add([2]);
  await tail.wake();
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
  assert.deepEqual([told, closed], [1, 1]);
});
