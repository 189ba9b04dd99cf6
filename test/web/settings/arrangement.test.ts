import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arranged,
  besides,
  categoryAt,
  type Item,
  isChannel,
  movedItem,
  placeChanges,
} from '../../../web/features/channel/settings/arrangement.ts';

type Channel = Extract<Item, { kind: string }>;
type Category = Exclude<Item, Channel>;

const channel = (id: string, categoryId: string | null, position: number) =>
  ({ id, kind: 'channel', categoryId, position }) as Channel;
const category = (id: string, position: number) => ({ id, position }) as Category;

const channels = [
  channel('a', null, 10),
  channel('b', 'X', 20),
  channel('c', null, 30),
  channel('d', 'Y', 40),
];
const categories = [category('X', 0), category('Y', 1), category('Z', 2)];
const idsOf = (items: readonly Item[]) => items.map(({ id }) => id).join('');

/** The rows after moving one to the place of another, and the changes that are saved. */
function after(id: string, to: string) {
  const items = arranged(channels, categories);
  const indexOf = (one: string) => items.findIndex((item) => item.id === one);
  const next = movedItem(items, indexOf(id), indexOf(to));
  const into = new Map<string, string | null>();
  const moved = items[indexOf(id)] as Item;
  if (isChannel(moved)) into.set(id, categoryAt(next, next.indexOf(moved))?.id ?? null);
  const shown = arranged(channels, categories, { ids: next.map((item) => item.id), into });
  return { ids: idsOf(shown), ...placeChanges(shown, (one) => channels.find((each) => each.id === one)) };
}

test('channels without a category come first, including those with an unknown category', () => {
  assert.equal(idsOf(arranged(channels, categories)), 'acXbYdZ');
  assert.equal(idsOf(arranged([channel('e', 'gone', 9), ...channels], categories)), 'eacXbYdZ');
});

test('a channel moved past a category joins or leaves it', () => {
  assert.deepEqual(after('c', 'X'), {
    ids: 'aXcbYdZ',
    categories: [],
    channels: [
      { id: 'c', categoryId: 'X' },
      { id: 'b', position: 1054 },
    ],
  });
  assert.deepEqual(after('d', 'Z'), {
    ids: 'acXbYZd',
    categories: [],
    channels: [{ id: 'd', categoryId: 'Z' }],
  });
  assert.deepEqual(after('b', 'a').channels, [
    { id: 'b', categoryId: null },
    { id: 'a', position: 25 },
  ]);
});

test('a category moves with its channels, and stays below channels without a category', () => {
  assert.equal(after('Y', 'X').ids, 'acYdXbZ');
  assert.deepEqual(after('Y', 'X').channels, []);
  assert.equal(after('X', 'd').ids, 'acYdXbZ');
  assert.equal(after('Z', 'a').ids, 'acZXbYd');
});

test('a channel that appears while an order is unsaved stays in its category', () => {
  const into = new Map<string, string | null>([['a', 'Y']]);
  const wish = { ids: ['c', 'X', 'b', 'Y', 'd', 'a', 'Z'], into };
  const now = [...channels, channel('n', 'X', 9), channel('m', null, 9)];
  assert.equal(idsOf(arranged(now, categories, wish)), 'cmXbnYdaZ');
});

test('a row only moves among rows of its kind and section', () => {
  const items = arranged(channels, categories);
  const of = (id: string) => idsOf(besides(items, items.find((item) => item.id === id) as Item));
  assert.deepEqual([of('a'), of('b'), of('Y')], ['ac', 'b', 'XYZ']);
});
