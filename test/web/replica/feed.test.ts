import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realAround } from '../../../web/replica/around.ts';
import { Feed } from '../../../web/replica/feed.ts';
import { Reading } from '../../../web/replica/reading.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Api, LiveEvent, Records } from '../../../web/replica/types.ts';

const channel = { id: 'channel', serverId: 'server' };
const snapshot = {
  server: { id: 'server' },
  channels: [channel],
  conversations: [],
  categories: [],
  emoji: [],
  roles: [],
  user: { id: 'user' },
  reading: {},
};
const opening = { event: 'opening', data: { userId: 'user', cursors: { user: 'u1', server: 's1' } } };
const left = { event: 'left', data: { serverId: 'server' } };
const joined = { event: 'joined', data: { serverId: 'server', cursor: 's3' } };

/** A feed whose requested snapshots the test provides. */
function feedOf() {
  const replica = new Replica(() => {});
  const applied: LiveEvent[] = [];
  const asked: { answer(snapshot: object): void; refuse(error: object): void }[] = [];
  const serverSnapshot = () => new Promise((answer, refuse) => asked.push({ answer, refuse }));
  const feed = new Feed({
    replica,
    api: (() => ({ serverSnapshot })) as unknown as Api,
    around: realAround,
    applied: (event) => applied.push(event),
    read() {},
    missed() {},
    left() {},
    opened() {},
  });
  const settle = async (index: number, how: 'answer' | 'refuse', what: object) => {
    asked[index]?.[how](what);
    for (let turn = 0; turn < 10; turn++) await undefined;
  };
  return { replica, feed, applied, asked, settle };
}

test('an event that arrives after leaving its server does not bring the server back', async () => {
  const { replica, feed, applied, settle } = feedOf();
  for (const block of [opening, left]) feed.take(block);
  const event = { type: 'channel.created', id: 's2', serverId: 'server', data: channel };
  feed.take({ event: 'message', data: event });
  await settle(0, 'answer', snapshot);
  assert.deepEqual([...feed.cursors], [['user', 'u1']]);
  assert.deepEqual([applied, replica.all('channel'), replica.all('server')], [[], [], []]);
  feed.take({
    event: 'message',
    data: { type: 'user.updated', id: 'u2', serverId: null, data: { id: 'user' } },
  });
  assert.deepEqual([...feed.cursors], [['user', 'u2']]);
});

test('a rejected snapshot is read again if the person has rejoined in the meantime', async () => {
  const { replica, feed, asked, settle } = feedOf();
  for (const block of [opening, left, joined]) feed.take(block);
  assert.equal(asked.length, 1);
  await settle(0, 'refuse', { status: 403 });
  assert.equal(asked.length, 2);
  await settle(1, 'answer', snapshot);
  assert.deepEqual(replica.all('channel'), [channel]);
  for (const block of [left, joined, left]) feed.take(block);
  assert.equal(asked.length, 3);
  await settle(2, 'refuse', { status: 403 });
  assert.equal(asked.length, 3, 'not for a server that the person left');
});

test('counts that arrive after leaving their server are dropped', async () => {
  const replica = new Replica(() => {});
  const timers: (() => void)[] = [];
  const after = (_ms: number, run: () => void) => {
    timers.push(run);
    return () => {};
  };
  const counts = {
    serverId: 'server',
    level: null,
    mutedUntil: null,
    notifications: 3,
    countedFrom: 1,
    countedTo: 1,
  };
  let answer: (reading: object) => void = () => {};
  let drafts = 0;
  const reading = new Reading({
    replica,
    api: (() => ({ personReading: () => new Promise((resolve) => (answer = resolve)) })) as unknown as Api,
    around: { ...realAround, after },
    changed() {},
    lineOf: () => undefined,
    drafts: () => drafts++,
    untold: () => undefined,
  });
  const ask = async (isLeft: boolean) => {
    replica.snapshot(replica.marks.begin(), snapshot as unknown as Records['Snapshot']);
    reading.doubt('server', null);
    timers.pop()?.();
    if (isLeft) {
      replica.drop('server', true);
      reading.drop('server');
    }
    answer({ ...counts, channels: [], threads: [], drafts: [] });
    for (let turn = 0; turn < 10; turn++) await undefined;
    return [reading.server('server').notifications, drafts];
  };
  assert.deepEqual(await ask(true), [0, 0]);
  assert.deepEqual(await ask(false), [3, 1]);
});
