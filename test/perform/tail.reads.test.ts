// @run sqlite: opens only an embedded database
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Db, Unavailable } from '../../server/src/db/contract.ts';
import { EventTable } from '../../server/src/feed/eventKind.ts';
import type { LiveEvent } from '../../server/src/feed/logged.ts';
import type { Filter } from '../../server/src/feed/span.ts';
import { Tail } from '../../server/src/feed/tail.ts';
import { EPOCH, EventLog, range } from '../support/eventLog.ts';

// Pages of a log: no event is lost or repeated, wherever a page ends.

const CHANNEL = '0198c000-0000-7000-8000-000000000001';
const ANOTHER = '0198c000-0000-7000-8000-000000000002';
const BIG = Number.MAX_SAFE_INTEGER;
const at = (seq: number, epoch = EPOCH) => ({ seq, epoch });
const seqsOf = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq);
const tailOf = (log: EventLog) => Tail.open(log.db, new EventTable([]), log.id);
/** The tail of a log whose events are not in memory. */
async function unreadTail(t: TestContext, seqs: readonly number[]) {
  const log = await EventLog.open(t);
  await log.add(seqs);
  return { log, tail: await tailOf(log) };
}

/** Reads a log to its end, and returns the numbers on each page and the position after it. */
async function pages(tail: Tail, filter: Filter, limit: number, from = 0): Promise<[number[], number][]> {
  const found: [number[], number][] = [];
  for (let place = at(from); ; ) {
    const page = await tail.read(place, filter, limit, BIG);
    if (page.place.seq === place.seq) return found;
    found.push([seqsOf(page.events), page.place.seq]);
    place = page.place;
  }
}

/** The same, backward. The last position is undefined. */
async function pagesBefore(tail: Tail, filter: Filter, limit: number, before: number) {
  const found: [number[], number | undefined][] = [];
  for (let seq: number | undefined = before; seq !== undefined; ) {
    const { events, place } = await tail.readBefore(seq, filter, limit, BIG);
    seq = place?.seq;
    found.push([seqsOf(events), seq]);
  }
  return found;
}

test('pages from the database and from memory end at their last event', async (t) => {
  const { log, tail } = await unreadTail(t, range(1, 5));
  const expected = [
    [[1, 2], 2],
    [[3, 4], 4],
    [[5], 5],
  ];
  assert.deepEqual(await pages(tail, {}, 2), expected);
  await log.add(range(6, 9));
  await tail.wake();
  assert.deepEqual(await pages(tail, {}, 2, 5), [
    [[6, 7], 7],
    [[8, 9], 9],
  ]);
  assert.deepEqual(await pages(tail, {}, 9, 7), [[[8, 9], 9]]);
  assert.deepEqual(await tail.read(at(9), {}, 2, BIG), { events: [], place: at(9) });
});

test('a page of a channel or type also skips to the end of what it scanned', async (t) => {
  for (const isInMemory of [false, true]) {
    const log = await EventLog.open(t);
    let tail = await tailOf(log);
    await log.add([1, 3, 7], { channelId: CHANNEL });
    await log.add([2, 5], { channelId: ANOTHER });
    await log.add([4], { channelId: CHANNEL, type: 'pin.deleted' });
    await log.add([6, 8]);
    if (isInMemory) await tail.wake();
    else tail = await tailOf(log);
    const inChannel = { channelId: CHANNEL };
    const created = new Set(['pin.created']);
    const inMemory = `in memory: ${isInMemory}`;
    const whole = async (filter: Filter) => seqsOf((await tail.read(at(0), filter, 99, BIG)).events);
    assert.deepEqual(await whole(inChannel), [1, 3, 4, 7], inMemory);
    assert.deepEqual(await whole({ ...inChannel, types: created }), [1, 3, 7], inMemory);
    assert.deepEqual(await whole({ types: new Set(['pin.deleted']) }), [4], inMemory);
    assert.deepEqual((await tail.read(at(0), inChannel, 2, BIG)).place.seq, 3, inMemory);
    assert.deepEqual((await tail.read(at(3), inChannel, 2, BIG)).events.length, 2, inMemory);
    assert.deepEqual((await pages(tail, inChannel, 2)).at(-1)?.[1], 8, inMemory);
    assert.deepEqual((await tail.read(at(0), { types: new Set(['none']) }, 99, BIG)).place.seq, 8, inMemory);
  }
});

