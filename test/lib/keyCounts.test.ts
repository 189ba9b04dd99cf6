// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KeyCounts } from '../../server/src/access/keyCounts.ts';

const HOUR_MS = 3_600_000;
/** The start of an hour. */
const START_MS = 1_800_000_000_000;
/** The maximum number of keys that are counted at the same time. */
const MAX_KEYS = 5_000;

const request = fc.record({
  wait: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 3 * HOUR_MS }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 60 }).map((hours) => hours * HOUR_MS) },
    { weight: 1, arbitrary: fc.constantFrom(1, HOUR_MS - 1, 47 * HOUR_MS, 48 * HOUR_MS, 49 * HOUR_MS) },
  ),
  key: fc.constantFrom('one', 'two'),
  status: fc.constantFrom(200, 204, 400, 403, 429, 500),
});

test('the requests of each key in the last 48 hours are counted by hour and outcome', () => {
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 40, size: 'max' }), (requests) => {
      let now = START_MS;
      const counts = new KeyCounts(() => now);
      const made: { key: string; at: number; status: number }[] = [];
      for (const { wait, key, status } of requests) {
        now += wait;
        counts.note(key, 'server', status);
        made.push({ key, at: Math.floor(now / HOUR_MS) * HOUR_MS, status });
        const oldest = Math.floor(now / HOUR_MS) * HOUR_MS - 47 * HOUR_MS;
        for (const keyId of ['one', 'two']) {
          const own = made.filter((one) => one.key === keyId && one.at >= oldest);
          const hours = [...Map.groupBy(own, ({ at }) => at)].map(([at, all]) => {
            const refused = all.filter(({ status }) => status === 403).length;
            const limited = all.filter(({ status }) => status === 429).length;
            return { at, answered: all.length - refused - limited, refused, limited };
          });
          const found = counts.of('server').find((one) => one.keyId === keyId);
          assert.deepEqual(found?.hours ?? [], hours);
        }
      }
      assert.equal(counts.since, START_MS);
    }),
    { numRuns: 300 },
  );
});

test('a key without requests in the last 48 hours is not listed, nor is one of another server', () => {
  let now = START_MS;
  const counts = new KeyCounts(() => now);
  const keys = (serverId: string) => counts.of(serverId).map(({ keyId }) => keyId);
  counts.note('one', 'server', 200);
  counts.note('two', 'another', 200);
  counts.note('three', null, 200);
  now += 48 * HOUR_MS - 1;
  assert.deepEqual([keys('server'), keys('another')], [['one'], ['two']]);
  now += 1;
  assert.deepEqual(keys('server'), []);
});

test('the keys whose last request is oldest are no longer counted once there are 5,000 others', () => {
  let now = START_MS;
  const counts = new KeyCounts(() => now);
  for (let key = 0; key < MAX_KEYS; key++) counts.note(`key ${key}`, 'server', 200);
  assert.equal(counts.of('server').length, MAX_KEYS);
  now += HOUR_MS;
  counts.note('key 0', 'server', 200);
  counts.note('new', 'server', 200);
  const found = counts.of('server').map(({ keyId }) => keyId);
  assert.deepEqual(
    [found.length, found.includes('key 0'), found.includes('key 1'), found.includes('key 2')],
    [MAX_KEYS, true, false, true],
  );
});
