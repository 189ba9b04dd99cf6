// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Deltas } from '../../server/src/feed/deltas.ts';
import { Kept } from '../../server/src/feed/kept.ts';
import type { LoggedEvent, NewLiveEvent } from '../../server/src/feed/logged.ts';
import type { Relay } from '../../server/src/feed/valkeyRelay.ts';

// A node caches the latest events of a log, and the text of streaming messages.

const eventOf = (seq: number, more: Partial<LoggedEvent> = {}): LoggedEvent =>
  ({ seq, type: 'message.created', channelId: 'channel', json: '{}', ...more }) as LoggedEvent;
const about = (id: string, state = '1') => ({ subject: { id, state } });
const eventsFrom = (first: number, last: number, more: Partial<LoggedEvent> = {}) =>
  Array.from({ length: last - first + 1 }, (_, index) => eventOf(first + index, more));
/** The sequence numbers that `after` returns. */
const after = (kept: Kept, seq: number) => kept.after(seq)?.map((event) => event.seq);

test('cached events are returned from any position, but not beyond them', () => {
  const kept = new Kept();
  assert.equal(after(kept, 0), undefined);
  kept.add(eventsFrom(5, 6));
  kept.add(eventsFrom(7, 7));
  assert.deepEqual(
    [3, 4, 5, 6, 7, 8].map((seq) => after(kept, seq)),
    [undefined, [5, 6, 7], [6, 7], [7], [], undefined],
  );
  const before = kept.after(4);
  kept.add(eventsFrom(8, 8));
  assert.equal(before?.length, 3);
});

test('the latest 1,000 events are cached, and about four million characters', () => {
  const kept = new Kept();
  kept.add(eventsFrom(1, 1_000));
  assert.equal(after(kept, 0)?.length, 1_000);
  kept.add(eventsFrom(1_001, 1_002));
  assert.equal(after(kept, 1), undefined);
  assert.equal(after(kept, 2)?.length, 1_000);
  const json = 'x'.repeat(1024 * 1024);
  const large = new Kept();
  for (let seq = 1; seq <= 4; seq++) large.add([eventOf(seq, { json })]);
  assert.equal(after(large, 0)?.length, 4);
  large.add([eventOf(5, { json: 'x' })]);
  assert.deepEqual([after(large, 0), after(large, 1)], [undefined, [2, 3, 4, 5]]);
  large.add([eventOf(6, { json: json.slice(1) })]);
  assert.deepEqual(after(large, 1), [2, 3, 4, 5, 6]);
  large.add([eventOf(7, { json: json.repeat(5) })]);
  assert.deepEqual([after(large, 6), after(large, 7)], [undefined, undefined]);
  large.add(eventsFrom(8, 9));
  assert.deepEqual(after(large, 7), [8, 9]);
});

/**
 * Adds five events (the third is in another channel, the fourth is not about a message), and then the given
 * ones. Returns the numbers of the events that are cached afterwards.
 */
function cachedAfter(...more: Partial<LoggedEvent>[]): number[] | undefined {
  const kept = new Kept();
  kept.add(
    [1, 2, 3, 4, 5].map((seq) =>
      eventOf(seq, { ...(seq !== 4 && about(`${seq}`)), channelId: seq === 3 ? 'another' : 'channel' }),
    ),
  );
  kept.add(more.map((event, index) => eventOf(6 + index, event)));
  return [5, 4, 3, 2, 1, 0].map((seq) => after(kept, seq)).findLast((found) => found !== undefined);
}