test('a filtered page scans 2,000 events, counted from the first that retention has kept', async (t) => {
  const { log, tail } = await unreadTail(t, range(1, 4_200));
  const none = { types: new Set(['none']) };
  assert.deepEqual(await pages(tail, none, 9), [
    [[], 2_000],
    [[], 4_000],
    [[], 4_200],
  ]);
  assert.deepEqual(await pagesBefore(tail, none, 9, 4_201), [
    [[], 2_201],
    [[], 201],
    [[], 1],
    [[], undefined],
  ]);
  const filter = { types: new Set(['pin.created']) };
  assert.equal((await tail.read(at(0), filter, BIG, BIG)).events.length, 2_000);
  assert.equal((await tail.readBefore(4_201, filter, BIG, BIG)).events.length, 2_000);
  const atEnd = await Tail.at(log.db, new EventTable([]), log.id, at(9)).read(at(4_200), none, 9, BIG);
  assert.deepEqual(atEnd, { events: [], place: at(4_200) });
  await log.removeTo(100);
  assert.deepEqual((await pages(tail, none, 9))[0], [[], 2_100]);
});

test('a page ends once its events exceed a number of bytes', async (t) => {
  const log = await EventLog.open(t);
  const empty = await tailOf(log);
  await log.add(range(1, 4), { data: JSON.stringify({ text: 'é'.repeat(500) }) });
  await empty.wake();
  for (const tail of [empty, await tailOf(log)]) {
    const of = async (bytes: number) => seqsOf((await tail.read(at(0), {}, 9, bytes)).events);
    assert.deepEqual([await of(1_000), await of(2_000), await of(0)], [[1], [1, 2], []]);
    const { events, place } = await tail.readBefore(5, {}, 9, 2_000);
    assert.deepEqual([seqsOf(events), place?.seq], [[4, 3], 3]);
    const exact = Buffer.byteLength(events[0]?.json as string);
    assert.deepEqual([await of(exact), await of(exact + 1)], [[1], [1, 2]]);
    assert.equal((await tail.readBefore(5, {}, 9, exact)).events.length, 1);
  }
});

test('backward pages are newest first and never go beyond what the tail has read', async (t) => {
  const { log, tail } = await unreadTail(t, range(1, 5));
  assert.deepEqual(await pagesBefore(tail, {}, 2, 6), [
    [[5, 4], 4],
    [[3, 2], 2],
    [[1], 1],
    [[], undefined],
  ]);
  await log.add([6, 7], { channelId: CHANNEL });
  await assert.rejects(tail.readBefore(7, {}, 2, BIG), Unavailable);
  await tail.wake();
  assert.deepEqual(await pagesBefore(tail, { channelId: CHANNEL }, 9, 8), [
    [[7, 6], 1],
    [[], undefined],
  ]);
});

test('events by which somebody may lose access are on every page, but not on backward pages', async (t) => {
  const log = await EventLog.open(t);
  let tail = await tailOf(log);
  const lostBy = '{"roleId":"role"}';
  await log.add([1, 3]);
  await log.add([2], { type: 'role.updated', lostBy, channelId: ANOTHER });
  await tail.wake();
  const filter = { channelId: CHANNEL };
  for (let run = 0; run < 2; run++) {
    const { events, place } = await tail.read(at(0), filter, 9, BIG);
    assert.deepEqual([seqsOf(events), place.seq], [[2], 3]);
    assert.deepEqual((await tail.readBefore(4, filter, 9, BIG)).events, []);
    tail = await tailOf(log);
  }
});

test('a tail notices that its log was replaced, and does not read on in the other log', async (t) => {
  const { log, tail } = await unreadTail(t, range(1, 3));
  assert.equal(await tail.isIntact(), true);
  await log.add([4], { epoch: 'bbbbbbbbbbbb' });
  assert.equal(await tail.isIntact(), true, 'a restore kept the latest event');
  const read = async () => seqsOf((await (await tailOf(log)).read(at(3), {}, 9, BIG)).events);
  assert.deepEqual(await read(), [4]);
  await log.removeTo(3);
  await log.add(range(1, 3), { epoch: 'cccccccccccc' });
  assert.equal(await tail.isIntact(), false);
  await assert.rejects(read(), Unavailable);
  await tail.wake();
  assert.equal(tail.latest.seq, 3);
});

