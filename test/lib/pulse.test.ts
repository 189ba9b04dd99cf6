import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { Pulse } from '../../server/src/lib/pulse.ts';
import { Ticker } from '../../server/src/lib/ticker.ts';

/** A pulse with two polls, on a clock that the test advances. */
function open(t: TestContext) {
  let now = 0;
  t.mock.timers.enable({ apis: ['setInterval'] });
  t.mock.method(performance, 'now', () => now);
  const runs = { quick: 0, slow: 0 };
  const needs = { isNeeded: false };
  let changed: (() => void) | undefined;
  const pulse = new Pulse({
    awakeMs: 20_000,
    restMs: 15_000,
    watch(tell) {
      changed = tell;
      return () => {
        changed = undefined;
      };
    },
  });
  pulse.stayAwakeWhile(() => needs.isNeeded);
  const stops = [pulse.every(1_000, () => runs.quick++), pulse.every(5_000, () => runs.slow++)];
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      now += 1_000;
      t.mock.timers.tick(1_000);
    }
    const { quick, slow } = runs;
    Object.assign(runs, { quick: 0, slow: 0 });
    return [quick, slow];
  };
  return { pulse, pass, needs, stops, change: () => changed?.(), isWatching: () => changed !== undefined };
}

test('polls run at their intervals during activity, and rarely when idle', (t) => {
  const { pulse, pass, isWatching } = open(t);
  assert.deepEqual(pass(10), [10, 2]);
  pulse.active();
  assert.deepEqual(pass(20), [20, 3]);
  assert.equal(pulse.isResting, true);
  assert.deepEqual(
    [pass(14), pass(1), pass(30)],
    [
      [0, 0],
      [1, 1],
      [2, 2],
    ],
  );
  assert.equal(isWatching(), true);
  pulse.active();
  assert.deepEqual([isWatching(), pulse.isResting, pass(5)], [false, false, [5, 1]]);
});

test('a pulse does not rest while it is held awake, and activity wakes it', (t) => {
  const { pulse, pass, needs } = open(t);
  needs.isNeeded = true;
  pass(60);
  assert.equal(pulse.isResting, false);
  needs.isNeeded = false;
  pass(1);
  assert.equal(pulse.isResting, true);
  needs.isNeeded = true;
  pass(15);
  assert.equal(pulse.isResting, false);
});

test("another process's changes wake a pulse; its own rounds do not", (t) => {
  const { pulse, pass, change } = open(t);
  pass(20);
  pass(15);
  change();
  assert.equal(pulse.isResting, true, 'the round itself changed the data');
  pass(2);
  change();
  assert.equal(pulse.isResting, false);
});

test('a removed poll does not run, and without options a pulse never rests', (t) => {
  const { pass, stops } = open(t);
  stops[0]?.();
  assert.deepEqual(pass(5), [0, 1]);
  stops[1]?.();
  assert.deepEqual(pass(60), [0, 0]);
  const restless = new Pulse();
  restless.every(1_000, () => {});
  pass(3_600);
  assert.equal(restless.isResting, false);
});

test('a ticker runs between start and end', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let runs = 0;
  const ticker = new Ticker(() => runs++, 100);
  t.mock.timers.tick(1_000);
  ticker.start();
  ticker.start();
  t.mock.timers.tick(1_000);
  ticker.stop();
  t.mock.timers.tick(1_000);
  assert.equal(runs, 10);
});
