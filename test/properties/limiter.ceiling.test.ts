// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { Valkey } from '../../server/src/lib/valkey.ts';
import { History } from '../../server/src/limits/history.ts';
import { takeScript } from '../../server/src/limits/scripts.ts';
import { SharedLimiter } from '../../server/src/limits/sharedLimiter.ts';
import { MemoryLimiter, type Verdict } from '../../server/src/limits/slidingWindow.ts';
import { until } from '../support/process.ts';
import { testsUnless } from '../support/skipping.ts';
import { anyValkey, valkeyBinary } from '../support/valkeyServer.ts';

const WINDOW_MS = 100;
const START_MS = 1_800_000_000_000;

/** Windows in their simplest implementation: the times of all accepted requests, by subject. */
class NaiveLogs {
  readonly #accepted = new Map<string, number[]>();

  take(now: number, subject: string, limit: number, ceiling: string | undefined, most: number): Verdict {
    const isUnder = ceiling === undefined || this.#held(now, ceiling).length < most;
    const accepted = isUnder && this.#held(now, subject).length < limit;
    if (accepted)
      for (const one of ceiling === undefined ? [subject] : [subject, ceiling])
        this.#accepted.set(one, [...this.#held(now, one), now]);
    const held = this.#held(now, subject);
    const verdict = { accepted, remaining: limit - held.length, resetMs: this.#freeIn(now, subject) };
    return isUnder ? verdict : { ...verdict, ceilingMs: this.#freeIn(now, ceiling) };
  }

  #held(now: number, subject: string): number[] {
    return (this.#accepted.get(subject) ?? []).filter((moment) => moment > now - WINDOW_MS);
  }

  #freeIn(now: number, subject: string): number {
    return Math.min(now, ...this.#held(now, subject)) + WINDOW_MS - now;
  }
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 * WINDOW_MS }) },
);
/** A person has no ceiling; agents share their server's ceiling. */
const subject = fc.constantFrom(
  ...(['a', 'b', 'c'] as const).map((name) => ({ name, ceiling: 'one' as string | undefined })),
  ...(['d', 'e'] as const).map((name) => ({ name, ceiling: 'two' as string | undefined })),
  { name: 'person' as const, ceiling: undefined },
);
const schedule = fc.record({
  limit: fc.integer({ min: 1, max: 8 }),
  most: fc.integer({ min: 1, max: 20 }),
  requests: fc.array(fc.record({ step, subject }), { minLength: 1, maxLength: 60, size: 'max' }),
});

test('5,000 schedules under ceilings: every decision equals the one from naive logs', () => {
  fc.assert(
    fc.property(schedule, ({ limit, most, requests }) => {
      let now = START_MS;
      const limiter = new MemoryLimiter(WINDOW_MS, () => now);
      const logs = new NaiveLogs();
      for (const { step, subject } of requests) {
        now += step;
        const { name, ceiling } = subject;
        const given = ceiling === undefined ? undefined : { subject: ceiling, limit: most };
        assert.deepEqual(limiter.take(name, limit, given), logs.take(now, name, limit, ceiling, most));
      }
    }),
    { numRuns: 2_000 },
  );
});

const skip =
  valkeyBinary() || process.env.PALAVER_TEST_REDIS_URL ? false : 'no valkey-server or redis-server here';
const { test: testShared, before, after } = testsUnless(skip);

let server: NonNullable<Awaited<ReturnType<typeof anyValkey>>>;
let redis: Redis;
const prefix = `test-${randomUUID()}-`;
const open: Valkey[] = [];
before(async () => {
  server = (await anyValkey()) as typeof server;
  redis = new Redis(server.url);
});
after(async () => {
  for (const valkey of open) valkey.close();
  redis.disconnect();
  await server.stop();
});

