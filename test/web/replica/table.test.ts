import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Table } from '../../../web/replica/table.ts';

interface Row {
  id: string;
  place: string | null;
  position: number;
}

const row = (id: string, place: string | null, position = 0): Row => ({ id, place, position });

function made(rows: readonly Row[]) {
  const changed: string[] = [];
  const table = new Table<Row>(
    { place: { of: ({ place }) => place, order: (one, other) => one.position - other.position } },
    (key) => changed.push(key),
  );
  for (const each of rows) table.put(each);
  changed.length = 0;
  const idsIn = (place: string) => table.list('place', place).map(({ id }) => id);
  return { table, changed, idsIn };
}

test('a list has the rows of its value in order, even after rows were moved, reordered and deleted', () => {
  const { table, idsIn } = made([row('a', 'x', 2), row('b', 'x', 1), row('c', 'x', 1), row('d', 'y')]);
  assert.deepEqual(idsIn('x'), ['b', 'c', 'a']);
  table.delete('a');
  assert.deepEqual(idsIn('x'), ['b', 'c']);
  table.put(row('b', 'y', 5));
  assert.deepEqual([idsIn('x'), idsIn('y')], [['c'], ['d', 'b']]);
  table.put(row('b', 'y', -1));
  assert.deepEqual(idsIn('y'), ['b', 'd']);
  table.put(row('d', null));
  assert.deepEqual(idsIn('y'), ['b']);
  table.delete('c');
  assert.deepEqual([idsIn('x'), table.ids('place', 'x')], [[], []]);
  assert.equal(table.size, 2);
});

test('a list stays the same object until one of its rows changes', () => {
  const { table, changed } = made([row('a', 'x'), row('b', 'x'), row('c', 'y')]);
  const list = table.list('place', 'x');
  table.put(row('a', 'x'));
  table.put(row('c', 'y', 1));
  assert.deepEqual(changed, ['@place=y', ':c']);
  assert.equal(table.list('place', 'x'), list);
  table.put(row('a', 'x', 1));
  assert.notEqual(table.list('place', 'x'), list);
  changed.length = 0;
  table.delete('b');
  assert.deepEqual(changed, ['@place=x', ':b']);
  assert.equal(table.delete('b'), undefined);
});
