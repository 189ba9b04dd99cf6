import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthOf, tidied, wrap } from '../../web/features/composer/format.ts';
import { closedCode, wordAt } from '../../web/features/composer/word.ts';

const wordIn = (text: string) => {
  const word = wordAt(text, text.length);
  return word && `${word.mark}${word.typed} at ${word.from}`;
};

test('a word is completed where the server and Markdown would read a name', () => {
  for (const [text, word] of [
    ['@', '@ at 0'],
    ['hello @ad', '@ad at 6'],
    ['(@ad', '@ad at 1'],
    ['@Zoë', '@Zoë at 0'],
    ['see #gen', '#gen at 4'],
    ['**@ad', '@ad at 2'],
    ['well :ta', ':ta at 5'],
    ['line\n@b.c-d', '@b.c-d at 5'],
    ['你好@ad', '@ad at 2'],
    ['cc:@ad', '@ad at 3'],
    ['#हिन्दी', '#हिन्दी at 0'],
    ['ada@example', undefined],
    ['привет@ad', undefined],
    ['https://example.com/@ad', undefined],
    ['ada.@example', undefined],
    ['a#b', undefined],
    ['@ada ', undefined],
    ['@@', undefined],
    ['at 10:30', undefined],
    ['http://x', undefined],
    [':)', undefined],
    [':t', undefined],
    ['C++::na', undefined],
    ['`@ad', undefined],
    ['`code` @ad', '@ad at 7'],
    ['```\n@ad', undefined],
    ['```\ncode\n```\n@ad', '@ad at 13'],
    ['~~~\n@ad', undefined],
    ['/he', '/he at 0'],
    ['see /he', undefined],
    ['/he unknown', undefined],
    ['/home/ada', undefined],
  ] as const)
    assert.equal(wordIn(text), word, text);
  assert.equal(wordAt('@ada and @ben', 4)?.typed, 'ada');
});

test('a second colon completes a shortcode', () => {
  assert.deepEqual(closedCode('so :tada:', 9), { code: 'tada', from: 3 });
  assert.deepEqual(closedCode(':+1:', 4), { code: '+1', from: 0 });
  for (const text of ['10:30:', 'a:b:', '`:tada:', '::', ': :'])
    assert.equal(closedCode(text, text.length), undefined, text);
});

test('a formatting shortcut wraps the selection, and unwraps it again', () => {
  const marked = (text: string, mark: string) => {
    const start = text.indexOf('[');
    const end = text.indexOf(']') - 1;
    const bare = text.replace(/[[\]]/g, '');
    const done = wrap({ text: bare, start, end }, mark);
    const next = bare.slice(0, done.from) + done.insert + bare.slice(done.to);
    return `${next.slice(0, done.start)}[${next.slice(done.start, done.end)}]${next.slice(done.end)}`;
  };
  assert.equal(marked('a [word] b', '**'), 'a **[word]** b');
  assert.equal(marked('a **[word]** b', '**'), 'a [word] b');
  assert.equal(marked('a [word ] b', '**'), 'a **[word]**  b');
  assert.equal(marked('a [] b', '`'), 'a `[]` b');
  assert.equal(marked('**[word]**', '*'), '***[word]***');
  assert.equal(marked('*[word]*', '*'), '[word]');
});

test('a message is sent without blank lines around it, but with its leading spaces', () => {
  assert.equal(tidied('\n  \n  code\n\n'), '  code');
  assert.equal(tidied('a\n\nb '), 'a\n\nb');
  assert.equal(tidied(' \n '), '');
});

test('characters are counted as the server counts them', () => {
  assert.equal(lengthOf('a😀é'), 3);
});
