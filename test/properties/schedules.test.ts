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
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'Asia/Kathmandu', 'America/Santiago'];
/** Hours that no zone skips or repeats. Libraries treat the other hours differently. Tests below cover them. */
const plainHours = [4, 22] as const;

/** One field of a pattern. */
function fieldOf([from, to]: readonly [number, number], kind = upTo(5)): string {
  const value = () => from + upTo(to - from);
  if (kind <= 1) return '*';
  if (kind === 2) return `${from > 1 ? `${from}-${to}` : '*'}/${2 + upTo(Math.min(8, to - from - 2))}`;
  // The other library refuses a list that repeats a value.
  const values = [...new Set([value(), value(), value()])].sort((one, other) => one - other);
  return kind === 3 ? `${values[0]}-${values.at(-1)}` : values.join(',');
}

/** The next time according to the other library; undefined for a day that does not exist, such as 30 February. */
function otherTime(cron: string, tz: string, after: number): number | undefined {
  try {
    return CronExpressionParser.parse(cron, { tz, currentDate: new Date(after) })
      .next()
      .getTime();
  } catch (error) {
    if (/day of month/.test((error as Error).message)) return undefined;
    throw error;
  }
}

test('for 10,000 random patterns, the times are the same as those from another library', () => {
  const start = Date.UTC(2026, 0, 1);
  for (let count = 0; count < 10_000; count++) {
    const timeZone = count % 2 === 0 ? 'UTC' : (zones[upTo(zones.length - 1)] as string);
    const fields = bounds.map((bound) => fieldOf(bound));
    if (timeZone !== 'UTC') fields[1] = fieldOf(plainHours, 2 + upTo(3));
    const cron = fields.join(' ');
    assert.ok(isCron(cron), cron);
    const after = start + upTo(365 * 24 * 60) * 60_000 + upTo(59_999);
    const expected = otherTime(cron, timeZone, after);
    const next = nextTime({ cron, timeZone }, after);
    assert.equal(next, expected, `${cron} in ${timeZone} after ${new Date(after).toISOString()}`);
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

// For each zone, a time in the hour that is skipped in spring and one in the hour that is repeated in autumn, with the
// days around them. The schedule runs at the first time after the skipped hour, and in the first of the repeated hours.
interface Night {
  cron: string;
  times: [before: string, thatDay: string, after: string];
}
const nights: Record<string, { spring: Night; autumn: Night }> = {
  'Europe/Berlin': {
    spring: { cron: '30 2 * * *', times: ['2026-03-28T01:30Z', '2026-03-29T01:00Z', '2026-03-30T00:30Z'] },
    autumn: { cron: '30 2 * * *', times: ['2026-10-24T00:30Z', '2026-10-25T00:30Z', '2026-10-26T01:30Z'] },
  },
  'America/New_York': {
    spring: { cron: '30 2 * * *', times: ['2026-03-07T07:30Z', '2026-03-08T07:00Z', '2026-03-09T06:30Z'] },
    autumn: { cron: '30 1 * * *', times: ['2026-10-31T05:30Z', '2026-11-01T05:30Z', '2026-11-02T06:30Z'] },
  },
  'Australia/Sydney': {
    spring: { cron: '30 2 * * *', times: ['2026-10-02T16:30Z', '2026-10-03T16:00Z', '2026-10-04T15:30Z'] },
    autumn: { cron: '30 2 * * *', times: ['2026-04-03T15:30Z', '2026-04-04T15:30Z', '2026-04-05T16:30Z'] },
  },
  // The clock changes by half an hour.
  'Australia/Lord_Howe': {
    spring: { cron: '15 2 * * *', times: ['2026-10-02T15:45Z', '2026-10-03T15:30Z', '2026-10-04T15:15Z'] },
    autumn: { cron: '45 1 * * *', times: ['2026-04-03T14:45Z', '2026-04-04T14:45Z', '2026-04-05T15:15Z'] },
  },
  // The clock changes at midnight.
  'America/Santiago': {
    spring: { cron: '30 0 * * *', times: ['2026-09-05T04:30Z', '2026-09-06T04:00Z', '2026-09-07T03:30Z'] },
    autumn: { cron: '30 23 * * *', times: ['2026-04-04T02:30Z', '2026-04-05T02:30Z', '2026-04-06T03:30Z'] },
  },
};

for (const [zone, { spring, autumn }] of Object.entries(nights))
  test(`${zone}: a schedule runs once after the skipped hour, and once in the repeated hour`, () => {
    for (const { cron, times } of [spring, autumn]) {
      const expected = times.map((time) => Date.parse(time));
      const [from, , to] = expected as [number, number, number];
      const found = timesOf(cron, zone, new Date(from - 1).toISOString(), new Date(to + 1).toISOString());
      assert.deepEqual(
        found,
        expected.map((time) => new Date(time).toISOString()),
        cron,
      );
    }
  });
