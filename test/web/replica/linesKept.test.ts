import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutTo, joined, type Stretch } from '../../../web/replica/line.ts';
import { Lines } from '../../../web/replica/lines.ts';
import { Replica } from '../../../web/replica/replica.ts';

const idsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(5, '0')}`);

/** A replica with lines, which `fill` fills with messages in channels and threads. */
function stage(isShown: (key: string) => boolean = () => false) {
  const [changes, lost]: [string[], string[]] = [[], []];
  const replica = new Replica(() => {});
  const lines = new Lines(replica, (key) => void changes.push(key), isShown);
  lines.lost = (id) => void lost.push(id);
  replica.followers = {
    messagePut: (row) => lines.add(row),
    messageTaken: (row) => lines.remove(row),
    placeTaken: (id) => lines.drop(id),
  };
  const fill = (channelId: string, ids: readonly string[], threadId: string | null = null) => {
    const begun = replica.marks.begin();
    replica.reading(begun, {
      message: ids.map((id) => ({ id, channelId, threadId, serverId: 'server' }) as never),
    });
    replica.marks.end(begun);
  };
  /** Fills a channel and shows all of it. */
  const show = (channelId: string, count: number, window = { from: '', to: null }) => {
    fill(channelId, idsOf(channelId, count));
    lines.put(channelId, window, true);
  };
  const event = (type: string, id: string, channelId: string, threadId: string | null = null) =>
    replica.apply({
      type,
      serverId: 'server',
      data: { id, channelId, threadId, serverId: 'server' },
    } as never);
  return { replica, lines, changes, lost, fill, show, event };
}

test('a channel with up to 2,000 messages is kept whole, and a longer one is cut to 1,500', () => {
  const { lines, show, changes, event } = stage();
  show('a', 2_000);
  assert.equal(lines.get('a')?.ids.length, 2_000);
  assert.deepEqual(changes.splice(0), ['line:a']);
  event('message.created', 'a99999', 'a');
  assert.deepEqual([lines.get('a')?.ids.length, lines.get('a')?.ids.at(-1)], [1_500, 'a99999']);
});

test('the messages around the one that the person looks at are kept', () => {
  const { lines, show, fill } = stage();
  show('a', 2_000, { from: 'a00000', to: null } as never);
  const first = lines.get('a')?.ids[0];
  lines.look('a', first);
  lines.look('unknown', first);
  fill('a', ['Z']);
  lines.put('a', { from: 'Z', to: 'a00000' }, false);
  const line = lines.get('a');
  assert.deepEqual([line?.ids[0], line?.ids.length, line?.atEnd], ['Z', 1_500, false]);
});

test('closed channels are evicted first, the least recently used of them first', () => {
  const { lines, show, replica, changes } = stage();
  lines.open('a');
  for (const id of ['a', 'b', 'c', 'd']) show(id, 1_400);
  lines.show('b');
  changes.length = 0;
  lines.open('e');
  lines.close('e');
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => lines.get(id) !== undefined),
    [true, true, false, true],
  );
  assert.deepEqual([replica.count('message'), changes], [4_200, ['line:c']]);
});

test('up to 5,000 messages stay cached, and events make room only when there are 500 more', () => {
  const { lines, show, fill, replica, event } = stage();
  for (const id of ['a', 'b', 'c']) show(id, 1_000);
  fill('loose', idsOf('l', 2_000));
  lines.trim();
  assert.equal(replica.count('message'), 5_000);
  fill('loose', idsOf('m', 499));
  event('message.created', 'a99999', 'a');
  assert.equal(replica.count('message'), 5_500);
  event('message.created', 'b99999', 'b');
  assert.equal(replica.count('message'), 3_002, 'those in lines');
  assert.ok(lines.get('a') && lines.get('b') && lines.get('c'));
});

test('a closed channel is evicted until 4,500 messages are left', () => {
  for (const [count, left] of [
    [1_500, 3],
    [1_501, 2],
  ] as const) {
    const { lines, show, fill } = stage();
    for (const id of ['a', 'b', 'c']) show(id, id === 'c' ? count : 1_500);
    fill('loose', idsOf('l', 600));
    lines.trim();
    assert.equal(['a', 'b', 'c'].filter((id) => lines.get(id)).length, left);
  }
});

test('a message in no line stays while a component shows it', () => {
  const { lines, fill, replica } = stage((key) => key === 'message:l00007');
  fill('loose', idsOf('l', 5_001));
  lines.trim();
  assert.deepEqual(
    replica.all('message').map(({ id }) => id),
    ['l00007'],
  );
});

test('the kept end of a channel is not evicted while another window is shown', () => {
  const { lines, fill, replica } = stage();
  fill('a', ['a1', 'a2', 'a8', 'a9']);
  lines.put('a', { from: 'a8', to: null }, true);
  lines.put('a', { from: 'a1', to: 'a2' }, true);
  fill('loose', idsOf('l', 5_000));
  lines.trim();
  assert.equal(replica.count('message'), 4);
  assert.deepEqual(
    [lines.isAt('a', 'a9'), lines.isAt('a', 'a1'), lines.isAt('a', 'a5')],
    [true, true, false],
  );
  assert.deepEqual(
    [lines.isAt('unknown', 'a1'), lines.show('unknown'), lines.show('a', 'a5')],
    [false, false, false],
  );
  assert.deepEqual(lines.get('a')?.ids, ['a1', 'a2']);
});

test('the messages of an open channel that were dropped are requested again, those of a closed one are not', () => {
  const { lines, show, lost, changes } = stage();
  lines.open('a');
  for (const id of ['a', 'b']) show(id, 2);
  changes.length = 0;
  for (const id of ['a', 'b', 'unknown', 'a']) lines.drop(id);
  assert.deepEqual([lost, changes, lines.get('a')], [['a'], ['line:a', 'line:b'], undefined]);
  assert.deepEqual([lines.openPlaces, lines.isOpen('a'), lines.isOpen('b')], [['a'], true, false]);
});

test('a thread and its channel show their own messages only', () => {
  const { lines, fill, event } = stage();
  fill('channel', ['m1', 'm3']);
  fill('channel', ['m2'], 'thread');
  for (const id of ['channel', 'thread']) lines.put(id, { from: '', to: null }, true);
  event('message.created', 'm4', 'channel', 'thread');
  event('message.created', 'm5', 'elsewhere');
  assert.deepEqual(
    [lines.get('channel')?.ids, lines.get('thread')?.ids],
    [
      ['m1', 'm3'],
      ['m2', 'm4'],
    ],
  );
});

test('a line stays the same object, and nobody is told, until it changes', () => {
  const { lines, fill, event, changes } = stage();
  fill('a', ['a3', 'a4']);
  lines.put('a', { from: 'a3', to: 'a4' }, true);
  const line = lines.get('a');
  changes.length = 0;
  event('message.created', 'a9', 'a');
  event('message.deleted', 'a9', 'a');
  lines.show('a', 'a3');
  assert.equal(lines.get('a'), line);
  assert.deepEqual(changes, []);
  lines.put('a', { from: 'a4', to: null }, false);
  assert.deepEqual([lines.get('a'), changes.length], [{ ids: ['a3', 'a4'], atStart: false, atEnd: true }, 1]);
  lines.put('a', { from: '', to: 'a3' }, false);
  assert.deepEqual([lines.get('a'), changes.length], [{ ids: ['a3', 'a4'], atStart: true, atEnd: true }, 2]);
});

test('cut stretches reach exactly to their first and last message', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const whole: Stretch = { ids, from: '', to: null };
  assert.equal(cutTo(whole, 8, 'a'), whole);
  assert.deepEqual(cutTo(whole, 4, 'd'), { ids: ['b', 'c', 'd', 'e'], from: 'b', to: 'e' });
  assert.deepEqual(cutTo(whole, 4, 'a'), { ids: ['a', 'b', 'c', 'd'], from: '', to: 'd' });
  assert.deepEqual(cutTo(whole, 4, 'h'), { ids: ['e', 'f', 'g', 'h'], from: 'e', to: null });
});

test('two stretches that touch reach to the end if either does', () => {
  const one: Stretch = { ids: ['a'], from: 'a', to: 'c' };
  const other: Stretch = { ids: ['b'], from: 'b', to: null };
  const both = { ids: ['a', 'b'], from: 'a', to: null };
  assert.deepEqual([joined(one, other), joined(other, one)], [both, both]);
});
