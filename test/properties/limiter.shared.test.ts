// @run sqlite, waits: uses no database; waits for time to pass
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { Valkey } from '../../server/src/lib/valkey.ts';
import { takeScript } from '../../server/src/limits/scripts.ts';
import { SharedLimiter } from '../../server/src/limits/sharedLimiter.ts';
import { MemoryLimiter, type Verdict } from '../../server/src/limits/slidingWindow.ts';
import { until } from '../support/process.ts';
import { testsUnless } from '../support/skipping.ts';
import { anyValkey, valkeyBinary } from '../support/valkeyServer.ts';

let server: NonNullable<Awaited<ReturnType<typeof anyValkey>>>;
let redis: Redis;
const open: Valkey[] = [];
let prefixes = 0;
/** Distinguishes this run's keys from others' on a shared server. */
const run = randomUUID();

/** Nodes that share limits under a new prefix, each with its own connection. */
async function nodesOf(count: number, window: number): Promise<SharedLimiter[]> {
  const prefix = `test-${run}-${prefixes++}:`;
  const valkeys = Array.from({ length: count }, () => new Valkey({ url: server.url, timeout: 5_000 }));
  open.push(...valkeys);
  await until(() => valkeys.every(({ up }) => up));
  return valkeys.map(
    (valkey) => new SharedLimiter(valkey, { prefix, window, nodes: () => count, now: Date.now }),
  );
}

/** The specification's window, in its simplest implementation, in microseconds. */
class NaiveLog {
  accepted: number[] = [];
  readonly #window: number;

  constructor(window: number) {
    this.#window = window;
  }

  take(now: number, limit: number): { accepted: boolean; remaining: number; resetAt: number } {
    const held = () => this.accepted.filter((moment) => moment > now - this.#window).sort((a, b) => a - b);
    const accepted = held().length < limit;
    if (accepted) this.accepted.push(now);
    const moments = held();
    const first = moments[Math.max(0, moments.length - limit)] as number;
    return { accepted, remaining: Math.max(0, limit - moments.length), resetAt: first + this.#window };
  }
}

/** The length of a window, chosen so that no key expires before its schedule is done. */
const WINDOW_MS = 10_000;
const START_US = 1_800_000_000_000_000;

const step = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 1_200_000 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, 1, WINDOW_MS * 1000 - 1, WINDOW_MS * 1000, WINDOW_MS * 1000 + 1),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 * WINDOW_MS * 1000 }) },
);
const limit = fc.integer({ min: 1, max: 12 });
const subject = fc.constantFrom('a', 'b', 'c');
const take = fc.record({
  subject,
  limit: fc.oneof({ weight: 4, arbitrary: fc.constant(6) }, { weight: 1, arbitrary: limit }),
  /** The ages of requests that this node accepted on its own: reported before the slot is taken. */
  ages: fc.oneof(
    { weight: 8, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: WINDOW_MS - 1 }), { maxLength: 5 }) },
  ),
});
const call = fc.record({ step, takes: fc.array(take, { minLength: 1, maxLength: 4 }) });

/** The script with a test clock, which is a list of two numbers, like the result of TIME. */
const clocked = takeScript.replace("redis.call('TIME')", "redis.call('LRANGE', 'clock', 0, -1)");

/** Runs the script at times in microseconds, all in one batch, and returns its results. */
async function runScript(
  calls: { at: number; keys: string[]; args: (string | number)[] }[],
): Promise<number[][]> {
  const pipeline = redis.pipeline();
  const sha = createHash('sha1').update(clocked).digest('hex');
  for (const { at, keys, args } of calls) {
    pipeline.del('clock').rpush('clock', Math.floor(at / 1e6), at % 1e6);
    pipeline.evalsha(sha, keys.length, ...keys, WINDOW_MS, ...args);
  }
  const results = (await pipeline.exec()) ?? [];
  return results
    .filter((_, index) => index % 3 === 2)
    .map(([error, answer]) => {
      assert.equal(error, null);
      return answer as number[];
    });
}

const skip =
  valkeyBinary() || process.env.PALAVER_TEST_REDIS_URL ? false : 'no valkey-server or redis-server here';
