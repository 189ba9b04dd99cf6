// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { ChannelView } from '../../server/src/access/predicates.ts';
import type { Db, Reader } from '../../server/src/db/contract.ts';
import type { Listener } from '../../server/src/feed/audience.ts';
import { type EventKind, EventTable } from '../../server/src/feed/eventKind.ts';
import type { EventRow } from '../../server/src/feed/logged.ts';
import { Tail } from '../../server/src/feed/tail.ts';

const LOG = 'log';
const dialect = { name: 'sqlite' };
const open: ChannelView = { private: false, readonly: false, roleIds: [], memberIds: null };
const closed: ChannelView = { ...open, private: true };

const rowOf = (seq: number, more: Partial<EventRow> = {}): EventRow => ({
  ...{
    logId: LOG,
    seq,
    epoch: 'e',
    type: 'pin.created',
    actorId: null,
    actor: null,
    channelId: 'channel',
    userId: null,
  },
  ...{ lostBy: null, at: seq, data: '{}', metaOf: null, contentOf: null, version: null, ...more },
});

/** A database with one log and one channel. The test decides when reads end. */
class Stage {
  rows: EventRow[] = [];
  view = open;
  /** Servers for which the process has noticed changed permissions. */
  readonly noticed: string[] = [];
  /** Serves reads of channels, immediately by default. */
  onViews: (views: object[]) => Promise<object[]> = async (views) => views;
  /** Serves event reads, immediately by default. */
  onEvents: (rows: EventRow[]) => Promise<EventRow[]> = async (rows) => rows;

  get db(): Db {
    const read = {
      dialect,
      first: async () => this.rows.at(-1),
      all: async (query: object) => {
        const { after, rows } = (query as { values: { after?: number; rows?: string } }).values;
        if (after === undefined)
          return this.onViews((JSON.parse(rows as string) as string[]).map((id) => ({ id, ...this.view })));
        return this.onEvents(this.rows.filter(({ seq }) => seq > after));
      },
    } as unknown as Reader;
    const authorityChanged = ([[id]]: [[string]]) => this.noticed.push(id);
    return { read, readFor: () => read, authorityChanged } as unknown as Db;
  }

  tail = (events = new EventTable([])): Promise<Tail> => Tail.open(this.db, events, LOG);
}

const everything = (tail: Tail, after: number) =>
  tail.read({ seq: after, epoch: 'e' }, {}, 100, Number.MAX_SAFE_INTEGER);

test('a wake-up at the end of a read is not lost', async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    const stage = new Stage();
    const tail = await stage.tail();
    const { promise, resolve } = Promise.withResolvers<EventRow[]>();
    stage.onEvents = () => promise;
    void tail.wake();
    stage.onEvents = async (rows) => rows;
    resolve([]);
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    stage.rows = [rowOf(1)];
    void tail.wake();
    for (let count = 0; count < 10; count++) await turn();
    assert.equal(tail.latest.seq, 1, `woken ${ticks} ticks after the response`);
  }
});

test('a reader past the tail gets nothing based on outdated permissions', async () => {
  const stage = new Stage();
  stage.rows = [rowOf(1), rowOf(2)];
  const tail = await stage.tail();
  const [before] = (await everything(tail, 0)).events;
  assert.equal(before?.channel?.view.private, false);
  stage.view = closed;
  const lostBy = JSON.stringify({ channel: open });
  stage.rows = [...stage.rows, rowOf(3, { type: 'channel.updated', lostBy }), rowOf(4)];
  const { events } = await everything(tail, 1);
  assert.deepEqual(
    events.map(({ channel }) => channel?.view.private),
    [true, true, true],
  );
  assert.deepEqual(stage.noticed, []);
  stage.rows = [...stage.rows, rowOf(5, { type: 'role.updated', lostBy: '{"roleId":"role"}' })];
  await everything(tail, 1);
  assert.deepEqual(stage.noticed, [LOG]);
});