test('a log continues after retention has removed everything up to the position of a reader', async (t) => {
  const { log, tail } = await unreadTail(t, range(1, 3));
  await log.add([4, 5], { epoch: 'bbbbbbbbbbbb' });
  await log.removeTo(3);
  const read = async (place = at(3)) => seqsOf((await (await tailOf(log)).read(place, {}, 9, BIG)).events);
  assert.deepEqual(await read(), [4, 5]);
  assert.deepEqual(await read(at(0, '000000000000')), [4, 5]);
  await tail.wake();
  assert.equal(tail.latest.seq, 5);
  await log.removeTo(4);
  await assert.rejects(read(), Unavailable);
});

test('an empty log is intact and is read from its first event', async (t) => {
  const { log, tail } = await unreadTail(t, []);
  assert.deepEqual([await tail.isIntact(), tail.recent(0)], [true, []]);
  await log.add([1]);
  await tail.wake();
  assert.deepEqual([tail.latest.seq, seqsOf(tail.recent(0) ?? [])], [1, [1]]);
});

test('a wake-up reads all new events, in several reads if necessary', async (t) => {
  const { log, tail } = await unreadTail(t, range(1, 2));
  await log.add(range(3, 1_102));
  await tail.wake();
  assert.equal(tail.latest.seq, 1_102);
  const page = (await tail.read(at(102), {}, BIG, BIG)).events;
  assert.deepEqual([page.length, page[0]?.seq], [500, 103], 'one batch from memory');
});

test('events in memory are returned as the same array until another one is added', async (t) => {
  const { log, tail } = await unreadTail(t, []);
  await log.add([1, 2]);
  await tail.wake();
  const first = tail.recent(1);
  assert.deepEqual(seqsOf(first ?? []), [2]);
  assert.equal(tail.recent(1), first);
  assert.deepEqual(seqsOf(tail.recent(0) ?? []), [1, 2]);
  await log.add([3]);
  await tail.wake();
  assert.deepEqual(
    [seqsOf(tail.recent(0) ?? []), seqsOf(tail.recent(1) ?? [])],
    [
      [1, 2, 3],
      [2, 3],
    ],
  );
  assert.deepEqual([tail.recent(3), (await tailOf(log)).recent(2)], [[], undefined]);
});

test('a large event that retention removes during a read ends the page, which the next one continues', async (t) => {
  const { log } = await unreadTail(t, []);
  let removes = false;
  const { read } = log.db;
  const reader = {
    ...read,
    dialect: read.dialect,
    all: (query: never) => read.all(query),
    inTurn: (task: never) => read.inTurn(task),
    async first(query: never) {
      if (removes) await log.removeTo(2);
      return read.first(query);
    },
  };
  const db = { ...log.db, read, readFor: () => reader, authorityChanged() {} } as unknown as Db;
  const large = { data: JSON.stringify({ text: 'x'.repeat(20_000) }) };
  const followed = await Tail.open(db, new EventTable([]), log.id);
  const fill = async () => {
    await log.add([1, 3]);
    await log.add([2], large);
    removes = true;
  };
  await fill();
  await followed.wake();
  assert.equal(followed.latest.seq, 3, 'the tail reads on');
  removes = false;
  await log.removeTo(3);
  await fill();
  const unread = Tail.at(db, new EventTable([]), log.id, at(9));
  assert.deepEqual(await pages(unread, {}, 9), [
    [[1], 1],
    [[3], 3],
  ]);
  removes = false;
  await log.add([1]);
  await log.add([2], large);
  removes = true;
  assert.deepEqual(seqsOf((await unread.readBefore(4, {}, 9, BIG)).events), [3, 1]);
});

test('events of a channel have its view, wherever they come from', async (t) => {
  const log = await EventLog.open(t);
  const tail = await tailOf(log);
  await log.add([1], { channelId: CHANNEL });
  const views: unknown[] = [];
  const note = ({ channel }: { channel: { view: { private: boolean } } | undefined }) =>
    void views.push(channel?.view.private);
  tail.listeners.add({
    userId: undefined,
    onEvents: () => tail.recent(0)?.forEach(note),
    passOver() {},
    onLive: note,
    onLost() {},
  });
  for (const event of (await (await tailOf(log)).read(at(0), {}, 9, BIG)).events) note(event);
  await tail.wake();
  for (const event of (await tail.readBefore(2, {}, 9, BIG)).events) note(event);
  await tail.tell({ type: 'draft.updated', channelId: CHANNEL, channel: undefined } as LiveEvent);
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  // The channel does not exist, so only admins may see its events.
  assert.deepEqual(views, [true, true, true, true]);
});
