// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventIdOf, logTag, positionOfEventId, tagOfEventId } from '../../server/src/feed/eventId.ts';

const LOG = '0198c000-0000-7000-8000-0123456789ab';
const ANOTHER = '0198c000-0000-7000-8000-0123456789ac';

const position = fc.record({
  epoch: fc.stringMatching(/^[0-9a-f]{12}$/),
  seq: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
});

test('an id returns its position, in its own log only', () => {
  fc.assert(
    fc.property(position, (place) => {
      const id = eventIdOf(LOG, place);
      assert.match(id, /^[\w-]{27}$/);
      assert.deepEqual(positionOfEventId(LOG, id), { ...place });
      assert.equal(positionOfEventId(ANOTHER, id), undefined);
      assert.equal(tagOfEventId(id), logTag(LOG));
    }),
    { numRuns: 500 },
  );
});

test('the id of a position never changes, because clients store it', () => {
  const id = eventIdOf(LOG, { epoch: '0123456789ab', seq: 42 });
  assert.equal(id, 'ASNFZ4mrAAAAAAAqRWeJq4OluKk');
});

test('a text with any change to an id is not an id', () => {
  const id = eventIdOf(LOG, { epoch: '0123456789ab', seq: 42 });
  for (let place = 0; place < id.length; place++)
    for (const letter of ['A', 'f', '0', '_']) {
      const changed = id.slice(0, place) + letter + id.slice(place + 1);
      if (changed !== id) assert.equal(positionOfEventId(LOG, changed), undefined, changed);
    }
  const bytes = Buffer.from(id, 'base64url');
  for (const other of [
    '',
    'nonsense',
    id.slice(0, -1),
    `${id}A`,
    `${id}=`,
    ` ${id}`,
    Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url'),
    bytes.subarray(1).toString('base64url'),
    `${LOG} 42`,
  ]) {
    assert.equal(positionOfEventId(LOG, other), undefined, other);
    assert.equal(tagOfEventId(other), undefined, other);
  }
});