test('a member whose permissions an event changes is checked again, starting with that event', async () => {
  const stage = new Stage();
  stage.rows = [rowOf(1)];
  const tail = await stage.tail();
  const data = '{"userId":"somebody"}';
  for (const type of [
    'userRole.created',
    'userRole.deleted',
    'serverMember.created',
    'serverMember.deleted',
  ]) {
    stage.noticed.length = 0;
    stage.rows = [...stage.rows, rowOf(stage.rows.length + 1, { type, data, channelId: null }), rowOf(99)];
    await everything(tail, 0);
    assert.deepEqual(stage.noticed, ['somebody'], type);
    stage.rows = [rowOf(1)];
  }
});

const nobody = { userId: undefined, onEvents() {}, passOver() {}, onLive() {}, onLost() {} };

/**
 * The sequence numbers that the last of this many readers sees at each notification, while events arrive one by one.
 */
async function seenBy(readers: number, events: number): Promise<number[]> {
  const stage = new Stage();
  const tail = await stage.tail();
  const seen: number[] = [];
  for (let count = 1; count < readers; count++) tail.listeners.add({ ...nobody });
  tail.listeners.add({ ...nobody, onEvents: () => void seen.push(tail.latest.seq) });
  const appended: EventRow[] = [];
  stage.onEvents = async (rows) => rows;
  for (let seq = 1; seq <= events; seq++) {
    appended.push(rowOf(seq));
    stage.rows = appended;
    await tail.wake();
    // Waits for enough turns to notify all readers without pauses.
    for (let turns = 0; turns <= readers / 100; turns++) await turn();
  }
  while (seen.at(-1) !== events) await turn();
  return seen;
}

