// @run sqlite: reads no database
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Db } from '../../server/src/db/contract.ts';
import { Presences } from '../../server/src/feed/presences.ts';

const SERVER = 'server';
const SECONDS = 20;

/** The times, in ms, at which changes every 100 ms are delivered to a server with this many readers. */
async function deliveries(readers: number): Promise<number[]> {
  const times: number[] = [];
  let now = 0;
  mock.timers.enable({ apis: ['setInterval'] });
  const clock = mock.method(performance, 'now', () => now);
  const presences = new Presences({} as Db, () => now, {
    tellOthers: () => {},
    audienceOf: () => readers,
    tell: () => void times.push(now),
  });
  try {
    for (; now < SECONDS * 1000; now += 100) {
      const shown = { userId: `person ${now}` } as Parameters<Presences['hear']>[0][number]['shown'];
      presences.hear([{ shown, serverIds: [SERVER] }]);
      mock.timers.tick(100);
      // The timer's callback awaits promises before it delivers.
      for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    }
  } finally {
    presences.close();
    clock.mock.restore();
    mock.timers.reset();
  }
  return times;
}

test('presence is delivered to about a thousand readers a second, at most twice a second', async () => {
  for (const [readers, interval] of [
    [0, undefined],
    [1, 500],
    [400, 500],
    [1_000, 1_000],
    [4_000, 4_000],
  ] as const) {
    const times = await deliveries(readers);
    if (interval === undefined) {
      assert.deepEqual(times, [], 'without readers');
      continue;
    }
    const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
    assert.ok(gaps.length >= 3, `${readers} readers: ${times}`);
    assert.deepEqual([...new Set(gaps)], [interval], `${readers} readers`);
  }
});
