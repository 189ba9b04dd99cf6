import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keysOf, lookupsOf, matcherOf, parseSearch, spaced } from '../../../server/src/lib/text/find.ts';
import { fold } from '../../../server/src/lib/text/fold.ts';
import { excerptOf } from '../../../web/features/search/excerpt.ts';
import { scripts } from '../../support/scripts.ts';
import { Random } from '../../support/seeded.ts';

/** Whether text matches a search, and whether an index of its keys returns it. */
function isFound(text: string, search: string): { matches: boolean; isIndexed: boolean } {
  const terms = parseSearch(search);
  if (!terms) return { matches: false, isIndexed: false };
  const keys = [...keysOf(text)];
  const isIndexed = lookupsOf(terms).every(({ key, isBeginning }) =>
    keys.some((one) => (isBeginning ? one.startsWith(key) : one === key)),
  );
  return { matches: matcherOf(terms)(text), isIndexed };
}

const marked = (text: string, search: string): string =>
  excerptOf(text, search)
    .map((piece) => (piece.isFound ? `[${piece.text}]` : piece.text))
    .join('');

describe('a search in any script', () => {
  for (const { script, text, hits, misses } of scripts) {
    test(script, () => {
      for (const hit of hits) {
        assert.deepEqual(isFound(text, hit), { matches: true, isIndexed: true }, `${hit} in ${text}`);
        assert.match(marked(text, hit), /\[/, `${hit} is highlighted in ${text}`);
      }
      for (const miss of misses) {
        assert.equal(isFound(text, miss).matches, false, `${miss} in ${text}`);
        // A search for several words also highlights the words that it found.
        if (spaced(miss).trim() !== '' && !/\s/.test(miss.trim()))
          assert.doesNotMatch(marked(text, miss), /\[/, `${miss} in ${text}`);
      }
    });
  }

  test('marks only the match in scripts without spaces, and the whole word in others', () => {
    assert.equal(marked('我家在上海东边。', '上海'), '我家在[上海]东边。');
    assert.equal(marked('iPhone手机 and İstanbul', 'iph 手机 ist'), '[iPhone][手机] and [İstanbul]');
    assert.equal(marked('مُحَمَّد هنا', 'محمد'), '[مُحَمَّد] هنا');
    assert.equal(marked('de Groﬀe Straße', 'stra groff'), 'de [Groﬀe] [Straße]');
    assert.equal(marked('さｶﾞい', 'ガ'), 'さ[ｶﾞ]い');
    assert.equal(marked('\u200bplan', 'plan'), '[plan]'.replace('[', '\u200b['));
  });
});

/** Unicode blocks of letters and marks, from which random texts are drawn. */
const ranges = [
  [0x20, 0x7f],
  [0xa0, 0x24f],
  [0x250, 0x2af],
  [0x300, 0x370],
  [0x370, 0x530],
  [0x590, 0x700],
  [0x900, 0x1100],
  [0x1100, 0x1200],
  [0x1e00, 0x2010],
  [0x200b, 0x2010],
  [0x3040, 0x3100],
  [0x4e00, 0x4e40],
  [0xac00, 0xac40],
  [0xfb00, 0xfe10],
  [0xff00, 0xfff0],
  [0x1f600, 0x1f610],
  [0x20000, 0x20010],
] as const;

describe('the folding', () => {
  test('is idempotent and ignores case for each character', () => {
    const wrong: string[] = [];
    for (let code = 0; code < 0x1_20_00; code++) {
      // Tests only a sample of Chinese characters and Korean syllables, which are all alike.
      if (code >= 0x34_80 && code <= 0xf0_00 && code % 97 > 0 && (code < 0xa0_00 || code > 0xac_00)) continue;
      if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
      const character = String.fromCodePoint(code);
      const folded = fold(character);
      if (fold(folded) !== folded) wrong.push(`${code.toString(16)} is folded to ${folded}, not finally`);
      if (/\p{Nd}/u.test(character) && !/^\d$/.test(folded)) wrong.push(`${code.toString(16)} is no digit`);
      const lower = character.toLowerCase();
      if (lower.toUpperCase() === character && fold(lower) !== folded) wrong.push(code.toString(16));
    }
    assert.deepEqual(wrong, []);
  });

  test('is idempotent for random texts, and highlights agree with hits', () => {
    const random = new Random(31);
    const pick = (): string => {
      const [first, end] = random.pick(ranges);
      return String.fromCodePoint(first + random.below(end - first));
    };
    let hits = 0;
    for (let round = 0; round < 1_000; round++) {
      const text = Array.from({ length: 1 + random.below(12) }, pick).join('');
      const folded = fold(text);
      assert.equal(fold(folded), folded, JSON.stringify(text));
      assert.equal(fold(text.normalize('NFD')), folded, JSON.stringify(text));
      const words = spaced(text).trim().split(' ');
      const search = random.pick(words);
      if (!parseSearch(search)) continue;
      hits++;
      const shown = JSON.stringify([text, search]);
      assert.deepEqual(isFound(text, search), { matches: true, isIndexed: true }, shown);
      assert.match(marked(text, search), /\[/, shown);
    }
    assert.ok(hits > 500, String(hits));
  });
});

test('hostile searches and texts take little time', () => {
  const texts = [
    'a'.repeat(8_000),
    '上'.repeat(8_000),
    `${'\u064b'.repeat(4_000)}\u200c`.repeat(2),
    'ﷺ'.repeat(8_000),
  ];
  const searches = ['a'.repeat(200), '上'.repeat(200), 'ﷺ'.repeat(200), '"'.repeat(200), 'a b '.repeat(50)];
  for (const search of [
    ...searches,
    '\0\u0001\ud800"',
    Array.from({ length: 5_000 }, (_, n) => `w${n}`).join(' '),
  ]) {
    const terms = parseSearch(search);
    if (!terms) continue;
    assert.ok(lookupsOf(terms).length <= 256);
    for (const text of texts) {
      const before = process.threadCpuUsage().user;
      matcherOf(terms)(text);
      excerptOf(text, search);
      assert.ok(
        (process.threadCpuUsage().user - before) / 1_000 < 500,
        `${search.slice(0, 10)} in ${text.slice(0, 10)}`,
      );
    }
  }
});
