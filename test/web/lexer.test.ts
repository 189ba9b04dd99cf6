import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Marked, type TokenizerThis } from 'marked';
import { lex } from '../../web/features/markdown/lex.ts';

// The client calls marked's lexer with options of its own, and reads a single line of plain text without it.

const marked = new Marked({
  gfm: true,
  breaks: true,
  tokenizer: { html: () => undefined, tag: () => undefined },
  extensions: [
    {
      name: 'spoiler',
      level: 'inline',
      start: (source) => source.indexOf('||'),
      tokenizer(this: TokenizerThis, source) {
        const match = /^\|\|(?=\S)([\s\S]{0,2000}?\S)\|\|/.exec(source);
        if (!match) return undefined;
        const text = match[1] as string;
        return { type: 'spoiler', raw: match[0], text, tokens: this.lexer.inlineTokens(text) };
      },
    },
  ],
});

const plain = ['a', 'wörd', '日本', ' ', '  ', '\n', '\n\n', '。', '„', '“', '😀', '@ada', '<b>', '&amp;'];
const marks = ['*', '**', '_', '~', '~~', '`', '```', '[', ']', '(', ')', '!', '\\', '|', '||'];
const blocks = ['# ', '> ', '- ', '1. ', '- [x] ', '    ', '\t', '---', '|a|b|\n|-|-|\n', '[a]: /b\n'];
const links = ['https://a.example/b_c', 'www.a.example', 'me@a.example'];

interface Parsed {
  type: string;
  raw: string;
  text?: string;
  tokens?: Parsed[];
  items?: Parsed[];
}

const isAsWritten = ([first, ...others]: Parsed[], content: string): boolean => {
  const inner = first?.tokens?.[0];
  return others.length === 0 && inner?.type === 'escape' && inner.raw === content && inner.text === content;
};

/** Whether the page would show anything of these tokens. */
const isSeen = (tokens: readonly Parsed[]): boolean =>
  tokens.some(({ type, raw, text = raw, tokens, items }) => {
    if (['hr', 'image', 'spoiler', 'table', 'link'].includes(type)) return true;
    if (['def', 'space', 'br', 'checkbox'].includes(type)) return false;
    return items || tokens ? isSeen([...(items ?? []), ...(tokens ?? [])]) : /[^\s]/.test(text);
  });

test('messages are parsed as marked parses them', () => {
  const texts = fc.array(fc.constantFrom(...plain, ...marks, ...blocks, ...links), { maxLength: 30 });
  fc.assert(
    fc.property(texts, (pieces) => {
      const content = pieces.join('');
      const [tokens, known] = [[...lex(content)], [...marked.lexer(content)]];
      // What would show nothing is shown as it was written.
      if (isAsWritten(tokens, content)) assert.ok(!isSeen(known), content);
      else assert.deepEqual(tokens, known);
    }),
    { numRuns: 3_000 },
  );
});
