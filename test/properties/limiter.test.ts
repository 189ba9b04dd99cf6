import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MemoryLimiter } from '../../server/src/limits/slidingWindow.ts';

const WINDOW = 100;

/** The window as the specification says it: every moment at which a request was accepted, looked through each time. */
class NaiveLog {
  readonly accepted: number[] = [];

  take(now: number, limit: number): { accepted: boolean; remaining: number; resetMs: number } {
    const taken = () => this.accepted.filter((moment) => moment > now - WINDOW);
    const accepted = taken().length < limit;
    if (accepted) this.accepted.push(now);
    const held = taken();
    return { accepted, remaining: limit - held.length, resetMs: Math.min(...held) + WINDOW - now };
  }
}

const start = 1_800_000_000_000;
/** Steps between requests: many at one moment, many just around the window's length, some far apart. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, WINDOW - 1, WINDOW, WINDOW + 1) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 * WINDOW }) },
);
const schedule = fc.record({
  limit: fc.integer({ min: 1, max: 20 }),
  requests: fc.array(fc.record({ step, subject: fc.constantFrom('a', 'b', 'c') }), {
    minLength: 1,
    maxLength: 60,
    size: 'max',
  }),
});

test('10,000 schedules: every verdict is that of a naive log, for each subject apart', () => {
  fc.assert(
    fc.property(schedule, ({ limit, requests }) => {
      let now = start;
      const limiter = new MemoryLimiter(WINDOW, () => now);
      const logs = { a: new NaiveLog(), b: new NaiveLog(), c: new NaiveLog() };
      for (const { step, subject } of requests) {
        now += step;
        assert.deepEqual(limiter.take(subject, limit), logs[subject as keyof typeof logs].take(now, limit));
      }
    }),
    { numRuns: 10_000 },
  );
});

test('10,000 schedules: never more than the limit in any window', () => {
  fc.assert(
    fc.property(schedule, ({ limit, requests }) => {
      let now = start;
      const limiter = new MemoryLimiter(WINDOW, () => now);
      const accepted: number[] = [];
      for (const { step } of requests) {
        now += step;
        if (limiter.take('a', limit).accepted) accepted.push(now);
      }
      for (const end of accepted) {
        const within = accepted.filter((moment) => moment > end - WINDOW && moment <= end);
        assert.ok(within.length <= limit, `${within.length} of ${limit}`);
      }
    }),
    { numRuns: 10_000 },
  );
});

test('a slot is free exactly a window after it was taken, whatever was refused meanwhile', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(gaps, fc.nat({ max: 20 }), (gaps, refusals) => {
      let now = start;
      const limiter = new MemoryLimiter(WINDOW, () => now);
      const moments = gaps.map((gap) => {
        now += gap;
        assert.equal(limiter.take('a', gaps.length).accepted, true);
        return now;
      });
      for (let index = 0; index < refusals; index++) limiter.take('a', gaps.length);
      for (const moment of moments) {
        if (now < moment + WINDOW - 1) now = moment + WINDOW - 1;
        if (now === moment + WINDOW - 1) {
          const { accepted, resetMs } = limiter.take('a', gaps.length);
          assert.deepEqual([accepted, resetMs], [false, 1]);
        }
        now = moment + WINDOW;
        assert.equal(limiter.take('a', gaps.length).accepted, true);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a clock that is set back counts on from there: no slot is freed early or held until it is where it was', () => {
  const steps = fc.array(fc.integer({ min: -9 * WINDOW, max: 2 * WINDOW }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), steps, (limit, steps) => {
      let wall = start;
      let passed = 0;
      const limiter = new MemoryLimiter(WINDOW, () => wall);
      const log = new NaiveLog();
      for (const step of steps) {
        wall += step;
        passed += Math.max(0, step);
        assert.deepEqual(limiter.take('a', limit), log.take(passed, limit));
      }
    }),
    { numRuns: 2_000 },
  );
});
