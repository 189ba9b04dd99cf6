// @run sqlite: opens only an embedded database
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Db } from '../../server/src/db/contract.ts';
import { eventIdOf, type LogPosition } from '../../server/src/feed/eventId.ts';
import { LogPoller } from '../../server/src/feed/logPoller.ts';
import {
  cursorBefore,
  grownLogs,
  latestPosition,
  logBounds,
  movedLogs,
  oldestPosition,
  positionAfter,
} from '../../server/src/feed/positions.ts';
import { EPOCH, EventLog, range } from '../support/eventLog.ts';

// Tests the first and last positions of logs, and the cursors from which a log can be resumed.

const OTHER_EPOCH = 'bbbbbbbbbbbb';
const START = { epoch: '000000000000', seq: 0 };
const at = (seq: number, epoch = EPOCH): LogPosition => ({ seq, epoch });

/** A log of the events 3 to 6, next to another log. The events 5 and 6 are from after a restore. */
async function stage(t: TestContext) {
  const log = await EventLog.open(t);
  await log.add([3, 4]);
  await log.add([5, 6], { epoch: OTHER_EPOCH });
  await log.add(range(1, 9), { logId: randomUUID() });
  return {
    log,
    read: log.db.read,
    nowhere: randomUUID(),
    idOf: (place: LogPosition) => eventIdOf(log.id, place),
  };
}

test('a log extends from the position before its oldest event to its latest', async (t) => {
  const { log, read, nowhere } = await stage(t);
  assert.deepEqual(await latestPosition(read, log.id), at(6, OTHER_EPOCH));
  assert.deepEqual(await oldestPosition(read, log.id), at(2));
  assert.deepEqual(
    [await latestPosition(read, nowhere), await oldestPosition(read, nowhere)],
    [START, START],
  );
  const bounds = await logBounds(read, [
    { logId: log.id, seq: 4 },
    { logId: nowhere, seq: 1 },
  ]);
  assert.deepEqual(bounds.get(log.id), { latest: at(6, OTHER_EPOCH), oldest: at(2), epochAt: EPOCH });
  assert.deepEqual(bounds.get(nowhere), { latest: START, oldest: START, epochAt: null });
});

test('logs whose end is not the expected one have moved', async (t) => {
  const { log, read, nowhere } = await stage(t);
  const moved = (place: LogPosition) => movedLogs(read, new Map([[log.id, place]]));
  assert.deepEqual(await moved(at(6, OTHER_EPOCH)), []);
  assert.deepEqual(await moved(at(5, OTHER_EPOCH)), [log.id]);
  assert.deepEqual(await moved(at(6)), [log.id]);
  assert.deepEqual(await movedLogs(read, new Map([[nowhere, START]])), [], 'empty');
  assert.deepEqual(await movedLogs(read, new Map([[nowhere, at(1)]])), [nowhere], 'removed');
});

test('a log can be resumed from each of its events and from just before the oldest', async (t) => {
  const { log, read, idOf } = await stage(t);
  const resumed = (cursor: string) => positionAfter(read, log.id, cursor);
  for (const place of [at(3), at(4), at(5, OTHER_EPOCH), at(6, OTHER_EPOCH), at(2), at(2, OTHER_EPOCH)])
    assert.deepEqual(await resumed(idOf(place)), { place });
  const ends = { oldest: idOf(at(2)), latest: idOf(at(6, OTHER_EPOCH)) };
  for (const [cursor, reason] of [
    [idOf(at(1)), 'expired'],
    [idOf(at(7, OTHER_EPOCH)), 'unknown'],
    [idOf(at(5)), 'unknown'],
    [eventIdOf(randomUUID(), at(1)), 'unknown'],
    ['nonsense', 'unknown'],
  ] as const)
    assert.deepEqual(await resumed(cursor), { gap: { reason, ...ends } }, cursor);
});

test('the cursor before an event continues with that event', async (t) => {
  const { log, read, idOf } = await stage(t);
  const before = (place: LogPosition) => cursorBefore(read, log.id, idOf(place));
  assert.equal(await before(at(4)), idOf(at(3)));
  assert.equal(await before(at(5, OTHER_EPOCH)), idOf(at(4)));
  assert.equal(await before(at(3)), idOf(at(2)), 'the oldest');
  assert.deepEqual([await before(at(2)), await before(at(4, OTHER_EPOCH))], [undefined, undefined]);
  assert.equal(await cursorBefore(read, log.id, 'nonsense'), undefined);
});

test('recent events are counted by log, up to a number of the latest', async (t) => {
  const { log, read } = await stage(t);
  const grown = async (since: number, limit: number) =>
    (await read.all(grownLogs({ since, limit }))).filter(({ logId }) => logId === log.id);
  const whole = { logId: log.id, seq: 6, at: 6 };
  assert.deepEqual(await grown(5, 99), [{ ...whole, events: 2 }]);
  assert.deepEqual(await grown(0, 99), [{ ...whole, events: 4 }]);
  assert.deepEqual([await grown(7, 99), await grown(0, 3)], [[], []]);
});

test('a poll finds each growth once, also of events that become readable late', async (t) => {
  const log = await EventLog.open(t);
  const START_MS = 1_800_000_000_000;
  const LATE_MS = 10_000;
  for (const isDistant of [false, true]) {
    const id = randomUUID();
    let now = START_MS;
    const db = { read: { all: (query: never) => log.db.read.all(query), dialect: { isDistant } } };
    const poller = new LogPoller(db as unknown as Db, { now: () => now });
    const look = async () => (await poller.look()).grown.get(id);
    const add = (seq: number, at: number) => log.add([seq], { logId: id, at });
    await add(1, START_MS - LATE_MS - 1);
    assert.equal(await look(), undefined, 'long before the first poll');
    await add(2, START_MS - LATE_MS);
    assert.deepEqual([await look(), await look()], [2, undefined]);
    now += 1_000;
    await add(3, now);
    assert.deepEqual([await look(), await look()], [3, undefined]);
    await add(4, now);
    assert.equal(await look(), 4, 'in the same millisecond');
    // Only on distant engines can events become readable after later ones.
    await add(5, now - 1);
    assert.equal(await look(), isDistant ? 5 : undefined);
    now += LATE_MS;
    await look();
    await add(6, now - LATE_MS - 1);
    assert.notEqual(await look(), 6);
    await add(7, now - LATE_MS);
    assert.equal(await look(), 7);
  }
});

test('a poll that reads 20,000 events says that it may have missed some logs', async () => {
  let events = 19_999;
  const rows = () => [
    { logId: 'one', seq: 5, at: 5, events: 1 },
    { logId: 'two', seq: 5, at: 5, events: events - 1 },
  ];
  const db = { read: { all: async () => rows(), dialect: {} } };
  const poller = new LogPoller(db as unknown as Db, { now: () => 1_000_000 });
  assert.equal((await poller.look()).isWhole, true);
  events++;
  assert.equal((await poller.look()).isWhole, false);
});