testShared("300 schedules: every answer of the script equals the naive logs'", async () => {
  // The script with a test clock, which is a list of two numbers, like the result of TIME. Its keys live longer than
  // a schedule takes.
  const clock = `${prefix}clock`;
  const clocked = takeScript
    .replace("redis.call('TIME')", `redis.call('LRANGE', '${clock}', 0, -1)`)
    .replaceAll('ARGV[1] + 1000', '60000');
  let run = 0;
  await fc.assert(
    fc.asyncProperty(schedule, async ({ limit, most, requests }) => {
      run++;
      let now = START_MS;
      const logs = new NaiveLogs();
      const pipeline = redis.pipeline();
      const expected = requests.map(({ step, subject: { name, ceiling } }) => {
        now += step;
        const keys = [name, ...(ceiling === undefined ? [] : [ceiling])].map(
          (key) => `${prefix}${run}${key}`,
        );
        const args = [limit, ...(ceiling === undefined ? [] : [`+${most}`])];
        pipeline.del(clock).rpush(clock, Math.floor(now / 1e3), (now % 1e3) * 1e3);
        pipeline.eval(clocked, keys.length, ...keys, WINDOW_MS, ...args);
        return logs.take(now, name, limit, ceiling, most);
      });
      const results = (await pipeline.exec()) ?? [];
      const answers = results.filter((_, index) => index % 3 === 2).map(([, answer]) => answer as number[]);
      for (const [index, { accepted, remaining, resetMs, ceilingMs }] of expected.entries()) {
        const [left, reset, overLeft, overReset] = answers[index] as [number, number, number?, number?];
        assert.equal(left >= 0 && (overLeft === undefined || overLeft >= 0), accepted);
        assert.deepEqual([Math.max(0, left), reset], [remaining, resetMs]);
        assert.equal(overLeft === -1 ? overReset : undefined, ceilingMs);
      }
    }),
    { numRuns: 300 },
  );
});

testShared(
  '1,000 requests of 20 agents at one moment at three nodes: exactly the ceiling, in one call a node',
  async () => {
    const valkeys = Array.from({ length: 3 }, () => new Valkey({ url: server.url, timeout: 5_000 }));
    open.push(...valkeys);
    await until(() => valkeys.every(({ up }) => up));
    const options = { prefix: `${prefix}burst:`, window: 60_000, nodes: () => 3, now: Date.now };
    const limiters = valkeys.map((valkey) => new SharedLimiter(valkey, options));
    // The first request may have to load the script.
    for (const limiter of limiters) await limiter.take('first', 1_000);
    const before = valkeys.map(({ figures }) => figures.calls);
    const ceiling = { subject: 'agents', limit: 300 };
    const verdicts = await Promise.all(
      Array.from({ length: 750 }, (_, index) =>
        (limiters[index % 3] as SharedLimiter).take(`agent ${index % 20}`, 30, ceiling),
      ),
    );
    assert.equal(verdicts.filter(({ accepted }) => accepted).length, 300);
    const byAgent = Map.groupBy(verdicts.entries(), ([index]) => index % 20);
    for (const [, made] of byAgent)
      assert.ok(
        [...made].filter(([, { accepted }]) => accepted).length <= 30,
        'an agent has its own limit too',
      );
    for (const { accepted, ceilingMs } of verdicts)
      assert.ok(accepted || (ceilingMs ?? 60_000) > 50_000, 'the wait until the ceiling has a free slot');
    assert.deepEqual(
      valkeys.map(({ figures }, node) => figures.calls - (before[node] as number)),
      [1, 1, 1],
    );
  },
);

testShared(
  'while Valkey is down, each node keeps its part of a ceiling, and reports it afterwards',
  async () => {
    const valkey = new Valkey({ url: server.url, timeout: 5_000 });
    open.push(valkey);
    await until(() => valkey.up);
    const key = `${prefix}down:`;
    const away = { up: false, script: valkey.script.bind(valkey), onUp: valkey.onUp.bind(valkey) };
    let goUp = () => {};
    away.onUp = (listener) => {
      goUp = listener;
    };
    const options = { prefix: key, window: 60_000, nodes: () => 3, now: Date.now };
    const limiter = new SharedLimiter(away as never, options);
    const ceiling = { subject: 'agents', limit: 12 };
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, (_, index) => limiter.take(`agent ${index}`, 30, ceiling)),
    );
    assert.equal(verdicts.filter(({ accepted }) => accepted).length, 4, 'a third of the ceiling');
    away.up = true;
    goUp();
    await until(async () => (await redis.llen(`${key}agents`)) === 4);
    const later = await Promise.all(
      Array.from({ length: 20 }, (_, index) => limiter.take(`agent ${index}`, 30, ceiling)),
    );
    assert.equal(later.filter(({ accepted }) => accepted).length, 8);
  },
);

test('an accepted request counts for one window, even if the clock was set back', () => {
  let now = 1_000;
  const history = new History(100, () => now);
  history.accepted('ada', true);
  const agesAt = (at: number) => {
    now = at;
    return history.ages('ada', 1);
  };
  assert.deepEqual([1_000, 1_060, 900, 1_099, 1_100].map(agesAt), [[0], [60], [0], [99], []]);
});
