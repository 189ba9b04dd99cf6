import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Marks } from '../../../web/replica/marks.ts';
import type { Replica } from '../../../web/replica/replica.ts';
import { ServerCounts } from '../../../web/replica/serverCounts.ts';

const SERVER = 'server';
const answerOf = (notifications: number | null, level: 'mentions' | null) => ({
  serverId: SERVER,
  level,
  mutedUntil: null,
  notifications,
  countedTo: 10,
});

function stage() {
  const marks = new Marks();
  const doubts: string[] = [];
  const changes: string[] = [];
  const counts = new ServerCounts({
    replica: { marks } as Replica,
    changed: (serverId) => changes.push(serverId),
    doubt: (serverId) => doubts.push(serverId),
  });
  /** Applies a response; `meanwhile` runs between its request and the response. */
  const read = (notifications: number | null, meanwhile = () => {}, level: 'mentions' | null = null) => {
    const begun = marks.begin();
    meanwhile();
    counts.answer(begun, answerOf(notifications, level));
    marks.end(begun);
  };
  return { counts, changes, doubts, read };
}

test('a count that was read while a notification arrived is doubted and not applied', () => {
  const { counts, doubts, read } = stage();
  read(3);
  read(9, () => counts.notified(SERVER, 11));
  assert.deepEqual([counts.get(SERVER)?.notifications, doubts], [4, [SERVER]]);
});

test('a response without a count does not doubt the count', () => {
  const { counts, doubts, read } = stage();
  read(3);
  read(null, () => counts.notified(SERVER, 11));
  assert.deepEqual([counts.get(SERVER)?.notifications, doubts], [4, []]);
});

test('a level that changed while it was read is doubted and kept', () => {
  const { counts, doubts, read } = stage();
  read(3);
  read(9, () => counts.level(SERVER, 'all', null));
  assert.deepEqual([counts.get(SERVER)?.level, counts.get(SERVER)?.notifications], ['all', 9]);
  assert.deepEqual(doubts, [SERVER]);
});

test('a notification counts if the response excludes it, and doubts the count otherwise', () => {
  const { counts, doubts, read } = stage();
  read(999);
  counts.notified(SERVER, 10);
  assert.deepEqual([counts.get(SERVER)?.notifications, doubts], [999, [SERVER]]);
  for (const seq of [11, 12]) counts.notified(SERVER, seq);
  assert.deepEqual([counts.get(SERVER)?.notifications, doubts], [1_000, [SERVER]], 'counts stop at 1,000');
});

test('changes before the first response are ignored, and later ones are announced', () => {
  const { counts, changes, doubts, read } = stage();
  counts.notified(SERVER, 11);
  counts.level(SERVER, 'all', null);
  assert.deepEqual([counts.get(SERVER), changes, doubts], [undefined, [], []]);
  for (const change of [
    () => read(3),
    () => counts.notified(SERVER, 11),
    () => counts.level(SERVER, 'all', null),
    () => counts.delete(SERVER),
  ]) {
    change();
    assert.deepEqual(changes.splice(0), [SERVER]);
  }
  assert.equal(counts.get(SERVER), undefined);
});

test('the first response is applied even if something changed while it was read, and doubted', () => {
  const { counts, doubts, read } = stage();
  read(9, () => {
    counts.notified(SERVER, 11);
    counts.level(SERVER, 'all', null);
  });
  assert.deepEqual([counts.get(SERVER)?.notifications, counts.get(SERVER)?.level], [9, null]);
  assert.deepEqual(doubts, [SERVER]);
});

test('a response without a count updates the level, and its server has no notifications yet', () => {
  const { counts, read } = stage();
  read(null, () => {}, 'mentions');
  assert.deepEqual([counts.get(SERVER)?.level, counts.get(SERVER)?.notifications], ['mentions', 0]);
  read(3);
  assert.deepEqual([counts.get(SERVER)?.level, counts.get(SERVER)?.notifications], [null, 3]);
});

test('of two concurrent responses with a count, the first one is kept, and the count is doubted', () => {
  const { counts, doubts, read } = stage();
  read(3);
  read(9, () => read(4));
  assert.deepEqual([counts.get(SERVER)?.notifications, doubts], [4, [SERVER]]);
});
