// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Audience, type Listener } from '../../server/src/feed/audience.ts';
import type { LoggedEvent } from '../../server/src/feed/logged.ts';

/** The number of new events that ends the pause after a notification. */
const MAX_UNTOLD = 200;

/** An audience of 101 listeners. Notifying the first takes `ms`, and calls `onFirst`. */
function stage(t: TestContext, ms: number, onFirst: () => void = () => {}) {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const listeners = new Set<Listener>();
  const audience = new Audience(listeners, async () => {});
  let told = 0;
  let seq = 0;
  const listener = { userId: undefined, passOver() {}, onLive() {}, onLost() {} };
  listeners.add({
    ...listener,
    onEvents() {
      now += ms;
      onFirst();
    },
  });
  for (let count = 0; count < 100; count++) listeners.add({ ...listener, onEvents: () => void told++ });
  const append = (count: number) => {
    const before = { seq, epoch: 'e' };
    const events = Array.from({ length: count }, () => ({ seq: ++seq, channelId: null })) as LoggedEvent[];
    audience.tellEvents(before, events);
  };
  /** Advances the clock. Returns the notifications per listener since the last call, for the last 100 listeners. */
  const after = async (passed: number) => {
    now += passed;
    t.mock.timers.tick(passed);
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
    const times = told / 100;
    told = 0;
    return times;
  };
  return { append, after };
}

test('a large audience pauses for four times as long as its notification took, and at most half a second', async (t) => {
  for (const [ms, pause] of [
    [10, 40],
    [1_000, 500],
  ] as const) {
    const { append, after } = stage(t, ms);
    append(1);
    assert.equal(await after(0), 1);
    append(1);
    assert.deepEqual([await after(pause - 1), await after(1)], [0, 1], `${ms} ms`);
    t.mock.timers.reset();
    t.mock.restoreAll();
  }
});

test('a pause ends early, or does not begin, once there are 200 new events', async (t) => {
  const { append, after } = stage(t, 10);
  append(1);
  assert.equal(await after(0), 1);
  append(MAX_UNTOLD - 1);
  assert.equal(await after(1), 0);
  append(1);
  assert.equal(await after(0), 1);
  t.mock.timers.reset();
  t.mock.restoreAll();
  for (const [count, times] of [
    [MAX_UNTOLD - 1, 1],
    [MAX_UNTOLD, 2],
  ] as const) {
    const during = [() => together.append(count)];
    const together = stage(t, 10, () => during.pop()?.());
    together.append(1);
    assert.equal(await together.after(0), times, `${count} events during the notification`);
    t.mock.timers.reset();
    t.mock.restoreAll();
  }
});
