// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MemoryLimiter } from '../../server/src/limits/slidingWindow.ts';

const WINDOW_MS = 100;

/** The specification's window in its simplest implementation: it keeps the time of every accepted request. */
class NaiveLog {
  readonly accepted: number[] = [];

  take(now: number, limit: number): { accepted: boolean; remaining: number; resetMs: number } {
    const taken = () => this.accepted.filter((moment) => moment > now - WINDOW_MS);
    const accepted = taken().length < limit;
    if (accepted) this.accepted.push(now);
    const held = taken();
    return { accepted, remaining: limit - held.length, resetMs: Math.min(...held) + WINDOW_MS - now };
  }
}

const start = 1_800_000_000_000;
/** The time between two requests: often none, often about the window's length, sometimes much longer. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 * WINDOW_MS }) },
);
const schedule = fc.record({
  limit: fc.integer({ min: 1, max: 20 }),
  requests: fc.array(fc.record({ step, subject: fc.constantFrom('a', 'b', 'c') }), {
    minLength: 1,
    maxLength: 60,
    size: 'max',
  }),
});

test('10,000 schedules: every decision equals the one from a naive log, for each subject separately', () => {
  fc.assert(
    fc.property(schedule, ({ limit, requests }) => {
      let now = start;
      const limiter = new MemoryLimiter(WINDOW_MS, () => now);
      const logs = { a: new NaiveLog(), b: new NaiveLog(), c: new NaiveLog() };
      for (const { step, subject } of requests) {
        now += step;
        assert.deepEqual(limiter.take(subject, limit), logs[subject as keyof typeof logs].take(now, limit));
      }
    }),
    { numRuns: 4_000 },
  );
});

test('10,000 schedules: never more than the limit in any window', () => {
  fc.assert(
    fc.property(schedule, ({ limit, requests }) => {
      let now = start;
      const limiter = new MemoryLimiter(WINDOW_MS, () => now);
      const accepted: number[] = [];
      for (const { step } of requests) {
        now += step;
        if (limiter.take('a', limit).accepted) accepted.push(now);
      }
      for (const end of accepted) {
        const within = accepted.filter((moment) => moment > end - WINDOW_MS && moment <= end);
        assert.ok(within.length <= limit, `${within.length} of ${limit}`);
      }
    }),
    { numRuns: 4_000 },
  );
});

test('a slot is free exactly one window after it was taken, regardless of refusals in the meantime', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(gaps, fc.nat({ max: 20 }), (gaps, refusals) => {
      let now = start;
      const limiter = new MemoryLimiter(WINDOW_MS, () => now);
      const moments = gaps.map((gap) => {
        now += gap;
        assert.equal(limiter.take('a', gaps.length).accepted, true);
        return now;
      });
      for (let index = 0; index < refusals; index++) limiter.take('a', gaps.length);
      for (const moment of moments) {
        if (now < moment + WINDOW_MS - 1) now = moment + WINDOW_MS - 1;
        if (now === moment + WINDOW_MS - 1) {
          const { accepted, resetMs } = limiter.take('a', gaps.length);
          assert.deepEqual([accepted, resetMs], [false, 1]);
        }
        now = moment + WINDOW_MS;
        assert.equal(limiter.take('a', gaps.length).accepted, true);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('the latest slots from another limiter count as if they had been taken here', () => {
  const now = 0;
  const limiter = new MemoryLimiter(WINDOW_MS, () => now);
  limiter.begin('a', 3, () => [90, 80, 50, 20, 10]);
  assert.deepEqual(limiter.take('a', 3), { accepted: false, remaining: 0, resetMs: WINDOW_MS - 50 });
});

test('slots from another limiter count once, until the subject has been idle for a window', () => {
  let now = start;
  const limiter = new MemoryLimiter(WINDOW_MS, () => now);
  const beginAndTake = (...ages: number[]) => {
    limiter.begin('a', 9, () => ages);
    return limiter.take('a', 9).remaining;
  };
  assert.equal(beginAndTake(10), 7);
  assert.equal(beginAndTake(10), 6, 'begun before');
  now += WINDOW_MS;
  limiter.take('b', 9);
  assert.equal(beginAndTake(20, 10), 6, 'forgotten');
});

test('bursts of up to 100 slots: every decision equals the one from a naive log', () => {
  const burst = fc.integer({ min: 0, max: 30 });
  const bursts = fc.array(fc.record({ burst, step }), { minLength: 1, maxLength: 12, size: 'max' });
  fc.assert(
    fc.property(fc.integer({ min: 17, max: 100 }), bursts, (limit, bursts) => {
      let now = start;
      const limiter = new MemoryLimiter(WINDOW_MS, () => now);
      const log = new NaiveLog();
      for (const { burst, step } of bursts) {
        now += step;
        for (let count = 0; count < burst; count++)
          assert.deepEqual(limiter.take('a', limit), log.take(now, limit));
      }
    }),
    { numRuns: 200 },
  );
});

test('when the clock is set back, time continues from there: no slot is freed early or held too long', () => {
  const steps = fc.array(fc.integer({ min: -9 * WINDOW_MS, max: 2 * WINDOW_MS }), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), steps, (limit, steps) => {
      let wall = start;
      let passed = 0;
      const limiter = new MemoryLimiter(WINDOW_MS, () => wall);
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
