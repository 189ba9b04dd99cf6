import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePattern, WordRules } from '../../server/src/lib/text/wordRules.ts';
import { seeded } from '../support/seeded.ts';

const found = (patterns: readonly string[], text: string): string[] =>
  new WordRules(patterns.map((pattern) => ({ pattern }))).in(text).map(({ pattern }) => pattern);

test('a pattern matches whole words, folded in every script, regardless of formatting', () => {
  for (const [pattern, text] of [
    ['bad', 'This is BAD.'],
    ['bad', 'b**a**d'],
    ['bad', 'ｂａｄ'],
    ['bad word', 'a bad,\nword'],
    ['über', 'UBER alles'],
    ['плохо', 'Плохо!'],
    ['東京', 'これは東京です'],
    ['bad*', 'badly'],
    ['bad*', 'bad'],
    ['*bad', 'not-sobad'],
    ['*bad*', 'embaddened'],
    ['b*d', 'bold'],
    ['b*d*y', 'bloodthirsty'],
    ['example*', 'see [this](https://example.com/x)'],
    ['one two*', 'one twofold'],
    ['1488', '1488. hello'],
    ['1488 hello', '1488. hello'],
  ] as const)
    assert.deepEqual(found([pattern], text), [pattern], `${pattern} in ${text}`);
  for (const [pattern, text] of [
    ['bad', 'badly'],
    ['bad', 'embad'],
    ['bad word', 'bad words'],
    ['b*d', 'big red'],
    ['b*d', 'bid-'.replace('d', 't')],
    ['*bad', 'badly'],
    ['плохо', 'неплохо'],
  ] as const)
    assert.deepEqual(found([pattern], text), [], `${pattern} in ${text}`);
});

test('a pattern needs a letter or digit, and its asterisks belong to words', () => {
  for (const pattern of ['*', '**', '!?', ' ', 'bad *', '* bad', 'bad * word'])
    assert.equal(parsePattern(pattern), undefined, pattern);
  assert.deepEqual(parsePattern('  Bad**Word* '), {
    pieces: ['bad', 'word'],
    isOpenStart: false,
    isOpenEnd: true,
  });
});

/** The expected result, from a regular expression for words of Latin letters. */
const expected = (pattern: string, text: string): boolean =>
  new RegExp(`(^|[^a-z])${pattern.replaceAll('*', '[a-z]*')}($|[^a-z])`).test(text);

test('many patterns at once find the same matches as each pattern alone', () => {
  const random = seeded();
  const letters = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random.next() * alphabet.length)]).join('');
  for (let time = 0; time < 300; time++) {
    const patterns = Array.from({ length: 30 }, () => letters('aab*', 1 + Math.floor(random.next() * 7)));
    const valid = [...new Set(patterns.filter((pattern) => parsePattern(pattern)))];
    const text = letters('aab ', 60);
    assert.deepEqual(
      found(valid, text),
      valid.filter((pattern) => expected(pattern, text)),
      `${valid} in ${text}`,
    );
  }
});

test('the longest rules take no more time for adversarial text than for other text', () => {
  const patterns = Array.from({ length: 20 }, (_, at) => `${'a*'.repeat(49)}${at % 10}`);
  const rules = new WordRules(patterns.map((pattern) => ({ pattern })));
  const least = (text: string): number =>
    Math.min(
      ...Array.from({ length: 10 }, () => {
        const from = process.cpuUsage();
        rules.in(text);
        const { user, system } = process.cpuUsage(from);
        return user + system;
      }),
    );
  least('warm');
  const other = least('b'.repeat(8_000));
  const made = least('a'.repeat(8_000));
  assert.ok(made < 4 * other, `${made} µs instead of ${other} µs`);
});
