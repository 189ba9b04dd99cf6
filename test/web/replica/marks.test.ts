import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realAround } from '../../../web/replica/around.ts';
import { Reading } from '../../../web/replica/reading.ts';
import { afterMark, totalOf } from '../../../web/replica/readingCounts.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Api, Line, LiveEvent, Records } from '../../../web/replica/types.ts';

const SERVER = 'server';
const CHANNEL = 'channel';

/** The reading state of a channel with three unread messages, the latest of which is `message-5`. */
function readingOf(line: Line | undefined): Reading {
  const replica = new Replica(() => {});
  replica.userId = 'me';
  const reading = new Reading({
    replica,
    api: {} as Api,
    around: { ...realAround, after: () => () => {} },
    changed: () => {},
    lineOf: () => line,
    drafts: () => {},
    untold: () => undefined,
  });
  const row = { channelId: CHANNEL, messageId: 'message-2', unreadAt: 0, unread: 3, mentions: 2 };
  const answer = {
    ...{ serverId: SERVER, level: null, mutedUntil: null, notifications: 0, countedFrom: 0, countedTo: 0 },
    channels: [{ ...row, level: null, mutedUntil: null, isHidden: false }],
  } as unknown as Records['ReadingInServer'];
  const begun = replica.marks.begin();
  reading.snapshot(begun, answer);
  replica.marks.end(begun);
  reading.see(CHANNEL, 'message-5');
  return reading;
}

const countsOf = (reading: Reading) => {
  const { unread, mentions } = reading.channel(CHANNEL) ?? assert.fail('no counts');
  return { unread, mentions };
};

test('a marker at the latest message leaves nothing unread, with or without cached messages', () => {
  for (const messageId of ['message-5', 'message-6']) {
    const reading = readingOf(undefined);
    reading.moved(CHANNEL, messageId);
    assert.deepEqual(countsOf(reading), { unread: 0, mentions: 0 }, messageId);
  }
});

test('a marker before the latest message keeps the mentions until the server recounts', () => {
  const reading = readingOf(undefined);
  reading.moved(CHANNEL, 'message-4');
  assert.deepEqual(countsOf(reading), { unread: 3, mentions: 2 });
});

test("a mention that the marker has passed doesn't count", () => {
  const mention = (messageId: string, seq: number) => {
    const data = { serverId: SERVER, channelId: CHANNEL, messageId, type: 'mention', readAt: null };
    return { type: 'notification.created', serverId: null, seq, data } as unknown as LiveEvent;
  };
  const reading = readingOf(undefined);
  const countedBefore = reading.server(SERVER).notifications;
  reading.apply(mention('message-2', 7));
  assert.equal(reading.server(SERVER).notifications, countedBefore);
  reading.apply(mention('message-3', 8));
  assert.equal(reading.server(SERVER).notifications, countedBefore + 1);
});

test('a channel that was left only counts its mentions', () => {
  const server = { level: null, mutedUntil: null, notifications: 0 };
  const row = { channelId: CHANNEL, messageId: '', unreadAt: 0, unread: 3, mentions: 2, favorite: false };
  const rows = (hidden: boolean) => [{ ...row, level: null, mutedUntil: null, hidden }];
  const totals = (hidden: boolean) => totalOf(rows(hidden), () => false, server, 0);
  assert.deepEqual([totals(false).unread, totals(false).mentions], [3, 2]);
  assert.deepEqual([totals(true).unread, totals(true).mentions], [0, 2]);
});

test('muted channels and those with the level "nothing" only count mentions, and direct messages are mentions', () => {
  const none = { level: null, mutedUntil: null, notifications: 0 };
  const row = {
    ...{ channelId: CHANNEL, messageId: '', unreadAt: 0, unread: 3, mentions: 2, favorite: false },
    ...{ level: null, mutedUntil: null, hidden: false },
  };
  for (const [ofChannel, ofServer, unread] of [
    [{}, {}, 3],
    [{ mutedUntil: 5 }, { mutedUntil: 5 }, 3],
    [{ mutedUntil: 6 }, {}, 0],
    [{}, { mutedUntil: 6 }, 0],
    [{ level: 'nothing' }, {}, 0],
    [{}, { level: 'nothing' }, 0],
    [{ level: 'all' }, { level: 'nothing' }, 3],
  ] as const) {
    const server = { ...none, ...ofServer };
    const totals = totalOf([{ ...row, ...ofChannel }], () => false, server, 5);
    assert.deepEqual(totals, { ...server, unread, mentions: 2, direct: 0 });
  }
  const rows = [row, { ...row, channelId: 'dm', unread: 4 }];
  const totals = totalOf(rows, (channelId) => channelId === 'dm', none, 5);
  assert.deepEqual(totals, { ...none, unread: 7, mentions: 6, direct: 4 });
});

test("messages of others after a marker are counted if all of them are cached, and the user's own are not", () => {
  const replica = new Replica(() => {});
  replica.userId = 'me';
  const message = (id: string, creatorId: string) => ({
    id,
    channelId: CHANNEL,
    serverId: SERVER,
    creatorId,
  });
  const rows = [message('b', 'you'), message('c', 'me'), message('d', 'you'), message('e', 'you')];
  replica.reading(replica.marks.begin(), { message: rows as never });
  const count = (messageId: string, given: Partial<Line> = {}) =>
    afterMark({ ids: ['b', 'c', 'd', 'e'], atStart: false, atEnd: true, ...given }, messageId, replica);
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map((id) => count(id)),
    [null, 2, 2, 1, 0],
  );
  assert.equal(count('a', { atStart: true }), 3);
  assert.deepEqual([count('d', { atEnd: false }), count('d', { ids: [] })], [null, null]);
  assert.equal(afterMark(undefined, 'd', replica), null);
  const many = Array.from({ length: 1_100 }, (_, number) => `m${number + 1_000}`);
  assert.equal(count('m', { ids: many, atStart: true }), 1_000, 'counts stop at 1,000');
});
