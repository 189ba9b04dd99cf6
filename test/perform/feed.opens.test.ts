// @run sqlite: opens only an embedded database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tail } from '../../server/src/feed/tail.ts';
import { feedStage, seqsOf } from '../support/feedStage.ts';

// Readers that are opened while their log is read or replaced.

test('a reader starts after the latest event, even if its log was not notified of that event', async (t) => {
  const { log, follow, poll } = await feedStage(t);
  await log.add([1]);
  const { reader: first } = await follow();
  await log.add([2]);
  const second = await follow();
  assert.deepEqual([seqsOf(await first.next(9)), await second.next()], [[2], []]);
  for (const { reader } of [{ reader: first }, second]) reader.close();
  for (let count = 0; count < 5; count++) await poll();
  assert.equal((await follow()).reader.isAtEnd, true);
});

test('a log that was just opened stays open for five polls', async (t) => {
  const { log, feed, viewer, poll, hooks } = await feedStage(t);
  const [opened] = await feed.readers([{ logId: log.id, after: undefined }], async () => viewer);
  opened?.reader.close();
  for (let count = 0; count < 5; count++) await poll();
  assert.equal(hooks.isAwake(), true);
  await poll();
  assert.equal(hooks.isAwake(), false);
});

test('a reader that is opened while its log is replaced follows the new log', async (t) => {
  for (const how of ['one', 'several']) {
    const { log, feed, viewer, follow, poll, settle } = await feedStage(t);
    await log.add([1]);
    const { told } = await follow();
    await log.removeTo(1);
    await log.add([1, 2], { epoch: 'bbbbbbbbbbbb' });
    // The new reader waits for the events since the last one, while a poll notices the replaced log.
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = t.mock.method(Tail.prototype, 'wake', () => promise);
    const opening =
      how === 'one'
        ? feed.reader(log.id, {}, async () => viewer)
        : feed
            .readers([{ logId: log.id, after: undefined }], async () => viewer)
            .then((all) => all[0]?.reader);
    await settle();
    assert.equal(wake.mock.callCount(), 1, how);
    await poll(60_000);
    assert.equal(told.lost, 1, how);
    wake.mock.restore();
    resolve();
    const reader = await opening;
    await log.add([3], { epoch: 'bbbbbbbbbbbb' });
    feed.wake([log.id]);
    await settle();
    assert.deepEqual(seqsOf((await reader?.next(9)) ?? []), [3], how);
    t.mock.restoreAll();
  }
});

test('several logs that are opened at the same event of another epoch are read again', async (t) => {
  const { log, feed, viewer, follow, settle } = await feedStage(t);
  await log.add([1, 2]);
  await follow();
  await log.removeTo(2);
  await log.add([1, 2], { epoch: 'bbbbbbbbbbbb' });
  const wake = t.mock.method(Tail.prototype, 'wake');
  await feed.readers([{ logId: log.id, after: undefined }], async () => viewer);
  assert.equal(wake.mock.callCount(), 1);
  await settle();
});
