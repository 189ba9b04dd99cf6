// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CronExpressionParser } from 'cron-parser';
import { isCron, nextTime } from '../../server/src/flows/schedule.ts';
import { seeded } from '../support/seeded.ts';

const random = seeded();
const upTo = (most: number): number => random.below(most + 1);
const bounds = [
  [0, 59],
  [0, 23],
  [1, 28],
  [1, 12],
  [0, 6],
] as const;

/** One field of a pattern. */
function fieldOf(index: number): string {
  const [from, to] = bounds[index] as (typeof bounds)[number];
  const value = () => from + upTo(to - from);
  const kind = upTo(5);
  if (kind <= 1) return '*';
  if (kind === 2) return `*/${2 + upTo(Math.min(8, to - from - 2))}`;
  // The other library refuses a list that repeats a value.
  const values = [...new Set([value(), value(), value()])].sort((one, other) => one - other);
  return kind === 3 ? `${values[0]}-${values.at(-1)}` : values.join(',');
}

test('10,000 random patterns have the times that another library finds', () => {
  const start = Date.UTC(2026, 0, 1);
  for (let count = 0; count < 10_000; count++) {
    const cron = bounds.map((_, index) => fieldOf(index)).join(' ');
    assert.ok(isCron(cron), cron);
    const after = start + upTo(365 * 24 * 60) * 60_000 + upTo(59_999);
    const other = CronExpressionParser.parse(cron, { tz: 'UTC', currentDate: new Date(after) });
    const next = nextTime({ cron, timeZone: 'UTC' }, after);
    assert.equal(next, other.next().getTime(), `${cron} after ${new Date(after).toISOString()}`);
  }
});

/** The times of a pattern between two times, as ISO texts. */
function timesOf(cron: string, timeZone: string, from: string, to: string): string[] {
  const times: string[] = [];
  let at = Date.parse(from);
  for (;;) {
    const next = nextTime({ cron, timeZone }, at);
    if (next === undefined || next >= Date.parse(to)) return times;
    times.push(new Date(next).toISOString());
    at = next;
  }
}

// Each zone with a time in the hour that it skips in spring, and one in the hour that it repeats in autumn.
const nights: [zone: string, spring: [cron: string, day: string], autumn: [cron: string, day: string]][] = [
  ['Europe/Berlin', ['30 2 * * *', '2026-03-29'], ['30 2 * * *', '2026-10-25']],
  ['America/New_York', ['30 2 * * *', '2026-03-08'], ['30 1 * * *', '2026-11-01']],
  ['Australia/Sydney', ['30 2 * * *', '2026-10-04'], ['30 2 * * *', '2026-04-05']],
  ['Australia/Lord_Howe', ['15 2 * * *', '2026-10-04'], ['45 1 * * *', '2026-04-05']],
  ['America/Santiago', ['30 0 * * *', '2026-09-06'], ['30 23 * * *', '2026-04-04']],
];

for (const [zone, spring, autumn] of nights)
  test(`${zone}: once after the skipped hour, and once in the repeated one`, () => {
    const dayOf = (at: number) => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(at);
    for (const [cron, day] of [spring, autumn]) {
      const noon = Date.parse(`${day}T12:00:00Z`);
      const around = timesOf(
        cron,
        zone,
        new Date(noon - 48 * 3_600_000).toISOString(),
        new Date(noon + 48 * 3_600_000).toISOString(),
      );
      const onDay = around.filter((at) => dayOf(Date.parse(at)) === day);
      assert.equal(onDay.length, 1, `${cron} on ${day}: ${around}`);
    }
  });
