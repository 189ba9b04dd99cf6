import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { excerptOf } from '../../../web/features/search/excerpt.ts';
import { boundsOf, queryOf, textOf } from '../../../web/features/search/query.ts';

describe('the search query', () => {
  test('has filters and words in any order', () => {
    assert.deepEqual(queryOf('from:@ada  release in:#general "the plan" after:2026-11-01 is:agent'), {
      from: 'ada',
      in: 'general',
      after: '2026-11-01',
      is: 'agent',
      words: 'release "the plan"',
    });
  });

  test('treats an invalid filter as words', () => {
    assert.deepEqual(queryOf('HAS:link is:pinned mentions:me tide'), {
      ...{ has: 'link', is: 'pinned', mentions: 'me', words: 'tide' },
    });
    for (const text of [
      'before:noon',
      'is:robot',
      'has:cake',
      'mentions:you',
      'in:',
      'http://from:80',
      'after:2026-13-45',
    ])
      assert.deepEqual(queryOf(text), { words: text });
  });

  test('survives a round trip through its text', () => {
    for (const query of [
      { words: '' },
      { in: 'a channel', words: 'x' },
      { from: 'ada', before: '2026-02-28', words: '"release plan" mon' },
    ])
      assert.deepEqual(queryOf(textOf(query)), query);
  });

  test('excludes the named days', () => {
    const bounds = boundsOf({ words: '', after: '2026-03-28', before: '2026-04-01' });
    assert.equal(bounds.after, new Date(2026, 2, 29).getTime() - 1);
    assert.equal(bounds.before, new Date(2026, 3, 1).getTime());
  });
});

describe('an excerpt', () => {
  const marked = (text: string, words: string) =>
    excerptOf(text, words)
      .map((piece) => (piece.isFound ? `[${piece.text}]` : piece.text))
      .join('');

  test('marks words by their prefix, ignoring case and accents', () => {
    assert.equal(marked('The Café has planned it', 'cafe pla'), 'The [Café] has [planned] it');
  });

  test('marks only whole words in a phrase', () => {
    assert.equal(marked('plans: the plan', '"the plan"'), 'plans: [the] [plan]');
  });

  test('starts near the first match', () => {
    const text = `${'far away '.repeat(40)}the plan ${'and more '.repeat(60)}`;
    const shown = marked(text, 'plan');
    assert.match(shown, /^….{0,80}\[plan\]/s);
    assert.ok(shown.endsWith('…') && shown.length < 320, shown);
  });

  test('changes no character', () => {
    for (const text of ['<img src=x onerror=alert(1)>', 'ﬁne ﬁnish', 'İstanbul', '👩‍👩‍👧 plan', ''])
      assert.equal(
        excerptOf(text, 'fi plan is')
          .map((piece) => piece.text)
          .join(''),
        text,
      );
  });
});