test('events whose content has changed are no longer cached', () => {
  const edit = (id: string) => ({ type: 'message.updated', ...about(id, '2') });
  assert.deepEqual(cachedAfter({}), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(cachedAfter(edit('1')), [2, 3, 4, 5, 6]);
  assert.deepEqual(cachedAfter(edit('2')), [3, 4, 5, 6]);
  assert.deepEqual(cachedAfter(edit('2'), edit('1')), [3, 4, 5, 6, 7]);
  assert.deepEqual(cachedAfter(edit('5')), [6]);
  assert.deepEqual(cachedAfter({ type: 'message.updated', ...about('2') }), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(cachedAfter(about('2', '2')), [1, 2, 3, 4, 5, 6]);
  for (const type of ['channel.deleted', 'thread.deleted']) {
    assert.deepEqual(cachedAfter({ type, channelId: 'another' }), [4, 5, 6]);
    assert.deepEqual(cachedAfter({ type, channelId: 'another' }, edit('2')), [4, 5, 6, 7]);
  }
  assert.deepEqual(cachedAfter({ type: 'pin.created', channelId: 'another' }), [1, 2, 3, 4, 5, 6]);
});

test('new settings of a server invalidate cached earlier versions', () => {
  const earlier = { json: '', creatorId: '', readers: 'all' } as never;
  for (const type of ['server.updated', 'message.created']) {
    const kept = new Kept();
    kept.add([eventOf(1, about('1')), eventOf(2, { ...about('2'), earlier }), eventOf(3, about('3'))]);
    kept.add([eventOf(4, { type })]);
    assert.deepEqual(after(kept, 2), [3, 4]);
    assert.deepEqual(after(kept, 1), type === 'server.updated' ? undefined : [2, 3, 4]);
  }
});

test('dropped events no longer count toward the limits', () => {
  const kept = new Kept();
  const json = 'x'.repeat(1024 * 1024);
  kept.add(['1', '2', '3'].map((id, index) => eventOf(index + 1, { ...about(id), json })));
  kept.add([eventOf(4, { type: 'message.deleted', ...about('1', ''), json })]);
  kept.add([eventOf(5, { json })]);
  assert.deepEqual(after(kept, 1), [2, 3, 4, 5]);
  kept.add([eventOf(6)]);
  assert.deepEqual([after(kept, 1), after(kept, 2)], [undefined, [3, 4, 5, 6]]);
});

/** The text of streaming messages on one node, whose clock the test sets. */
function stage(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const time = { now: 1_000_000, reads: 0 };
  const told: string[] = [];
  const sent: object[] = [];
  const deltas = new Deltas(
    () => {
      time.reads++;
      return time.now;
    },
    { onNewsOf() {}, tellOf: (_, news) => void sent.push(news) } as Partial<Relay> as Relay,
    ({ type, data }) => void told.push(`${type} ${(data as { text: string }).text}`),
  );
  const append = (offset: number, text: string, messageId = 'message') =>
    deltas.tell({ data: { messageId, offset, text } } as unknown as Omit<NewLiveEvent, 'type'> & {
      data: never;
    });
  const wait = (ms: number) => {
    time.now += ms;
    t.mock.timers.tick(ms);
  };
  return { deltas, time, told, sent, append, wait };
}

test('appended text continues the committed text', (t) => {
  const { deltas, told, sent, append } = stage(t);
  assert.equal(deltas.continued('message', 'Ah'), 'Ah');
  append(2, 'oy');
  append(4, '!');
  assert.deepEqual(told, ['messageDelta.appended oy', 'messageDelta.appended !']);
  assert.deepEqual(sent[1], {
    type: 'messageDelta.appended',
    data: { messageId: 'message', offset: 4, text: '!' },
  });
  const texts = ['Ah', 'Aho', 'Ahoy!', 'Ahoy! You', 'A', 'Ahx', 'AhoyX'];
  assert.deepEqual(
    texts.map((committed) => deltas.continued('message', committed)),
    ['Ahoy!', 'Ahoy!', 'Ahoy!', 'Ahoy! You', 'A', 'Ahx', 'AhoyX'],
  );
  append(3, 'e');
  assert.equal(deltas.continued('message', 'Ah'), 'Ahoe');
  append(2, 'a');
  assert.equal(deltas.continued('message', 'Ah'), 'Aha');
  append(4, 'late');
  assert.deepEqual(
    [deltas.continued('message', 'Ah'), deltas.continued('message', 'Ahoy')],
    ['Ah', 'Ahoylate'],
  );
  append(3, 'b');
  assert.deepEqual(
    [deltas.continued('message', 'Aho'), deltas.continued('message', 'Ahoy')],
    ['Ahob', 'Ahoy'],
  );
  deltas.forget('message');
  assert.equal(deltas.continued('message', 'Aho'), 'Aho');
  deltas.close();
});

test('cached text expires 90 seconds after its latest part', (t) => {
  const { deltas, time, append, wait } = stage(t);
  assert.equal(deltas.silenceOf('message'), Number.POSITIVE_INFINITY);
  append(0, 'a');
  append(0, 'b', 'another');
  wait(10_000);
  append(1, 'a');
  wait(70_000);
  assert.deepEqual([deltas.silenceOf('message'), deltas.silenceOf('another')], [70_000, 80_000]);
  wait(10_000);
  assert.deepEqual([deltas.continued('message', ''), deltas.continued('another', '')], ['aa', '']);
  wait(10_000);
  assert.equal(deltas.continued('message', ''), '');
  append(0, 'again');
  wait(80_000);
  assert.equal(deltas.continued('message', ''), 'again');
  wait(10_000);
  assert.equal(deltas.continued('message', ''), '');
  time.reads = 0;
  wait(100_000);
  assert.equal(time.reads, 0, 'an empty cache needs no timer');
  append(0, 'again');
  deltas.close();
  wait(90_000);
  assert.equal(deltas.continued('message', ''), 'again');
});

test('the text of the latest 2,000 streams is cached', (t) => {
  const { deltas, append } = stage(t);
  for (let stream = 0; stream < 2_000; stream++) append(0, 'a', `${stream}`);
  append(1, 'a', '0');
  assert.equal(deltas.continued('1', ''), 'a');
  append(0, 'a', 'further');
  assert.deepEqual(
    ['0', '1', '2', 'further'].map((id) => deltas.continued(id, '')),
    ['aa', '', 'a', 'a'],
  );
  deltas.close();
});
