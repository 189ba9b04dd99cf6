import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Records } from '../../../web/api/records.ts';
import { type ActingAround, actionsOf } from '../../../web/replica/acting.ts';
import { realAround } from '../../../web/replica/around.ts';
import { Marking, type MarkingAround } from '../../../web/replica/marking.ts';
import type { Reading } from '../../../web/replica/reading.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Api, Line } from '../../../web/replica/types.ts';
import type { Json } from '../../support/world.ts';

const PLACE = { serverId: 'server', channelId: 'channel' };
const MARK = { channelId: 'channel', messageId: 'message', unreadAt: 0 };

type Row = { messageId: string; unreadAt: number; unread?: number };

interface Fake {
  /** The status of the server's error response, if any. */
  status?: number | ((marks: readonly Json[]) => number | undefined);
  /** The channel's reading state, its latest known message, and its cached messages. */
  row?: Row;
  latest?: string;
  line?: Line;
}

/** Sets up marking with a fake clock and a fake API. */
function fake({ status, row, latest, line }: Fake = {}) {
  const [sent, settled, moves]: [object[], string[], string[][]] = [[], [], []];
  let now = 0;
  const timers: { at: number; run: () => void }[] = [];
  const around = {
    ...realAround,
    now: () => now,
    after: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1));
    },
  };
  const unread = Promise.withResolvers<Row & { channelId: string }>();
  const api = (() => ({
    personRead: async (input: { marks: Row[] }) => {
      sent.push(input);
      const error = typeof status === 'function' ? status(input.marks) : status;
      if (error !== undefined) throw Object.assign(new Error('refused'), { status: error });
      return input;
    },
    personUnread: () => unread.promise,
    channelView: async () => ({ messages: [{ id: 'z' }] }),
  })) as unknown as Api;
  const store = { row, latest };
  const reading = {
    latest: () => store.latest,
    see: (_channelId: string, id: string) => {
      store.latest = id;
    },
    thread: () => undefined,
    channel: () => store.row,
    moved: (...move: string[]) => moves.push(move),
    mark: ({ messageId, unreadAt }: Row) => {
      store.row = { messageId, unreadAt };
    },
    told: (id: string) => settled.push(id),
  } as unknown as Reading;
  const replica = new Replica(() => {});
  const of: MarkingAround = { api, around, replica, reading, lineOf: () => line };
  const marking = new Marking(of);
  const windows = { whereIs: () => PLACE };
  const actions = actionsOf({ ...of, marking, windows } as unknown as ActingAround);
  /** Advances the clock by a minute. */
  const pass = async () => {
    for (const end = now + 60_000; now < end; now += 100) {
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.run();
      }
      // Responses arrive before the clock advances.
      for (let step = 0; step < 2; step++) await turn();
    }
  };
  return { marking, actions, unread, sent, settled, moves, store, pass };
}

/** Returns the requests sent within a minute if the server returns this status, and the places settled. */
async function sentWhen(status: number): Promise<{ sent: object[]; settled: string[] }> {
  const { marking, sent, settled, pass } = fake({ status });
  marking.read(PLACE, MARK.messageId);
  await pass();
  marking.stop();
  return { sent, settled };
}

test('a read marker is retried with a delay while the server is unreachable or limits requests', async () => {
  for (const status of [0, 429, 500, 503]) {
    const { sent, settled } = await sentWhen(status);
    assert.ok(sent.length > 5 && sent.length < 12, `${status}: ${sent.length}`);
    assert.deepEqual(sent.at(-1), { marks: [MARK] }, 'the same marker');
    assert.deepEqual(settled, [], `${status}: not settled`);
  }
});

test('a rejected read marker is settled, not retried', async () => {
  for (const status of [400, 403, 404, 499])
    assert.deepEqual(await sentWhen(status), { sent: [{ marks: [MARK] }], settled: [MARK.channelId] });
});

test('messages marked as unread stay unread until the place is opened again', async () => {
  const { marking, sent, store, pass } = fake({ row: { messageId: 'a', unreadAt: 0 } });
  const came = (id: string) => marking.came({ ...PLACE, id, threadId: null } as Records['ShownMessage']);
  const end = marking.attend(PLACE.channelId, () => true, 0);
  came('b');
  await pass();
  const first = { marks: [{ channelId: 'channel', messageId: 'b', unreadAt: 0 }] };
  assert.deepEqual(sent, [first]);

  store.row = { messageId: 'a', unreadAt: 5 };
  came('c');
  marking.read(PLACE, 'c', 0);
  await pass();
  assert.deepEqual(sent, [first]);

  marking.attend(PLACE.channelId, () => true, 5);
  // The function that ends the previous visit does not end the current one.
  end();
  came('c');
  await pass();
  assert.deepEqual(sent.slice(1), [{ marks: [{ channelId: 'channel', messageId: 'c', unreadAt: 5 }] }]);
  marking.read(PLACE, 'd', 5);
  await pass();
  assert.deepEqual(sent.slice(2), [{ marks: [{ channelId: 'channel', messageId: 'd', unreadAt: 5 }] }]);
});

