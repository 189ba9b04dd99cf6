// @run sqlite: reads files, without an engine
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, partsOf, valuesOf } from '../../server/src/imports/reading/json.ts';
import { ArchiveRefused } from '../../server/src/imports/row.ts';
import { seeded } from '../support/seeded.ts';

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** The values that a reader yields, which must not depend on the size of the chunks; `refused` if it throws. */
async function read<T>(
  reader: (bytes: AsyncIterable<Buffer>, name: string) => AsyncIterable<T>,
  text: string,
) {
  const found: unknown[] = [];
  for (const size of [1, 7, 100_000])
    found.push(
      await Array.fromAsync(reader(chunksOf(text, size), 'a.json')).catch((error) => {
        assert.ok(error instanceof ArchiveRefused, String(error.stack));
        return 'refused';
      }),
    );
  assert.deepEqual(found[1], found[0]);
  assert.deepEqual(found[2], found[0]);
  return found[0];
}

const part = (key: string | null, value: unknown) => ({ key, value });

test('a file is read in parts', async () => {
  const table: [string, unknown][] = [
    ['[]', []],
    [
      '\ufeff [1, "a,]", {"b": [1, {"c": "\\"}"}]}] \n',
      [part(null, 1), part(null, 'a,]'), part(null, { b: [1, { c: '"}' }] })],
    ],
    ['{}', []],
    [
      '{"a": 1, "m": [{"x": 1}, [2]], "none": [], "o": {"p": [1]}, "z": "q"}',
      [part('a', 1), part('m', { x: 1 }), part('m', [2]), part('o', { p: [1] }), part('z', 'q')],
    ],
    ['["\\\\", "\\\\\\""]', [part(null, '\\'), part(null, '\\"')]],
  ];
  for (const [text, parts] of table) assert.deepEqual(await read(partsOf, text), parts, text);
  for (const text of [
    '',
    'x',
    '"a"',
    '[1',
    '[1,,2]',
    '[1]2',
    '[1:2]',
    '{"a" 1}',
    '{"a":1]',
    '{"a":[1}',
    '{"a":{',
    '["a]',
    '[1}',
    ']',
  ])
    assert.equal(await read(partsOf, text), 'refused', text);
});

test('concatenated objects, and the elements of an array, are read as values', async () => {
  assert.deepEqual(await read(valuesOf, '{"a":1}{"b":"}"}\n\n{"c":[3]}\n'), [
    { a: 1 },
    { b: '}' },
    { c: [3] },
  ]);
  assert.deepEqual(await read(valuesOf, '[{"a":1}, {"b":2}]'), [{ a: 1 }, { b: 2 }]);
  assert.equal(await read(valuesOf, '{"a":1}{"b"'), 'refused');
});

test('lines are read as values', async () => {
  assert.deepEqual(await read(linesOf, '{"a":"\\n"}\r\n\n[1]\n"ä"'), [{ a: '\n' }, [1], 'ä']);
  assert.equal(await read(linesOf, '{"a":1}\n{"a"'), 'refused');
});

test('deep and huge values are rejected in bounded time', async () => {
  for (const reader of [partsOf, valuesOf, linesOf]) {
    assert.equal(await read(reader, `[${'['.repeat(5_000)}`), 'refused');
    assert.equal(await read(reader, `[${'{"a":'.repeat(5_000)}`), 'refused');
  }
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from('["');
    for (;;) yield Buffer.alloc(2 ** 20, 'x');
  }
  for (const reader of [partsOf, valuesOf, linesOf])
    await assert.rejects(Array.fromAsync(reader(endless(), 'a.json')), ArchiveRefused);
});

test('random values are parsed as by JSON.parse', async () => {
  const random = seeded();
  const texts = ['', '"', '\\', '{', ']},[', 'é', '\n', ': ,'];
  const pick = (most: number): number => random.below(most);
  const valueAt = (depth: number): unknown => {
    const kind = pick(depth > 3 ? 3 : 5);
    if (kind === 0) return pick(100) - 50.5;
    if (kind === 1) return Array.from({ length: pick(4) }, () => texts[pick(texts.length)]).join('');
    if (kind === 2) return [null, true, false][pick(3)];
    if (kind === 3) return Array.from({ length: pick(4) }, () => valueAt(depth + 1));
    return Object.fromEntries(
      Array.from({ length: pick(4) }, (_, index) => [`k${index}`, valueAt(depth + 1)]),
    );
  };
  for (let round = 0; round < 200; round++) {
    const values = Array.from({ length: pick(5) }, () => valueAt(0));
    const text = JSON.stringify(values, null, pick(3));
    assert.deepEqual(await read(valuesOf, text), values, text);
  }
});
