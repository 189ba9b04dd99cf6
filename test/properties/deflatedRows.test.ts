import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { deflateRows, RowHead, rowHeads } from '../../server/src/lib/deflate/rows.ts';
import { seeded } from '../support/seeded.ts';

const END = { finishFlush: constants.Z_SYNC_FLUSH };

/** Compresses rows whose heads are the first column, and inflates them. */
const inflated = (columns: readonly (readonly string[])[], heads = rowHeads(columns[0] ?? [])): string => {
  const bytes = deflateRows(heads, columns.slice(1));
  return `,${inflateRawSync(bytes, END).toString('latin1')}`;
};

const textOf = (columns: readonly (readonly string[])[]): string =>
  (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]).join('')).join('');

test('compressed rows are inflated to the same text, whatever they contain', () => {
  const character = fc.constantFrom(...'0123456789abcdef-"{}:,nulltrue~ Z');
  const some = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''));
  const cell = fc.tuple(
    some,
    fc.constantFrom(0, 1, 2, 3, 5, 40, 255, 256, 257, 258, 259, 260, 261, 520, 1_400),
    some,
  );
  const value = cell.map(([before, length, after]) => before + 'x'.repeat(length) + after);
  // Few different values, so that rows repeat each other.
  // The first character of the first row is omitted.
  const columns = fc
    .tuple(fc.array(value, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 4 }))
    .chain(([values, width]) =>
      fc
        .array(fc.tuple(...Array.from({ length: width }, () => fc.constantFrom(...values))), {
          minLength: 1,
          maxLength: 30,
        })
        .map((rows) =>
          Array.from({ length: width }, (_, column) =>
            rows.map((row) => (column === 0 ? `,${row[column]}` : (row[column] as string))),
          ),
        ),
    );
  fc.assert(
    fc.property(columns, (some) => {
      assert.equal(inflated(some), textOf(some));
      // Some heads follow another one than usual.
      const heads = rowHeads(some[0] ?? []);
      const mixed = heads.map((head, row) => (row % 3 === 1 ? new RowHead(head.text) : head));
      assert.equal(inflated(some, mixed), textOf(some));
    }),
    { seed: seeded().below(1e9), numRuns: 400 },
  );
});

test('rows of ids that are otherwise the same take less than a tenth of their length', () => {
  const random = seeded();
  const digits = (amount: number) =>
    Array.from({ length: amount }, () => random.below(16).toString(16)).join('');
  const ids = Array.from(
    { length: 1_000 },
    () => `,{"channelId":"01a22827-6f78-7${digits(3)}-${digits(4)}-${digits(12)}`,
  );
  const columns = [
    ids,
    ids.map(() => '","messageId":"01a22827-6f8c-7003-b533-cb1a4e8b87b2","unreadAt":0'),
    ids.map(
      () => ',"unread":500,"mentions":0,"level":null,"mutedUntil":null,"favorite":false,"hidden":false}',
    ),
  ];
  const text = textOf(columns);
  assert.equal(inflated(columns), text);
  const bytes = deflateRows(rowHeads(ids), columns.slice(1));
  assert.ok(bytes.length < text.length / 10);
});
