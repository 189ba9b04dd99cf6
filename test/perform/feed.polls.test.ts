// @run sqlite: opens only an embedded database
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { NewLiveEvent } from '../../server/src/feed/logged.ts';
import { EPOCH, range } from '../support/eventLog.ts';
import { feedStage, seqsOf } from '../support/feedStage.ts';

// A feed whose notifications are lost: its polls deliver the events, and notice replaced logs.

test('a feed polls every second, or every five while other nodes notify it', async (t) => {
  const alone = await feedStage(t);
  // A poll may be half a second early.
  assert.deepEqual([await alone.poll(499), await alone.poll(1), await alone.poll(499)], [false, true, false]);
  t.mock.restoreAll();
  const together = await feedStage(t, true);
  assert.deepEqual([await together.poll(4_499), await together.poll(1)], [false, true]);
  t.mock.restoreAll();
  const disconnected = await feedStage(t, false);
  assert.equal(await disconnected.poll(500), true);
});

test('a poll delivers events without notifications, and reports each log that grew once', async (t) => {
  const { log, feed, time, follow, poll } = await feedStage(t);
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
  const { log, follow, poll } = await feedStage(t);
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
  const { log, follow, poll, hooks, settle } = await feedStage(t, true);
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
  const { follow, poll, hooks } = await feedStage(t);
  assert.equal(hooks.isAwake(), false);
  const first = await follow();
  for (let count = 0; count < 9; count++) await poll();
  assert.equal(hooks.isAwake(), true);
  first.reader.close();
  for (let count = 0; count < 5; count++) await poll();
  assert.equal(hooks.isAwake(), true);
  (await follow()).reader.close();
  for (let count = 0; count < 5; count++) await poll();
  assert.equal(hooks.isAwake(), true, 'opened again in the meantime');
  await poll();
  assert.equal(hooks.isAwake(), false);
});

test('notifications reach readers here, and each node passes on only its own', async (t) => {
  const { log, feed, follow, sent, hooks, settle } = await feedStage(t, true);
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
  const { log, feed, follow, sent, heard, settle } = await feedStage(t, true);
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
  const { log, feed, viewer } = await feedStage(t);
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
  const { log, feed, viewer, follow, settle } = await feedStage(t);
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

test('typing and presence that other nodes announce reach their own parts of the feed', async (t) => {
  const { log, feed, heard } = await feedStage(t, true);
  const typing = t.mock.method(feed.indicators, 'hear', () => {});
  const presence = t.mock.method(feed.presences, 'hear', () => {});
  const news = (type: string) => ({
    type,
    serverId: log.id,
    channelId: null,
    actorId: null,
    at: 1,
    data: {},
  });
  heard.live?.([news('typing.started')]);
  heard.live?.([news('presence.updated')]);
  feed.tell(news('typing.started') as NewLiveEvent);
  assert.equal(typing.mock.callCount(), 2);
  heard.presence?.([{ userId: 'ada' }]);
  assert.deepEqual(presence.mock.calls[0]?.arguments, [[{ userId: 'ada' }]]);
});
