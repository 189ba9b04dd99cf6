// @run sqlite: opens only an embedded database
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Viewer } from '../../server/src/access/visibility.ts';
import { type EventKind, EventTable } from '../../server/src/feed/eventKind.ts';
import { Feed } from '../../server/src/feed/feed.ts';
import type { NewLiveEvent } from '../../server/src/feed/logged.ts';
import type { Relay } from '../../server/src/feed/valkeyRelay.ts';
import type { Pulse } from '../../server/src/lib/pulse.ts';
import { EPOCH, EventLog, range } from '../support/eventLog.ts';

// A feed whose notifications are lost: its polls deliver the events, and notice replaced logs.

const kind = (type: string, more: Partial<EventKind> = {}) =>
  ({ type, audience: 'member', log: 'server', live: undefined, ...more }) as EventKind;
const events = new EventTable([kind('pin.created'), kind('presence.updated', { live: 'plain' })]);
const seqsOf = (all: readonly { seq: number }[]) => all.map(({ seq }) => seq);

/** A feed whose clock and polls the test controls. With `up`, it is connected to other nodes. */
async function stage(t: TestContext, up?: boolean) {
  const log = await EventLog.open(t);
  const time = { now: 1_800_000_000_000, ms: 10_000 };
  t.mock.method(performance, 'now', () => time.ms);
  const hooks = { poll() {}, isAwake: () => false, wake(_logIds: string[]) {}, gap() {} };
  const heard: Record<string, (all: object[]) => void> = {};
  const sent: unknown[] = [];
  const pulse = {
    active() {},
    stayAwakeWhile(isAwake: () => boolean) {
      hooks.isAwake = isAwake;
    },
    every(_ms: number, run: () => void) {
      hooks.poll = run;
      return () => {};
    },
  } as unknown as Pulse;
  const relay = {
    up,
    tellWake: (logIds: string[]) => sent.push(logIds),
    tellLive: (news: object) => sent.push(news),
    tellOf: (topic: string, news: object) => sent.push([topic, news]),
    onWake(listener: (logIds: string[]) => void) {
      hooks.wake = listener;
    },
    onLive(listener: (news: unknown) => void) {
      heard.live = ([news]) => listener(news);
    },
    onNewsOf(topic: string, listener: (all: object[]) => void) {
      heard[topic] = listener;
    },
    onGap(listener: () => void) {
      hooks.gap = listener;
    },
  } as unknown as Relay;
  const deps = { now: () => time.now, randomBytes: (size: number) => Buffer.alloc(size, 7) };
  const feed = new Feed(log.db, deps as never, events, up === undefined ? undefined : relay, pulse);
  t.after(() => feed.close());
  const viewer = { userId: 'user', serverId: log.id, roleIds: [], flags: new Set() } as unknown as Viewer;
  /** Opens a reader, and counts its notifications. */
  const follow = async (personId?: string) => {
    const reader = await feed.reader(log.id, {}, async () => viewer, personId);
    const told = { events: 0, lost: 0, live: [] as string[] };
    reader.onEvents = () => told.events++;
    reader.onLost = () => told.lost++;
    reader.tellLive = ({ type }) => told.live.push(type);
    return { reader, told, next: async () => seqsOf(await reader.next(99)) };
  };
  const settle = async () => {
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
    // The first poll writes the epoch.
    await log.db.write(async () => {});
    for (let turns = 0; turns < 30; turns++) await new Promise(setImmediate);
  };
  /** Lets time pass, polls if a poll is due, and returns whether it was. */
  const poll = async (ms = 1_000) => {
    time.ms += ms;
    time.now += ms;
    const place = t.mock.method(log.db, 'place');
    hooks.poll();
    await settle();
    place.mock.restore();
    return place.mock.callCount() > 0;
  };
  return { log, feed, time, hooks, heard, sent, viewer, follow, settle, poll };
}

test('a feed polls every second, or every five while other nodes notify it', async (t) => {
  const alone = await stage(t);
  // A poll may be half a second early.
  assert.deepEqual([await alone.poll(499), await alone.poll(1), await alone.poll(499)], [false, true, false]);
  t.mock.restoreAll();
  const together = await stage(t, true);
  assert.deepEqual([await together.poll(4_499), await together.poll(1)], [false, true]);
  t.mock.restoreAll();
  const disconnected = await stage(t, false);
  assert.equal(await disconnected.poll(500), true);
});

test('a poll delivers events without notifications, and reports each log that grew once', async (t) => {
  const { log, feed, time, follow, poll } = await stage(t);
  await log.add([1], { at: time.now });
  const { told, next } = await follow();
  const grown: string[] = [];
  feed.onWake((logId) => grown.push(logId));
  await poll();
  assert.deepEqual([told.events, grown], [0, [log.id]], 'it has read the first event');
  await log.add([2, 3], { at: time.now });
  await poll();
  assert.deepEqual([told.events, await next(), grown.length], [1, [2, 3], 2]);
  await poll();
  assert.deepEqual([told.events, grown.length], [1, 2]);
  await log.add([1], { at: time.now, logId: randomUUID() });
  await poll();
  assert.deepEqual([told.events, grown.length], [1, 3]);
});

test('once a minute, a poll compares every log with its database', async (t) => {
  const { log, follow, poll } = await stage(t);
  await log.add(range(1, 3));
  const { told } = await follow();
  const empty = await follow();
  assert.equal(empty.reader.logId, log.id);
  await poll();
  await log.removeTo(3);
  await log.add(range(1, 3), { epoch: 'bbbbbbbbbbbb' });
  await poll(58_999);
  assert.equal(told.lost, 0);
  await poll(1_001);
  assert.equal(told.lost, 1, 'the log was replaced');
  const again = await follow();
  await log.add([4], { epoch: 'bbbbbbbbbbbb' });
  await poll(60_000);
  assert.deepEqual([told.lost, again.told, await again.next()], [1, { events: 1, lost: 0, live: [] }, [4]]);
});

