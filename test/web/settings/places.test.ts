import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesFor, moved, type Placed } from '../../../web/features/channel/settings/places.ts';

const channels = (...positions: number[]): Placed[] =>
  positions.map((position, at) => ({ id: `c${at}`, position }));

/** The order after saving the changes, as the API lists channels: by position, then by id. */
function orderAfter(order: readonly Placed[]): string[] {
  const changes = new Map(changesFor(order).map(({ id, position }) => [id, position]));
  return order
    .map(({ id, position }) => ({ id, position: changes.get(id) ?? position }))
    .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1))
    .map(({ id }) => id);
}

test('an unchanged order changes no channel', () => {
  assert.deepEqual(changesFor(channels(0, 1, 2)), []);
  assert.deepEqual(changesFor(channels(5, 900, 4000)), []);
});

test('moving a channel changes only its position if there is a gap between its new neighbours', () => {
  const order = moved(channels(0, 1024, 2048, 3072), 3, 1);
  assert.deepEqual(changesFor(order), [{ id: 'c3', position: 512 }]);
  assert.deepEqual(changesFor(moved(channels(0, 1, 2), 0, 2)), [{ id: 'c0', position: 1026 }]);
});

test('any move results in the requested order', () => {
  const starts = [
    channels(0, 1, 2, 3, 4),
    channels(0, 0, 0, 0),
    channels(3, 3, 7, 7, 8),
    channels(0, 2147483647),
  ];
  for (const start of starts)
    for (const from of start.keys())
      for (const to of start.keys()) {
        const order = moved(start, from, to);
        assert.deepEqual(
          orderAfter(order),
          order.map(({ id }) => id),
        );
        for (const { position } of changesFor(order))
          assert.ok(
            Number.isInteger(position) && position >= 0 && position <= 2_147_483_647,
            String(position),
          );
      }
});
