import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsStage } from '../../support/countsStage.ts';

const mark = (messageId: string, rest = {}) => ({
  ...{ threadId: null, channelId: 'channel', messageId, unreadAt: 0, ...rest },
});

test('reading a channel on another device moves its marker, and the server recounts', async () => {
  const { event, of, cache, recounts, message } = countsStage();
  message('created', 'm6');
  cache('channel', ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
  event('mark.updated', mark('m4'));
  assert.deepEqual(of('channel'), ['m4', 2, 1]);
  assert.deepEqual(await recounts(), [{}], 'with the notifications');
  event('mark.updated', mark('m6'));
  assert.deepEqual(of('channel'), ['m6', 0, 0]);
});

test('reading a thread on another device moves its marker, and the server recounts', async () => {
  const { event, of, cache, snapshot, recounts } = countsStage();
  snapshot({ notifications: 0 });
  cache('thread', ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
  event('mark.updated', mark('m3', { threadId: 'thread' }));
  assert.deepEqual(
    [of('thread'), of('channel')],
    [
      ['m3', 3],
      ['m2', 3, 1],
    ],
  );
  assert.deepEqual(await recounts(), [{ channelIds: 'channel', threadIds: 'thread' }]);
});

test('a marker without cached messages keeps the counts until the server recounts', async () => {
  const { event, of, snapshot, recounts } = countsStage();
  snapshot({ notifications: 0 });
  event('mark.updated', mark('m4'));
  event('mark.updated', mark('m4', { threadId: 'thread' }));
  assert.deepEqual(
    [of('channel'), of('thread')],
    [
      ['m4', 3, 1],
      ['m4', 2],
    ],
  );
  assert.deepEqual(await recounts(), [{ channelIds: 'channel', threadIds: 'thread' }]);
});

test('a marker that is already known changes nothing', async () => {
  const { event, of, recounts, changes } = countsStage();
  event('mark.updated', mark('m2'));
  event('mark.updated', mark('m2', { threadId: 'unknown' }));
  event('mark.updated', { ...mark('m2'), channelId: null });
  assert.deepEqual([of('channel'), changes, await recounts()], [['m2', 3, 1], [], []]);
});

test('an older marker is ignored, and the server is asked which one it has', async () => {
  for (const older of [mark('m1'), mark('m1', { unreadAt: -1 }), mark('m3', { unreadAt: -1 })]) {
    const { event, of, recounts, untold } = countsStage();
    event('mark.updated', older);
    assert.deepEqual([of('channel'), await recounts()], [['m2', 3, 1], [{ channelIds: 'channel' }]]);
    untold.set('channel', { messageId: 'm2', unreadAt: 0 });
    event('mark.updated', older);
    assert.deepEqual(
      [of('channel'), await recounts()],
      [['m2', 3, 1], []],
      'the server does not have it yet',
    );
  }
});

test('marking a message as unread on another device moves the marker back, and more is unread', () => {
  const { event, of, cache } = countsStage();
  event('mark.updated', mark('m1', { unreadAt: 1 }));
  assert.deepEqual(of('channel'), ['m1', 3, 1]);
  cache('channel', ['m0', 'm1', 'm2', 'm3', 'm4', 'm5'], { atStart: true });
  event('mark.updated', mark('m0', { unreadAt: 2 }));
  assert.deepEqual(of('channel'), ['m0', 5, 1]);
  event('mark.updated', mark('m1', { unreadAt: 2 }));
  assert.deepEqual(of('channel'), ['m1', 4, 1]);
});

test('marking an old message as unread keeps the count if the cached messages show fewer', () => {
  const { event, of, cache } = countsStage();
  cache('channel', ['m1', 'm2'], { atStart: true });
  event('mark.updated', mark('m1', { unreadAt: 1 }));
  assert.deepEqual(of('channel'), ['m1', 3, 1]);
});

test('the count of a channel that is marked as unread is left to the server if no messages are cached', () => {
  const { event, of } = countsStage();
  event('mark.updated', { ...mark('m4', { unreadAt: 1 }), channelId: 'quiet' });
  assert.deepEqual(of('quiet'), ['m4', 0, 0], 'the server counts it');
});

test('a response that is older than a marker does not move it back', () => {
  const { event, of, replica, snapshot, threads } = countsStage();
  const [begun, other] = [replica.marks.begin(), replica.marks.begin()];
  event('mark.updated', mark('m2'));
  event('mark.updated', mark('m2', { threadId: 'thread' }));
  threads({ messageId: 'm1', unread: 9 }, other);
  const row = { ...countsStage().reading.channel('channel'), messageId: 'm1', unread: 9 };
  snapshot({ channels: [row] }, begun);
  assert.deepEqual(
    [of('channel'), of('thread')],
    [
      ['m2', 3, 1],
      ['m2', 2],
    ],
  );
});

test('reading a message moves the marker at once, but never back', () => {
  const { reading, of, cache, changes } = countsStage();
  for (const id of ['m1', 'm2']) reading.moved('channel', id);
  reading.moved('unknown', 'm9');
  assert.deepEqual([of('channel'), changes], [['m2', 3, 1], []]);
  cache('channel', ['m2', 'm3', 'm4', 'm5']);
  reading.moved('channel', 'm4');
  assert.deepEqual(of('channel'), ['m4', 1, 1]);
  cache('channel', ['m2', 'm3', 'm4', 'm5', 'm6', 'm7']);
  reading.moved('channel', 'm5');
  assert.deepEqual(of('channel'), ['m5', 1, 1], 'the count does not grow');
  reading.moved('thread', 'm3');
  assert.deepEqual(of('thread'), ['m3', 2]);
});

test('reading everything in a server clears its channels and threads up to that message', async () => {
  const { event, of, totals, recounts, changes } = countsStage();
  event('reading.updated', { messageId: 'm4' });
  assert.deepEqual(
    [of('channel'), of('thread'), of('quiet'), of('dm')],
    [
      ['m4', 0, 0],
      ['m4', 0],
      ['m5', 0, 0],
      ['m4', 0, 0],
    ],
  );
  assert.deepEqual(totals(), { unread: 0, mentions: 0, direct: 0, notifications: 1 });
  assert.deepEqual(await recounts(), [{}]);
  changes.length = 0;
  event('reading.updated', { messageId: 'm4' });
  assert.deepEqual(changes, []);
});

test('once the server has a marker, it recounts the channel, and the notifications if there are any', async () => {
  for (const [notifications, input] of [
    [0, { channelIds: 'quiet' }],
    [1, {}],
  ] as const) {
    const { reading, snapshot, recounts } = countsStage();
    snapshot({ notifications });
    reading.told('quiet');
    reading.told('unknown');
    assert.deepEqual(await recounts(), [input]);
  }
});

test('after an interruption, all servers and open threads are recounted', async () => {
  const { reading, recounts } = countsStage();
  reading.renew();
  assert.deepEqual(await recounts(), [{ threadIds: 'thread' }]);
});

test('a snapshot adds new channels, and drops those that the person no longer sees', async () => {
  const { reading, replica, snapshot, serverAnswer, totals, recounts } = countsStage();
  replica.apply({ type: 'channel.deleted', serverId: 'server', data: { id: 'channel' } } as never);
  snapshot({ channels: serverAnswer.channels.slice(1) });
  assert.deepEqual([reading.channel('channel'), reading.thread('thread')], [undefined, undefined]);
  assert.deepEqual(totals(), { unread: 2, mentions: 2, direct: 2, notifications: 1 });
  replica.apply({
    type: 'channel.created',
    serverId: 'server',
    data: { id: 'new', serverId: 'server' },
  } as never);
  snapshot({ channels: serverAnswer.channels.slice(1, 2) });
  assert.equal(reading.channel('dm')?.unread, 2, 'it still exists');
  assert.deepEqual(await recounts(), [{ channelIds: 'new' }]);
});

test('counts that were doubted before the first snapshot are requested after it', async () => {
  const { reading, replica, recounts, snapshot } = countsStage();
  const state = replica.states.get('server');
  replica.states.delete('server');
  reading.doubt('server', 'channel');
  assert.deepEqual(await recounts(), []);
  replica.states.set('server', state as never);
  snapshot();
  assert.deepEqual(await recounts(), [{ channelIds: 'channel' }]);
});

test('a recount replaces the counts of its channels and known threads, and the drafts', async () => {
  const { reading, server, recounts, of, totals, drafts, serverAnswer } = countsStage();
  const [channel] = serverAnswer.channels;
  const thread = { threadId: 'thread', messageId: 'm2', unreadAt: 0, unread: 9 };
  server.answer = {
    ...{ ...serverAnswer, notifications: 4, countedFrom: 20, countedTo: 20, drafts: ['draft'] },
    channels: [{ ...channel, unread: 8 }],
    threads: [thread, { ...thread, threadId: 'unknown' }],
  };
  reading.doubt('server', null);
  await recounts();
  assert.deepEqual([of('channel'), of('thread'), of('unknown')], [['m2', 8, 1], ['m2', 9], undefined]);
  assert.deepEqual(totals(), { unread: 10, mentions: 3, direct: 2, notifications: 4 });
  assert.deepEqual(drafts, [{ serverId: 'server', rows: ['draft'] }]);
});

test('a server that the person left is forgotten', async () => {
  const { reading, recounts, totals, of } = countsStage();
  totals();
  reading.doubt('server', 'channel');
  reading.drop('server');
  assert.deepEqual([of('channel'), of('thread'), of('dm')], [undefined, undefined, undefined]);
  assert.deepEqual(totals(), { unread: 0, mentions: 0, direct: 0, notifications: 0 });
  reading.renew();
  assert.deepEqual(await recounts(), []);
});

test('nothing is recounted after the session has stopped', async () => {
  const { reading, recounts } = countsStage();
  reading.doubt('server', null);
  reading.stop();
  assert.deepEqual(await recounts(), []);
});
