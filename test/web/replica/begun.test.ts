import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Marks } from '../../../web/replica/marks.ts';

test('a row is newer than a read if an event changed it after the read began, or removed it', () => {
  const marks = new Marks();
  const first = marks.begin();
  marks.change('changed');
  marks.remove('removed');
  const second = marks.begin();
  marks.change('later');
  const newer = (begun: typeof first) =>
    ['changed', 'removed', 'later', 'other'].filter((key) => marks.isNewer(key, begun));
  assert.deepEqual(newer(first), ['changed', 'removed', 'later']);
  // An id is never used again, so a removed row stays removed for every read.
  assert.deepEqual(newer(second), ['removed', 'later']);
  marks.change('changed');
  assert.deepEqual(newer(second), ['changed', 'removed', 'later']);
});

test('changes are recorded only while a read is in flight, and dropped when the last one ends', () => {
  const marks = new Marks();
  let rested = 0;
  marks.rested = () => rested++;
  marks.change('before');
  marks.remove('before');
  assert.equal(marks.isReading, false);
  const [first, second] = [marks.begin(), marks.begin()];
  assert.deepEqual([marks.isReading, marks.isNewer('before', first)], [true, false]);
  marks.change('changed');
  marks.remove('removed');
  marks.end(second);
  assert.deepEqual([marks.isReading, rested, marks.isNewer('changed', first)], [true, 0, true]);
  marks.end(first);
  assert.deepEqual([marks.isReading, rested], [false, 1]);
  assert.deepEqual([marks.isNewer('changed', first), marks.isNewer('removed', first)], [false, false]);
});

test('a change at the same time as the begin of a read does not count as newer', () => {
  const marks = new Marks();
  const begun = marks.begin();
  marks.change('once');
  const next = marks.begin();
  assert.deepEqual([marks.isNewer('once', begun), marks.isNewer('once', next)], [true, false]);
});
