import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build, type Plugin } from 'esbuild';
import fc from 'fast-check';
import { lex, type Token } from '../../web/features/markdown/lex.ts';

// The client has marked's lexer alone, with regular expressions that are made when they are first tried.

// It is plain JavaScript, so its types are here.
const { lexerAlone }: { lexerAlone: Plugin } = await import(
  new URL('../../web/buildLexer.js', import.meta.url).href
);

const plain = ['a', 'wörd', '日本', ' ', '  ', '\n', '\n\n', '。', '„', '“', '😀', '@ada', '<b>', '&amp;'];
const marks = ['*', '**', '_', '~', '~~', '`', '```', '[', ']', '(', ')', '!', '\\', '|', '||'];
const blocks = ['# ', '> ', '- ', '1. ', '- [x] ', '    ', '\t', '---', '|a|b|\n|-|-|\n', '[a]: /b\n'];
const links = ['https://a.example/b_c', 'www.a.example', 'me@a.example'];

test('the lexer of the built client reads texts as the whole of marked does', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '..', '..', 'web', 'features', 'markdown', 'lex.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [lexerAlone],
  });
  const script = outputFiles[0]?.text ?? '';
  assert.match(script, /getRegex: \(\) => new LateRegExp\(/);
  const built: { lex(content: string): Token[] } = await import(
    `data:text/javascript,${encodeURIComponent(script)}`
  );
  const texts = fc.array(fc.constantFrom(...plain, ...marks, ...blocks, ...links), { maxLength: 30 });
  fc.assert(
    fc.property(texts, (pieces) => {
      const content = pieces.join('');
      assert.deepEqual(built.lex(content), lex(content));
    }),
    { numRuns: 3_000 },
  );
});
