// @run sqlite: tests functions
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formOf, rowsOf } from '../../web/features/attachment/textual.ts';
import { position } from '../../web/strings/format.ts';

test('text files are recognized by their names', () => {
  assert.deepEqual(formOf('Numbers.CSV'), { separator: ',' });
  assert.deepEqual(formOf('a.tsv'), { separator: '\t' });
  assert.deepEqual(formOf('main.py'), { language: 'py' });
  assert.deepEqual(formOf('notes.txt'), { language: '' });
  for (const name of ['photo.png', 'txt', '.csv.zip', 'a.constructor', 'a.__proto__', 'readme', ''])
    assert.equal(formOf(name), undefined, name);
});

test('tables are parsed according to RFC 4180, within limits', () => {
  assert.deepEqual(rowsOf('a,b\r\n"1,5","say ""hi""\nthere"\n,\n\nlast,', ','), [
    ['a', 'b'],
    ['1,5', 'say "hi"\nthere'],
    ['', ''],
    ['last', ''],
  ]);
  assert.deepEqual(rowsOf('a;b\n1,5;2', ','), [
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  assert.deepEqual(rowsOf('', ','), []);
  // Carriage returns without line feeds also end rows.
  const rows = [
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
  ];
  assert.deepEqual(rowsOf('a,b\rc,d\re,f\r', ','), rows);
  assert.deepEqual(rowsOf('a,b\nc,d\re,f', ','), rows);
  // A quote that is never closed, and one in the wrong place.
  assert.deepEqual(rowsOf('"open\nend', ',').length <= 2, true);
  assert.deepEqual(rowsOf('a,b"c\n1,2', ',').at(-1), ['1', '2']);
  const wide = rowsOf(`${'x,'.repeat(1000)}\n`.repeat(1000), ',');
  assert.deepEqual([wide.length, wide[0]?.length], [50, 20]);
  const began = performance.now();
  for (const hostile of ['"', '",', '"a"b', 'a"', '"\n'])
    rowsOf(hostile.repeat(32_768 / hostile.length), ',');
  assert.ok(performance.now() - began < 500);
});

test('positions in audio are minutes and seconds, and hours if needed', () => {
  assert.deepEqual([0, 5.9, 65, 3600, 3905].map(position), ['0:00', '0:05', '1:05', '1:00:00', '1:05:05']);
});
