// @run sqlite: tests one function
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanName, isVisible, nameKey, nameProblem, storedName } from '../../server/src/lib/names.ts';
import { blank, hostileNames } from '../support/fields.ts';
import { seeded } from '../support/seeded.ts';

const ROUNDS = 10_000;
const MAX = 8;
const random = seeded();

/** Parts of valid and invalid names. */
const parts = [
  ...blank,
  ...hostileNames.map((name) => name.slice(0, 9)),
  ...[
    'Ada',
    'Zoe\u0308',
    'می\u200cخواهم',
    'क्\u200dष',
    '葛\u{e0100}',
    '👩\u200d👧',
    '🏳\ufe0f',
    '1\ufe0f\u20e3',
    'ﬁ',
  ],
  ...['🏴\u{e0067}\u{e0062}\u{e007f}', 'ß', 'ẞ', 'Σς', 'İı', '\ud800', '\u0345', '\ud7a3\u11a8', '\u00b5'],
];

function anyText(): string {
  let text = '';
  for (let count = 1 + random.below(5); count > 0; count--)
    text +=
      random.below(3) === 0
        ? String.fromCodePoint(random.below(0x110000)).toWellFormed()
        : [...random.pick(parts)].slice(random.below(3)).join('');
  return text;
}

test('a cleaned name is valid, does not change when cleaned again, and is empty rather than invisible', () => {
  for (let round = 0; round < ROUNDS; round++) {
    const text = anyText();
    const name = cleanName(text, MAX);
    const shown = JSON.stringify({ text, name });
    assert.equal(name !== '', name !== '' && isVisible(name), shown);
    if (name === '') continue;
    assert.equal(nameProblem(name, MAX), undefined, shown);
    assert.equal(cleanName(name, MAX), name, shown);
    assert.equal(storedName(name), name, shown);
    assert.doesNotMatch(name, /[\p{Cc}\p{Cs}\p{Co}\u202a-\u202e\u2066-\u2069\u200b\u00ad]/u, shown);
  }
});

test('cleaning a valid name only trims whitespace', () => {
  let valid = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const name = storedName(anyText());
    if (!name.isWellFormed() || nameProblem(name, 100)) continue;
    valid++;
    assert.equal(cleanName(name, 100), name.trim(), JSON.stringify(name));
  }
  assert.ok(valid > ROUNDS / 50, String(valid));
});

test('the comparison form does not change when derived again, and is the same for each form of a name', () => {
  for (let round = 0; round < ROUNDS; round++) {
    const text = anyText().toWellFormed();
    const key = nameKey(text);
    assert.equal(nameKey(key), key, JSON.stringify(text));
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
      assert.equal(nameKey(text.normalize(form)), key, JSON.stringify([form, text]));
  }
});

test('very long texts are processed quickly', () => {
  for (const text of ['a\u0301', '\u200d', '👩\u200d', '🏴\u{e0061}', '\u3164', 'a ', 'ب\u200c']) {
    const started = performance.now();
    const long = text.repeat(20_000);
    cleanName(long, 100);
    nameProblem(long, 100);
    nameKey(long);
    assert.ok(performance.now() - started < 2_000, text);
  }
});
