import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsStage } from '../../support/countsStage.ts';

test('the totals of a server add up its channels, and direct messages count as mentions', () => {
  const { reading, totals } = countsStage();
  assert.deepEqual(totals(), { unread: 5, mentions: 3, direct: 2, notifications: 1 });
  const none = { unread: 0, mentions: 0, direct: 0, notifications: 0, level: null, mutedUntil: null };
  assert.deepEqual(reading.server('unknown'), none);
  assert.deepEqual([reading.channel('thread'), reading.thread('channel')], [undefined, undefined]);
});

test('the totals stay the same object until they change', () => {
  const { reading, message, snapshot, changes } = countsStage();
  const before = reading.server('server');
  assert.equal(reading.server('server'), before);
  message('created', 'm6', { channelId: 'unknown' });
  snapshot();
  assert.ok(changes.includes('unread:server'));
  assert.equal(reading.server('server'), before, 'nothing has changed');
  message('created', 'm6');
  const after = reading.server('server');
  assert.equal(after.unread, 6);
  assert.equal(reading.server('server'), after);
});

test('a message of another user is unread in its channel, and in its thread', () => {
  const { reading, message, of, changes } = countsStage();
  const totals = reading.server('server');
  message('created', 'm6');
  assert.deepEqual(
    [of('channel'), of('thread')],
    [
      ['m2', 4, 1],
      ['m2', 2],
    ],
  );
  assert.deepEqual(new Set(changes.splice(0)), new Set(['reading:channel', 'unread:server']));
  assert.notEqual(reading.server('server'), totals);
  message('created', 'm7', { threadId: 'thread' });
  assert.deepEqual(
    [of('channel'), of('thread')],
    [
      ['m2', 5, 1],
      ['m2', 3],
    ],
  );
  assert.ok(changes.includes('reading:thread'));
  assert.equal(reading.latest('channel'), 'm7');
});

test('the counts of a thread do not change the totals of its server', () => {
  const { reading, changes, threads } = countsStage();
  const totals = reading.server('server');
  threads({ unread: 7 });
  assert.deepEqual([changes, reading.thread('thread')?.unread], [['reading:thread'], 7]);
  assert.equal(reading.server('server'), totals);
});

test("the user's own messages are never unread, not even when they are deleted", () => {
  const { message, of, reading } = countsStage();
  message('created', 'm6', { creatorId: 'me', threadId: 'thread' });
  message('deleted', 'm5', { creatorId: 'me' });
  assert.deepEqual(
    [of('channel'), of('thread')],
    [
      ['m2', 3, 1],
      ['m2', 2],
    ],
  );
  assert.equal(reading.latest('channel'), 'm6');
});

test('a deleted message is no longer unread', () => {
  const { message, of } = countsStage();
  message('deleted', 'm5', { threadId: 'thread' });
  assert.deepEqual(
    [of('channel'), of('thread')],
    [
      ['m2', 2, 1],
      ['m2', 1],
    ],
  );
  message('deleted', 'm1');
  assert.deepEqual(of('channel'), ['m2', 2, 1], 'it was read already');
});

test('direct messages are sorted again when a later message arrives', () => {
  const { reading, message, changes } = countsStage();
  reading.see('dm', 'm4');
  assert.deepEqual(changes.splice(0), ['channel@direct=server']);
  for (const id of ['m4', 'm3']) reading.see('dm', id);
  assert.deepEqual([changes, reading.latest('dm')], [[], 'm4']);
  message('created', 'm6');
  assert.ok(!changes.includes('channel@direct=server'));
});

test('deleting a thread drops its counts and recounts its channel', async () => {
  const { reading, event, recounts } = countsStage();
  event('thread.deleted', { id: 'thread', channelId: 'channel' });
  assert.equal(reading.thread('thread'), undefined);
  assert.deepEqual(await recounts(), [{ channelIds: 'channel' }]);
});

test('a deleted channel no longer counts', () => {
  const { event, totals } = countsStage();
  event('channel.deleted', { id: 'channel' });
  assert.deepEqual(totals(), { unread: 2, mentions: 2, direct: 2, notifications: 1 });
});

