import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstDay } from '../../../web/features/settings/days/index.ts';
import { perAuthor, perDay, type Sent } from '../../../web/features/usage/settings/counts.ts';
import { perHour, sumOf } from '../../../web/features/usage/settings/keyHours.ts';

const now = new Date(2026, 10, 22, 15).getTime();
const sent = (day: number, userId: string | null, type: Sent['type'] = 'person'): Sent => ({
  at: new Date(2026, 10, day, 9).getTime(),
  userId,
  type,
});

test("messages are counted by the reader's days, including days without any", () => {
  const days = perDay([sent(22, 'ada'), sent(22, 'bot', 'agent'), sent(20, 'ada'), sent(1, 'ada')], 3, now);
  assert.deepEqual(
    days.map(({ at, people, agents }) => [new Date(at).getDate(), people, agents]),
    [
      [20, 1, 0],
      [21, 0, 0],
      [22, 1, 1],
    ],
  );
  assert.equal(perDay([sent(22, null, 'system')], 1, now)[0]?.people, 0);
  assert.equal(firstDay(3, now), days[0]?.at);
});

test('authors are sorted by their number of messages, and system messages are left out', () => {
  const list = [sent(22, 'ada'), sent(22, 'bot', 'agent'), sent(21, 'ada'), sent(21, null, 'system')];
  assert.deepEqual(perAuthor(list, 10), [
    { userId: 'ada', type: 'person', count: 2 },
    { userId: 'bot', type: 'agent', count: 1 },
  ]);
  assert.equal(perAuthor(list, 1).length, 1);
});

test('requests are added up by hour for all keys, and over all hours for a single key', () => {
  const hour = 60 * 60_000;
  const last = Math.floor(now / hour) * hour;
  const hours = (at: number, answered: number) => ({ at, answered, refused: 1, limited: 2 });
  const usage = {
    since: last,
    hours: 48,
    keys: [
      { secretId: 'one', hours: [hours(last - 40 * hour, 9), hours(last - hour, 3)] },
      { secretId: 'two', hours: [hours(last - hour, 4), hours(last, 5)] },
    ],
  };
  assert.deepEqual(perHour(usage, 3, now), [
    { at: last - 2 * hour, answered: 0, refused: 0, limited: 0 },
    { at: last - hour, answered: 7, refused: 2, limited: 4 },
    { at: last, answered: 5, refused: 1, limited: 2 },
  ]);
  assert.deepEqual(sumOf(usage, 'one'), { answered: 12, refused: 2, limited: 4 });
  assert.deepEqual(sumOf(undefined, 'one'), { answered: 0, refused: 0, limited: 0 });
});
