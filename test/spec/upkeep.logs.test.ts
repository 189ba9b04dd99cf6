import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { appendEvent } from '../../server/src/feed/log.ts';
import { type Forgotten, forgetEvents } from '../../server/src/removal/forgetEvents.ts';
import { serverId } from '../support/idleData.ts';
import { seeded } from '../support/seeded.ts';
import { q } from '../support/sources.ts';
import { World } from '../support/world.ts';

const random = seeded();

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 30 * DAY_MS;
const ROUNDS = 60;
const LOGS = 8;

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

const append = (logId: string, times: readonly number[]) =>
  world.data.db.write(async (tx) => {
    for (const at of times) {
      const nobody = { actorId: null, actor: 'system' as const, channelId: null, userId: null };
      await appendEvent(tx, { type: 'invite.deleted', logId, ...nobody, at, data: {} });
    }
  });

async function timesOf(logId: string): Promise<{ seq: number; at: number }[]> {
  const rows = q.selectFrom('event').select(['seq', 'at']).where('logId', '=', logId).orderBy('seq');
  return world.data.db.read.all(rows);
}

const forget = (now: number, from: Forgotten | undefined) =>
  forgetEvents(world.data.db, { until: now - KEPT_MS, now, from }, async () => true);

test('upkeep removes all expired events except the latest of each log, even in logs that go idle', async () => {
  let now = 1_800_000_000_000;
  let from: Forgotten | undefined;
  const appended = new Map<string, { seq: number; at: number }[]>();
  // One log is often idle for longer than its events are retained and then grows; the others grow occasionally.
  for (let round = 0; round < ROUNDS; round++) {
    for (let number = 1; number <= LOGS; number++) {
      if (random.next() > 1 / number) continue;
      const logId = serverId(number);
      const times = Array.from({ length: Math.ceil(random.next() * 4) }, () => now);
      const all = appended.get(logId) ?? [];
      for (const at of times) all.push({ seq: (all.at(-1)?.seq ?? 0) + 1, at });
      appended.set(logId, all);
      await append(logId, times);
    }
    now += Math.round(random.next() ** 3 * 40 * DAY_MS);
    from = await forget(now, from);
    for (const [logId, all] of appended) {
      const expected = all.filter(({ at }, index) => at >= now - KEPT_MS || index === all.length - 1);
      assert.deepEqual(await timesOf(logId), expected, `round ${round}`);
    }
  }
});

test('the remaining events are always the end of a log, even if their times are out of order', async () => {
  const logId = serverId(100);
  const now = 1_900_000_000_000;
  await append(logId, [now - 2, now, now - 1, now, now]);
  await forget(now + KEPT_MS, undefined);
  assert.deepEqual(
    (await timesOf(logId)).map(({ seq }) => seq),
    [4, 5],
  );
});

test('many old events in one log, and one old event in each of many logs, are removed in small writes', async () => {
  const now = 2_000_000_000_000;
  const one = serverId(200);
  await append(
    one,
    Array.from({ length: 1_300 }, () => now),
  );
  for (let number = 300; number < 900; number++) await append(serverId(number), [now]);
  const { figures } = world.data.db;
  const before = figures.works;
  await forget(now + KEPT_MS + 1, undefined);
  assert.deepEqual(await timesOf(one), [{ seq: 1_300, at: now }]);
  assert.deepEqual(await timesOf(serverId(899)), [{ seq: 1, at: now }]);
  assert.ok(figures.works - before < 30, 'fewer writes than logs');
});
