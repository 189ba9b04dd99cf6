import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSame } from '../../../web/replica/same.ts';

const alike: [unknown, unknown][] = [
  [null, null],
  [Number.NaN, Number.NaN],
  [
    { a: 1, b: [{}] },
    { b: [{}], a: 1 },
  ],
];

const different: [unknown, unknown][] = [
  [null, {}],
  [null, []],
  [1, {}],
  ['', []],
  [undefined, null],
  [1, 2],
  ['a', 'b'],
  [{}, []],
  [{ a: 1 }, { a: 2 }],
  [{ a: undefined }, { b: undefined }],
  [{ a: 1 }, { a: 1, b: 2 }],
];

test('JSON values are equal if their types and contents are, regardless of the order of fields', () => {
  for (const [one, other] of alike) assert.equal(isSame(one, other), true, JSON.stringify([one, other]));
  for (const [one, other] of different) {
    assert.equal(isSame(one, other), false, JSON.stringify([one, other]));
    assert.equal(isSame(other, one), false, JSON.stringify([other, one]));
  }
});