test('a channel that appears is counted by the server, and a known one is not counted again', async () => {
  for (const type of ['channel.created', 'channel.updated']) {
    const { event, recounts } = countsStage();
    event(type, { id: 'channel' });
    assert.deepEqual(await recounts(), []);
    event(type, { id: 'new' });
    assert.deepEqual(await recounts(), [{ channelIds: 'new' }]);
  }
});

const notification = (messageId: string, type: string, rest = {}) => ({
  ...{ id: 'notification', channelId: 'channel', messageId, type, readAt: null, ...rest },
});

test('a mention counts in its channel and as a notification, and a reply only as a notification', async () => {
  const { event, of, totals, recounts } = countsStage();
  event('notification.created', notification('m3', 'mention'));
  assert.deepEqual([of('channel'), totals().notifications], [['m2', 3, 2], 2]);
  event('notification.created', notification('m4', 'reply'));
  assert.deepEqual([of('channel'), totals().notifications], [['m2', 3, 2], 3]);
  assert.deepEqual(await recounts(), []);
});

test('reactions and notifications that were read elsewhere are not counted', async () => {
  const { event, of, totals, recounts } = countsStage();
  event('notification.created', notification('m3', 'reaction'));
  event('notification.created', notification('m3', 'mention', { readAt: 5 }));
  assert.deepEqual([of('channel'), totals().notifications, await recounts()], [['m2', 3, 1], 1, []]);
});

test('a notification about a message that was read, or in an unknown channel, makes the server recount', async () => {
  for (const row of [notification('m2', 'reply'), notification('m9', 'reply', { channelId: 'unknown' })]) {
    const { event, totals, recounts } = countsStage();
    event('notification.created', row);
    assert.deepEqual([totals().notifications, await recounts()], [1, [{}]]);
  }
});

test('a notification that was read or deleted elsewhere makes the server recount', async () => {
  for (const type of ['notification.updated', 'notification.deleted']) {
    const { event, recounts } = countsStage();
    event(type, notification('m3', 'mention'));
    assert.deepEqual(await recounts(), [{}], type);
  }
});

test('levels and placements that were changed elsewhere apply to the channel or the server', () => {
  const { event, reading, totals } = countsStage();
  event('notificationLevel.updated', { channelId: 'channel', level: 'nothing', mutedUntil: null });
  assert.deepEqual(totals(), { unread: 2, mentions: 3, direct: 2, notifications: 1 });
  assert.equal(reading.server('server').level, null);
  event('channelPlacement.updated', { channelId: 'quiet', favorite: true, hidden: true });
  assert.deepEqual([reading.channel('quiet')?.favorite, reading.channel('quiet')?.hidden], [true, true]);
  event('notificationLevel.updated', { channelId: null, level: 'mentions', mutedUntil: 7 });
  const { level, mutedUntil } = reading.server('server');
  assert.deepEqual([level, mutedUntil, reading.channel('channel')?.level], ['mentions', 7, 'nothing']);
});

test('a response that is older than a change of a level or placement does not undo it', () => {
  const { event, reading, replica, snapshot } = countsStage();
  const begun = replica.marks.begin();
  event('notificationLevel.updated', { channelId: 'channel', level: 'nothing', mutedUntil: null });
  event('channelPlacement.updated', { channelId: 'quiet', favorite: true, hidden: false });
  snapshot({}, begun);
  assert.deepEqual(
    [reading.channel('channel')?.level, reading.channel('quiet')?.favorite],
    ['nothing', true],
  );
});

test('a response that is older than a change in a channel that was unknown until then is requested again', async () => {
  const level = { level: 'nothing', mutedUntil: null };
  for (const [type, change] of [
    ['notificationLevel.updated', level],
    ['channelPlacement.updated', { favorite: true, hidden: false }],
  ] as const) {
    const { event, replica, snapshot, serverAnswer, recounts } = countsStage();
    const begun = replica.marks.begin();
    event(type, { channelId: 'late', ...change });
    const late = { ...serverAnswer.channels[1], channelId: 'late' };
    snapshot({ channels: [...serverAnswer.channels, late] }, begun);
    assert.deepEqual(await recounts(), [{ channelIds: 'late' }]);
  }
});
