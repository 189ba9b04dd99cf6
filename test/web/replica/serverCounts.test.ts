import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Marks } from '../../../web/replica/marks.ts';
import type { Replica } from '../../../web/replica/replica.ts';
import { ServerCounts } from '../../../web/replica/serverCounts.ts';

const SERVER = 'server';
const answerOf = (notifications: number | null) => ({
  serverId: SERVER,
  level: null,
  mutedUntil: null,
  notifications,
  countedTo: 10,
});

function stage() {
  const marks = new Marks();
  const doubts: string[] = [];
  const counts = new ServerCounts({
    replica: { marks } as Replica,
    changed() {},
    doubt: (serverId) => doubts.push(serverId),
  });
  /** Applies a response; `meanwhile` runs between its request and the response. */
  const read = (notifications: number | null, meanwhile = () => {}) => {
    const begun = marks.begin();
    meanwhile();
    counts.answer(begun, answerOf(notifications));
    marks.end(begun);
  };
  return { counts, doubts, read };
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