test('a small audience is notified of each event, and a large one in batches of limited size', async () => {
  assert.deepEqual(
    await seenBy(100, 50),
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
  const clock = mock.timers;
  clock.enable({ apis: ['setTimeout'] });
  try {
    // Pauses end only after a number of events, because the clock stands still.
    assert.deepEqual(await seenBy(101, 401), [1, 201, 401]);
  } finally {
    clock.reset();
  }
  const seen = await seenBy(5_000, 60);
  assert.ok(seen.length < 40, `${seen.length} notifications of 60 events`);
});

test('large events are read about a megabyte at a time', async () => {
  const data = JSON.stringify({ text: 'x'.repeat(600_000) });
  const shapes: [Partial<EventRow>, readonly number[]][] = [
    [{}, [6]],
    [{ data: null as never }, [2, 4, 6]],
    [{ metaOf: 'app' }, [2, 4, 6]],
  ];
  for (const [shape, batches] of shapes) {
    const stage = new Stage();
    const tail = await stage.tail();
    const seen: number[] = [];
    tail.listeners.add({ ...nobody, onEvents: () => void seen.push(tail.latest.seq) });
    stage.rows = [1, 2, 3, 4, 5, 6].map((seq) => rowOf(seq, { type: 'app.updated', data }));
    stage.onEvents = async (rows) => rows.map((row) => ({ ...row, ...shape }));
    await tail.wake();
    while (seen.at(-1) !== 6) await turn();
    assert.deepEqual(seen, batches, JSON.stringify(shape));
  }
});

test('events are read from memory in order', async () => {
  const stage = new Stage();
  const tail = await stage.tail();
  stage.rows = Array.from({ length: 600 }, (_, index) => rowOf(index + 1));
  await tail.wake();
  stage.rows = [];
  const { events, place } = await everything(tail, 0);
  assert.deepEqual([events[0]?.seq, events.length, place.seq], [1, 100, 100]);
});

/** An audience in which each listener takes 2 ms, and notes whether it got the events from memory. */
async function slowAudience(t: TestContext, size: number) {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stage = new Stage();
  const tail = await stage.tail();
  const figures = { loads: 0, told: 0, missing: 0 };
  stage.onViews = async (views) => {
    figures.loads++;
    return views;
  };
  let after = 0;
  const onEvents = () => {
    figures.told++;
    if (tail.recent(after) === undefined) figures.missing++;
    now += 2;
  };
  for (let count = 0; count < size; count++) tail.listeners.add({ ...nobody, onEvents });
  const wait = async (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
    for (let turns = 0; turns < 20; turns++) await turn();
  };
  /** Appends two events of different channels. Listeners are notified after `waitMs`. */
  const told = async (waitMs = 0) => {
    Object.assign(figures, { loads: 0, told: 0, missing: 0 });
    const seq = stage.rows.length + 1;
    stage.rows = [...stage.rows, rowOf(seq), rowOf(seq + 1, { channelId: 'another' })];
    await tail.wake();
    await wait(waitMs);
    after = seq + 1;
    return { ...figures };
  };
  return { stage, figures, tail, told, wait };
}

test('a large audience gets events from memory, however long they have waited', async (t) => {
  const { told } = await slowAudience(t, 300);
  // The views are loaded with the events, and again for each further batch, which takes 200 ms.
  assert.deepEqual(await told(), { loads: 3, told: 300, missing: 0 });
  // The audience pauses after the first events for the maximum of 500 ms.
  assert.deepEqual(await told(500), { loads: 4, told: 300, missing: 0 });
});

test('a small audience causes no loads of its own', async (t) => {
  const { told } = await slowAudience(t, 100);
  assert.deepEqual(await told(), { loads: 1, told: 100, missing: 0 });
  assert.deepEqual(await told(500), { loads: 1, told: 100, missing: 0 });
});

test('a large audience is notified even if its views cannot be loaded', async (t) => {
  const { stage, told } = await slowAudience(t, 300);
  let loads = 0;
  stage.onViews = async (views) => {
    if (++loads > 1) throw new Error('unavailable');
    return views;
  };
  // Views are fresh for 250 ms, and each listener takes 2 ms.
  assert.deepEqual({ ...(await told()), loads }, { loads: 2, told: 300, missing: 300 - 126 });
});

test('a large audience waits once, and only briefly, for a slow load of its views', async (t) => {
  const { stage, figures, told, wait } = await slowAudience(t, 300);
  let loads = 0;
  stage.onViews = (views) => (++loads > 1 ? new Promise(() => {}) : Promise.resolve(views));
  assert.equal((await told()).told, 100);
  await wait(124);
  assert.equal(figures.told, 100);
  await wait(1);
  assert.deepEqual([figures.told, loads], [300, 2]);
});

test('a listener that closes while its batch waits is not notified', async (t) => {
  const { stage, figures, tail, told } = await slowAudience(t, 101);
  const last = [...tail.listeners].at(-1) as Listener;
  stage.onViews = async (views) => {
    if (figures.told > 0) tail.listeners.delete(last);
    return views;
  };
  assert.equal((await told()).told, 100);
});

test('events from a direct message are only passed to its members; other listeners skip them', async () => {
  const stage = new Stage();
  const pin = { type: 'pin.created', audience: 'channel', log: 'server' } as unknown as EventKind;
  const tail = await stage.tail(new EventTable([pin]));
  const calls: string[] = [];
  const listen = (userId: string | null | undefined) =>
    tail.listeners.add({
      ...nobody,
      userId,
      onEvents: () => void calls.push(`${userId}`),
      passOver: (from, to) => void calls.push(`${userId} ${from.seq}-${to.seq}`),
    });
  for (const userId of ['ada', 'eve', null, undefined]) listen(userId);
  const callsFor = async (...rows: EventRow[]) => {
    calls.length = 0;
    stage.rows = [...stage.rows, ...rows];
    await tail.wake();
    for (let turns = 0; turns < 5; turns++) await turn();
    return [...calls];
  };
  const everyone = ['ada', 'eve', 'null', 'undefined'];
  assert.deepEqual(await callsFor(rowOf(1)), everyone);
  stage.view = { ...closed, memberIds: ['ada', 'bob'] };
  assert.deepEqual(await callsFor(rowOf(2), rowOf(3)), ['ada', 'eve 1-3', 'null 1-3', 'undefined']);
  assert.deepEqual(await callsFor(rowOf(4), rowOf(5, { channelId: null })), everyone, 'with other events');
  const lostBy = JSON.stringify({ channel: stage.view });
  assert.deepEqual(await callsFor(rowOf(6, { lostBy })), everyone, 'when access is lost');
});
