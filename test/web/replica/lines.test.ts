import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutTo, joined, touch, withId } from '../../../web/replica/line.ts';
import { Lines } from '../../../web/replica/lines.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Json } from '../../support/world.ts';

const CHANNEL = 'channel';

/** A replica with a channel, its lines, and messages by id, as windows and events deliver them. */
function channelWith() {
  const replica = new Replica(() => {});
  const lines = new Lines(
    replica,
    () => {},
    () => false,
  );
  replica.followers = {
    messagePut: (row) => lines.add(row),
    messageTaken: (row) => lines.remove(row),
    placeTaken: (id) => lines.drop(id),
  };
  const row = (id: string): Json => ({ id, channelId: CHANNEL, serverId: 'server', threadId: null });
  const event = (type: string, id: string): Json => ({ type, serverId: 'server', data: row(id) });
  const read = (ids: string[]) => {
    const begun = replica.marks.begin();
    replica.reading(begun, { message: ids.map(row) });
    replica.marks.end(begun);
  };
  return { replica, lines, event, read };
}

test('a message from an event is inserted in order if it is within the line', () => {
  const { replica, lines, event, read } = channelWith();
  read(['b', 'd']);
  lines.put(CHANNEL, { from: 'b', to: null }, true);
  replica.apply(event('message.created', 'e'));
  replica.apply(event('message.created', 'c'));
  replica.apply(event('message.created', 'a'));
  assert.deepEqual(lines.get(CHANNEL), { ids: ['b', 'c', 'd', 'e'], atStart: false, atEnd: true });
  replica.apply(event('message.deleted', 'd'));
  assert.deepEqual(lines.get(CHANNEL)?.ids, ['b', 'c', 'e']);
});

test('a window elsewhere in the channel is shown instead of the end of the line, which is kept until the two meet', () => {
  const { replica, lines, event, read } = channelWith();
  read(['m', 'n']);
  lines.put(CHANNEL, { from: 'm', to: null }, true);
  read(['c', 'd']);
  lines.put(CHANNEL, { from: 'c', to: 'd' }, true);
  assert.deepEqual(lines.get(CHANNEL), { ids: ['c', 'd'], atStart: false, atEnd: false });
  replica.apply(event('message.created', 'o'));
  assert.deepEqual(
    lines.get(CHANNEL)?.ids,
    ['c', 'd'],
    'a new message is not added to a window far from the end',
  );
  assert.ok(lines.show(CHANNEL));
  assert.deepEqual(
    lines.get(CHANNEL)?.ids,
    ['m', 'n', 'o'],
    'it was added to the end, which was kept separately',
  );
  lines.put(CHANNEL, { from: 'c', to: 'd' }, true);
  read(['g']);
  lines.put(CHANNEL, { from: 'd', to: 'm' }, false);
  assert.deepEqual(lines.get(CHANNEL), { ids: ['c', 'd', 'g', 'm', 'n', 'o'], atStart: false, atEnd: true });
});

test('an unchanged line stays the same object', () => {
  const { replica, lines, event, read } = channelWith();
  read(['b']);
  lines.put(CHANNEL, { from: 'b', to: null }, true);
  const line = lines.get(CHANNEL);
  lines.put(CHANNEL, { from: 'b', to: null }, true);
  assert.notEqual(line, undefined);
  replica.apply(event('message.updated', 'b'));
  assert.equal(lines.get(CHANNEL)?.ids.length, 1);
});

test('memory is bounded: messages in closed channels and those in no line are evicted first', () => {
  const { replica, lines, read } = channelWith();
  const ids = Array.from({ length: 7_000 }, (_, number) => `m${String(number).padStart(5, '0')}`);
  read(ids);
  lines.open(CHANNEL);
  lines.put(CHANNEL, { from: '', to: null }, true);
  const line = lines.get(CHANNEL);
  assert.equal(line?.ids.length, 1_500);
  assert.equal(line?.ids.at(-1), ids.at(-1), 'the end is kept');
  assert.equal(line?.atStart, false);
  lines.trim();
  assert.equal(replica.count('message'), 1_500);
});

test('messages in no line are kept while a read is pending, which may be older than an event', () => {
  const { replica, lines, read } = channelWith();
  read(Array.from({ length: 7_000 }, (_, number) => `m${String(number).padStart(5, '0')}`));
  lines.open(CHANNEL);
  lines.put(CHANNEL, { from: '', to: null }, true);
  const begun = replica.marks.begin();
  lines.trim();
  assert.equal(replica.count('message'), 7_000);
  replica.marks.end(begun);
  lines.trim();
  assert.equal(replica.count('message'), 1_500);
});

test('adjacent stretches merge without a gap', () => {
  const one = { from: 'a', to: 'c', ids: ['a', 'c'] };
  assert.ok(touch(one, { from: 'c', to: null, ids: [] }));
  assert.ok(!touch(one, { from: 'd', to: null, ids: [] }));
  assert.deepEqual(joined(one, { from: 'b', to: 'e', ids: ['b', 'c', 'e'] }), {
    from: 'a',
    to: 'e',
    ids: ['a', 'b', 'c', 'e'],
  });
  assert.equal(withId(one, 'd'), one);
  assert.deepEqual(cutTo({ from: '', to: null, ids: ['a', 'b', 'c', 'd'] }, 2, '~'), {
    from: 'c',
    to: null,
    ids: ['c', 'd'],
  });
});