test('"Mark as read" also applies to messages that were marked as unread', async () => {
  const { marking, sent, pass } = fake({ row: { messageId: 'a', unreadAt: 5 } });
  marking.read(PLACE, 'b');
  await pass();
  assert.deepEqual(sent, [{ marks: [{ channelId: 'channel', messageId: 'b', unreadAt: 5 }] }]);
});

test('a mark made before the reading state was known is made again with its `unreadAt`', async () => {
  const { marking, sent, store, pass } = fake();
  marking.read(PLACE, 'c', 0);
  store.row = { messageId: 'a', unreadAt: 5 };
  // A caller that has not rendered the new marker yet passes the old `unreadAt`.
  marking.read(PLACE, 'c', 0);
  marking.read(PLACE, 'c', 5);
  await pass();
  assert.deepEqual(sent, [{ marks: [{ channelId: 'channel', messageId: 'c', unreadAt: 5 }] }]);
});

test('a mark made while a message is being marked as unread is discarded', async () => {
  const { marking, actions, unread, sent, store, pass } = fake({ row: { messageId: 'b', unreadAt: 0 } });
  const marked = actions.markUnread(PLACE.channelId, 'b');
  marking.read(PLACE, 'c', 0);
  unread.resolve({ channelId: PLACE.channelId, messageId: 'a', unreadAt: 5 });
  await marked;
  assert.deepEqual(store.row, { messageId: 'a', unreadAt: 5 });
  await pass();
  assert.deepEqual(sent, []);
});

test('a mark at the end of a channel includes later replies in threads, and never moves back', async () => {
  const line = { ids: ['a', 'c'], atStart: true, atEnd: true };
  for (const [latest, upTo] of [
    ['b', 'c'],
    ['d', 'd'],
  ] as const) {
    const { marking, sent, pass } = fake({ latest, line });
    marking.read(PLACE, 'c');
    await pass();
    assert.deepEqual(sent, [{ marks: [{ channelId: 'channel', messageId: upTo, unreadAt: 0 }] }]);
  }
  const { marking, sent, pass } = fake({ latest: 'd', line });
  marking.read(PLACE, 'b');
  await pass();
  assert.deepEqual(sent, [{ marks: [{ channelId: 'channel', messageId: 'b', unreadAt: 0 }] }]);
});

test('a rejected batch is sent again one mark at a time', async () => {
  const status = (marks: readonly Json[]) =>
    marks.some(({ channelId }) => channelId === 'gone') ? 404 : undefined;
  const { marking, sent, settled, pass } = fake({ status });
  for (const channelId of ['channel', 'gone']) marking.read({ ...PLACE, channelId }, 'message');
  await pass();
  const gone = { ...MARK, channelId: 'gone' };
  assert.deepEqual(sent, [{ marks: [MARK, gone] }, { marks: [MARK] }, { marks: [gone] }]);
  assert.deepEqual(settled, ['channel', 'gone']);
});

test('a mark is pending until the server has it', async () => {
  const { marking, sent, settled, pass } = fake();
  marking.read({ ...PLACE, threadId: 'thread' }, 'message');
  assert.equal(marking.untold('thread')?.messageId, 'message');
  marking.flush();
  assert.equal(marking.untold('thread')?.messageId, 'message', 'while it is sent');
  await pass();
  assert.deepEqual(sent, [{ marks: [{ threadId: 'thread', messageId: 'message', unreadAt: 0 }] }]);
  assert.deepEqual([marking.untold('thread'), settled], [undefined, ['thread']]);
  marking.read(PLACE, 'next');
  marking.stop();
  await pass();
  assert.equal(sent.length, 1);
});

test('a mark goes beyond the cached messages if replies in threads are unread, or if everything is read', async () => {
  const line = { ids: ['a', 'c'], atStart: true, atEnd: true };
  for (const [unread, messageId] of [
    [0, 'c'],
    [2, 'z'],
  ] as const) {
    const { marking, sent, pass } = fake({ row: { messageId: 'a', unreadAt: 0, unread }, line });
    marking.read(PLACE, 'c');
    await pass();
    assert.deepEqual(sent, [{ marks: [{ channelId: 'channel', messageId, unreadAt: 0 }] }]);
  }
  const { marking, sent } = fake();
  await marking.readAll('server', 'channel');
  await turn();
  assert.deepEqual(sent, [{ marks: [{ channelId: 'channel', messageId: 'z', unreadAt: 0 }] }], 'at once');
});

test('a mark moves at once and only forward, and marks of several channels share a request', async () => {
  const { marking, sent, moves, pass } = fake({ row: { messageId: 'b', unreadAt: 0 } });
  for (const id of ['a', 'b', 'd', 'c', 'd']) marking.read(PLACE, id);
  marking.read({ ...PLACE, channelId: 'other' }, 'e');
  assert.deepEqual(moves, [
    ['channel', 'd'],
    ['other', 'e'],
  ]);
  await pass();
  const mark = (channelId: string, messageId: string) => ({ channelId, messageId, unreadAt: 0 });
  assert.deepEqual(sent, [{ marks: [mark('channel', 'd'), mark('other', 'e')] }]);
  marking.attend(PLACE.channelId, () => true, 0)();
  marking.came({ ...PLACE, id: 'f', threadId: null } as Records['ShownMessage']);
  await pass();
  assert.equal(sent.length, 1, 'the channel is closed');
});