test('after a missed notification or a failed poll, every log is compared', async (t) => {
  const { log, follow, poll, hooks, settle } = await stage(t, true);
  await log.add([1]);
  const { told } = await follow();
  await poll(5_000);
  // An event that polls do not notice, because it is old.
  await log.add([2]);
  await poll(5_000);
  assert.equal(told.events, 0);
  const place = t.mock.method(log.db, 'place', () => Promise.reject(new Error('unavailable')));
  await poll(5_000);
  place.mock.restore();
  hooks.gap();
  await settle();
  assert.equal(told.events, 1);
});

test('a log without readers is closed after five polls', async (t) => {
  const { follow, poll, hooks } = await stage(t);
  assert.equal(hooks.isAwake(), false);
  const first = await follow();
  for (let count = 0; count < 9; count++) await poll();
  assert.equal(hooks.isAwake(), true);
  first.reader.close();
  for (let count = 0; count < 5; count++) await poll();
  (await follow()).reader.close();
  for (let count = 0; count < 5; count++) await poll();
  assert.equal(hooks.isAwake(), true, 'opened again in the meantime');
  await poll();
  assert.equal(hooks.isAwake(), false);
});

test('notifications reach readers here, and each node passes on only its own', async (t) => {
  const { log, feed, follow, sent, hooks, settle } = await stage(t, true);
  const { told, next } = await follow();
  const woken: string[] = [];
  feed.onWake((logId) => woken.push(logId));
  await log.add([1]);
  feed.wake(new Set([log.id]));
  await settle();
  assert.deepEqual([told.events, await next(), woken, sent], [1, [1], [log.id], [[log.id]]]);
  await log.add([2]);
  hooks.wake([log.id]);
  await settle();
  assert.deepEqual([told.events, await next(), woken.length, sent.length], [2, [2], 2, 1]);
});

test("live events reach a server's readers or one person, and each node passes on only its own", async (t) => {
  const { log, feed, follow, sent, heard, settle } = await stage(t, true);
  const [ada, bob, nobody] = [await follow('ada'), await follow('bob'), await follow()];
  const all = () => [ada, bob, nobody].map(({ told }) => told.live.splice(0).length);
  for (const { next } of [ada, bob, nobody]) await next();
  const news = (more: Partial<NewLiveEvent> = {}): NewLiveEvent => ({
    ...{ type: 'presence.updated', serverId: log.id, channelId: null, actorId: null, at: 1, data: {} },
    ...more,
  });
  const after = async (act: () => void) => {
    act();
    await settle();
    return all();
  };
  assert.deepEqual(await after(() => feed.tell(news())), [1, 1, 1]);
  assert.deepEqual(await after(() => feed.tell(news({ userId: 'ada' }))), [1, 0, 0]);
  assert.deepEqual(await after(() => feed.tell(news({ serverId: randomUUID() }))), [0, 0, 0]);
  assert.deepEqual(await after(() => feed.tell(news({ userId: 'ada', serverId: randomUUID() }))), [0, 0, 0]);
  assert.equal(sent.length, 4);
  assert.deepEqual(sent.slice(0, 2), [news(), ['personal', news({ userId: 'ada' })]]);
  assert.deepEqual(await after(() => heard.live?.([news()])), [1, 1, 1]);
  assert.deepEqual(await after(() => heard.personal?.([news({ userId: 'bob' }), news()])), [0, 1, 0]);
  ada.reader.close();
  assert.deepEqual(await after(() => feed.tell(news({ userId: 'ada' }))), [0, 0, 0]);
  assert.equal(sent.length, 5);
});

test('several logs are opened at their positions, and a position that is not in its log is a gap', async (t) => {
  const { log, feed, viewer } = await stage(t);
  await log.add(range(3, 6));
  const open = async (after: { seq: number; epoch: string } | undefined) => {
    const [opened] = await feed.readers([{ logId: log.id, after }], async () => viewer);
    const found = { gap: opened?.gap?.reason, seqs: seqsOf((await opened?.reader.next(9)) ?? []) };
    opened?.reader.close();
    return found;
  };
  const at = (seq: number, epoch = EPOCH) => open({ seq, epoch });
  assert.deepEqual(await open(undefined), { gap: undefined, seqs: [] });
  assert.deepEqual(await at(4), { gap: undefined, seqs: [5, 6] });
  assert.deepEqual(await at(2), { gap: undefined, seqs: [3, 4, 5, 6] }, 'before the oldest event');
  assert.deepEqual(await at(2, 'bbbbbbbbbbbb'), { gap: undefined, seqs: [3, 4, 5, 6] });
  assert.deepEqual(await at(1), { gap: 'expired', seqs: [] });
  assert.deepEqual(await at(4, 'bbbbbbbbbbbb'), { gap: 'unknown', seqs: [] });
  assert.deepEqual(await at(7), { gap: 'unknown', seqs: [] });
});

test('a log that is opened again includes the events committed since it was last read', async (t) => {
  const { log, feed, viewer, follow, settle } = await stage(t);
  await log.add([1]);
  await follow();
  await log.add([2]);
  const [opened] = await feed.readers([{ logId: log.id, after: undefined }], async () => viewer);
  assert.equal(opened?.reader.isAtEnd, true);
  await log.add([3]);
  feed.wake([log.id]);
  await settle();
  assert.deepEqual(seqsOf((await opened?.reader.next(9)) ?? []), [3]);
});
