import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counts, type Spot, type Untold } from '../../../web/replica/counts.ts';
import { Marks } from '../../../web/replica/marks.ts';
import type { Replica } from '../../../web/replica/replica.ts';
import type { ChannelReading } from '../../../web/replica/types.ts';

const SPOT: Spot = { serverId: 'server', channelId: 'channel', threadId: null };
/** The responses include all events up to 5, and none after 10. */
const COUNTED = { countedFrom: 5, countedTo: 10 };

const rowOf = (given: Partial<ChannelReading> = {}): ChannelReading => ({
  ...{ channelId: 'channel', messageId: 'm2', unreadAt: 0, unread: 3, mentions: 1 },
  ...{ level: null, mutedUntil: null, favorite: false, hidden: false },
  ...given,
});

function stage(untold?: Untold) {
  const marks = new Marks();
  const doubts: Spot[] = [];
  const changes: Spot[] = [];
  const counts = new Counts({
    replica: { marks } as Replica,
    changed: (spot) => changes.push(spot),
    doubt: (spot) => doubts.push(spot),
    untold: () => untold,
  });
  /** Applies a response; `meanwhile` runs between its request and the response. */
  const read = (row = rowOf(), meanwhile = () => {}) => {
    const begun = marks.begin();
    meanwhile();
    counts.answer(begun, SPOT, row, COUNTED);
    marks.end(begun);
  };
  /** Applies the event of a message and that of a mention. */
  const told = (seq: number, { messageId = 'm3' } = {}) => {
    counts.told('channel', { seq, messageId, unread: 1 });
    counts.told('channel', { seq, messageId, mentions: 1 });
  };
  /** The unread messages, the mentions, and the number of requested recounts. */
  const shown = (): [number, number, number] => {
    const { unread, mentions } = (counts.get('channel') ?? assert.fail('no counts')).row as ChannelReading;
    return [unread, mentions, doubts.length];
  };
  return { counts, changes, read, told, shown };
}

test('an event counts if the response excludes it, and requests a recount if that is uncertain', () => {
  for (const [seq, expected] of [
    [5, [3, 1, false]],
    [6, [3, 1, true]],
    [10, [3, 1, true]],
    [11, [4, 2, false]],
  ] as const) {
    const [during, later] = [stage(), stage()];
    during.read(rowOf(), () => during.told(seq));
    later.read();
    later.told(seq);
    for (const { shown } of [during, later]) {
      const [unread, mentions, doubts] = shown();
      assert.deepEqual([unread, mentions, doubts > 0], expected, `event ${seq}`);
    }
  }
});

test('a message at or before the marker does not count', () => {
  for (const messageId of ['m1', 'm2']) {
    const { read, told, shown } = stage();
    read(rowOf(), () => told(11, { messageId }));
    told(12, { messageId });
    assert.deepEqual(shown(), [3, 1, 0], messageId);
  }
});

test('counts stay between 0 and 1,000, and a deletion below a count of 1,000 requests a recount', () => {
  const full = rowOf({ unread: 1_000, mentions: 1_000 });
  for (const [row, change, expected] of [
    [full, { unread: 1 }, [1_000, 1_000, 0]],
    [full, { mentions: 1 }, [1_000, 1_000, 0]],
    [full, { unread: -1 }, [1_000, 1_000, 1]],
    [rowOf({ unread: 999 }), { unread: -1 }, [998, 1, 0]],
    [rowOf({ unread: 0 }), { unread: -1 }, [0, 1, 0]],
  ] as const) {
    const [during, later] = [stage(), stage()];
    const apply = ({ counts }: typeof later) =>
      counts.told('channel', { seq: 11, messageId: 'm3', ...change });
    later.read(row);
    apply(later);
    assert.deepEqual(later.shown(), expected, JSON.stringify([row.unread, change]));
    during.read(row, () => apply(during));
    assert.equal(during.shown().at(-1), expected.at(-1), `${JSON.stringify(change)}, during the read`);
  }
});

test('an event that arrived during a read does not count again in the next response', () => {
  const { read, told, shown } = stage();
  read(rowOf(), () => told(11));
  read();
  assert.deepEqual(shown(), [3, 1, 0]);
});

test('a response that may be older than a change requests a recount and is not applied', () => {
  const { counts, read, shown } = stage();
  read();
  read(rowOf({ unread: 9 }), () => counts.set('channel', rowOf({ unread: 2 })));
  assert.deepEqual(shown(), [2, 1, 1]);
  read(rowOf({ unread: 9 }), () => counts.hold('channel'));
  assert.deepEqual(shown(), [2, 1, 2]);
  read(rowOf({ unread: 9 }), () => read(rowOf({ unread: 4 })));
  assert.deepEqual(shown(), [4, 1, 3], 'another response');
  const first = stage();
  first.read(rowOf(), () => first.counts.hold('channel'));
  assert.deepEqual(first.shown(), [3, 1, 1], 'without counts, any response is applied');
});

test("a response keeps the user's marker that the server does not have yet, and its counts", () => {
  const level = 'nothing';
  for (const [messageId, unreadAt, unread] of [
    ['m3', 5, 3],
    ['m4', 5, 9],
    ['m3', 6, 9],
  ] as const) {
    const { counts, read } = stage({ messageId: 'm4', unreadAt: 5 });
    read(rowOf({ messageId: 'm4' }));
    read(rowOf({ messageId, unreadAt, unread: 9, level }));
    const row = counts.get('channel')?.row as ChannelReading;
    assert.deepEqual([row.unread, row.level], [unread, level], JSON.stringify([messageId, unreadAt]));
  }
});

test('each change is announced, and places without counts are ignored', () => {
  const { counts, changes, read } = stage();
  counts.set('channel', rowOf());
  counts.delete('channel');
  assert.deepEqual([counts.get('channel'), changes, counts.in('server')], [undefined, [], []]);
  for (const change of [
    () => read(),
    () => counts.told('channel', { seq: 11, messageId: 'm3', unread: 1 }),
    () => counts.set('channel', rowOf()),
    () => counts.delete('channel'),
  ]) {
    change();
    assert.deepEqual(changes.splice(0), [SPOT]);
  }
  assert.equal(counts.get('channel'), undefined);
  read();
  assert.deepEqual([counts.in('server'), counts.in('other')], [[SPOT], []]);
});