const { after, before, test } = testsUnless(skip);

before(async () => {
  server = (await anyValkey()) as typeof server;
  redis = new Redis(server.url);
  assert.notEqual(clocked, takeScript);
  await redis.script('LOAD', clocked);
});
after(async () => {
  for (const valkey of open) valkey.close();
  redis.disconnect();
  await server.stop();
});

test("1,000 schedules in microseconds: every result of the script equals the naive log's", async () => {
  let run = 0;
  const schedule = fc.array(call, { minLength: 1, maxLength: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(schedule, async (calls) => {
      run++;
      let at = START_US;
      const logs = new Map<string, NaiveLog>();
      const expected: number[][] = [];
      const sent = calls.map(({ step, takes }) => {
        at += step;
        const answer = takes.flatMap(({ subject, limit, ages }) => {
          const log = logs.get(subject) ?? new NaiveLog(WINDOW_MS * 1000);
          logs.set(subject, log);
          log.accepted.push(...ages.map((age) => at - age * 1000));
          const { accepted, remaining, resetAt } = log.take(at, limit);
          return [accepted ? remaining : -1, Math.ceil((resetAt - at) / 1000)];
        });
        expected.push(answer);
        const keys = takes.map(({ subject }) => `run${run}:${subject}`);
        return { at, keys, args: takes.map(({ limit, ages }) => [limit, ...ages].join(' ')) };
      });
      assert.deepEqual(await runScript(sent), expected);
    }),
    { numRuns: 1_000 },
  );
});

test('2,000 schedules: the limiter of a single process applies a changing limit as the naive log does', () => {
  const calls = fc.array(fc.record({ step, subject, limit }), { minLength: 1, maxLength: 60, size: 'max' });
  fc.assert(
    fc.property(calls, (calls) => {
      let now = 0;
      const limiter = new MemoryLimiter(WINDOW_MS * 1000, () => now);
      const logs = {
        a: new NaiveLog(WINDOW_MS * 1000),
        b: new NaiveLog(WINDOW_MS * 1000),
        c: new NaiveLog(WINDOW_MS * 1000),
      };
      for (const { step, subject, limit } of calls) {
        now += step;
        const { resetAt, ...rest } = logs[subject as keyof typeof logs].take(now, limit);
        assert.deepEqual(limiter.take(subject, limit), { ...rest, resetMs: resetAt - now });
      }
    }),
    { numRuns: 2_000 },
  );
});

test("when a server's clock is set back, no slot is freed early, and none is held for long", async () => {
  const hour = 3_600_000_000;
  const window = WINDOW_MS * 1000;
  const at = (moment: number) => ({ at: START_US + moment, keys: ['back'], args: [3] });
  const answers = await runScript([
    ...[at(0), at(1_000), at(2_000)],
    // The clock was set back by an hour: the latest slot counts as taken now, and earlier slots just before it.
    ...[at(-hour), at(-hour + window - 2_001), at(-hour + window - 2_000)],
    ...[at(-hour + window - 1_000), at(-hour + window - 1), at(-hour + window)],
  ]);
  assert.deepEqual(answers, [
    [2, WINDOW_MS],
    [1, WINDOW_MS - 1],
    [0, WINDOW_MS - 2],
    [-1, WINDOW_MS - 2],
    [-1, 1],
    [0, 1],
    [0, 1],
    [-1, 1],
    [0, WINDOW_MS - 2],
  ]);
});

test('under load from several nodes, every verdict fits an exact window', async () => {
  const load = fc.record({
    nodes: fc.integer({ min: 2, max: 4 }),
    workers: fc.integer({ min: 1, max: 8 }),
    limit: fc.integer({ min: 1, max: 40 }),
    window: fc.integer({ min: 300, max: 700 }),
    pause: fc.constantFrom(0, 1, 7),
  });
  await fc.assert(
    fc.asyncProperty(load, async ({ nodes, workers, limit, window, pause }) => {
      const limiters = await nodesOf(nodes, window);
      const takes: (Verdict & { from: number; to: number })[] = [];
      const end = performance.now() + 3.5 * window;
      const work = async (limiter: SharedLimiter) => {
        while (performance.now() < end) {
          const from = performance.now();
          const verdict = await limiter.take('one', limit);
          takes.push({ ...verdict, from, to: performance.now() });
          await sleep(pause);
        }
      };
      await Promise.all(limiters.flatMap((limiter) => Array.from({ length: workers }, () => work(limiter))));
      requireExact(takes, limit, window);
      const count = takes.filter(({ accepted }) => accepted).length;
      assert.ok(count > limit, `${count} accepted in more than three windows of ${limit}`);
    }),
    { numRuns: 8 },
  );
});

test('the reset time of a refusal is exact: a slot becomes free then and not earlier', async () => {
  const window = 900;
  const [first, second] = (await nodesOf(2, window)) as [SharedLimiter, SharedLimiter];
  for (let taken = 0; taken < 5; taken++) {
    assert.equal((await (taken % 2 ? first : second).take('one', 5)).remaining, 4 - taken);
    await sleep(30);
  }
  const { accepted, resetMs } = await first.take('one', 5);
  const asked = performance.now();
  assert.equal(accepted, false);
  assert.ok(resetMs > 0 && resetMs <= window - 150, `${resetMs}`);
  await sleep(resetMs / 2);
  const early = await second.take('one', 5);
  // On a busy machine, this request may be too late, and then takes the slot.
  if (early.accepted) return assert.ok(performance.now() > asked + resetMs - 5);
  await sleep(asked + resetMs - performance.now() + 2);
  assert.equal((await second.take('one', 5)).accepted, true);
});

test('1,000 concurrent requests at three nodes: exactly the limit is accepted for each of two users', async () => {
  const limiters = await nodesOf(3, 60_000);
  const asked = Array.from({ length: 1_000 }, (_, index) =>
    (limiters[index % 3] as SharedLimiter).take(index % 4 === 0 ? 'rare' : 'busy', 200),
  );
  const verdicts = await Promise.all(asked);
  const accepted = (rare: boolean) =>
    verdicts.filter((verdict, index) => verdict.accepted && (index % 4 === 0) === rare).length;
  assert.deepEqual([accepted(true), accepted(false)], [200, 200]);
  // Concurrent requests are batched, except the first. One more call read the state from Valkey.
  for (const { figures } of open.slice(-3)) assert.equal(figures.calls, 3);
});

test("inactive users' keys expire", async () => {
  const [limiter] = (await nodesOf(1, 300)) as [SharedLimiter];
  for (let user = 0; user < 50; user++) await limiter.take(`user ${user}`, 3);
  const keys = () => redis.keys(`test-${run}-${prefixes - 1}:user*`);
  assert.equal((await keys()).length, 50);
  await until(async () => (await keys()).length === 0, 300 + 1_000 + 5_000);
});

test('the script is loaded again when the server has lost it', async () => {
  const [limiter] = (await nodesOf(1, 60_000)) as [SharedLimiter];
  await limiter.take('one', 10);
  await redis.script('FLUSH');
  assert.equal((await limiter.take('one', 10)).remaining, 8);
  await redis.script('LOAD', clocked);
});

/**
 * Throws if a verdict contradicts an exact window for all possible times between `from` and `to` at which the slots
 * were taken.
 */
function requireExact(
  takes: (Verdict & { from: number; to: number })[],
  limit: number,
  window: number,
): void {
  const accepted = takes.filter((take) => take.accepted);
  for (const take of takes) {
    const others = accepted.filter((other) => other !== take);
    const surely = others.filter(({ from, to }) => to <= take.from && from > take.to - window + 1);
    const perhaps = others.filter(({ from, to }) => from <= take.to && to > take.from - window - 1);
    if (take.accepted) assert.ok(surely.length < limit, `accepted, with ${surely.length} of ${limit} taken`);
    else assert.ok(perhaps.length >= limit, `refused, with ${perhaps.length} of ${limit} taken`);
    assert.ok(take.resetMs >= 1 && take.resetMs <= window, `${take.resetMs}`);
    assert.ok(take.remaining >= 0 && take.remaining < limit);
  }
}
