import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInOpenFence } from '../../web/features/composer/fence.ts';
import { decoded } from '../../web/features/markdown/entities.ts';
import { isEmojiOnly, lex, textOf } from '../../web/features/markdown/lex.ts';
import { addressOf, otherHost, piecesOf } from '../../web/features/markdown/links.ts';

interface Token {
  type: string;
  text?: string;
  href?: string;
  raw: string;
  tokens?: Token[];
  items?: Token[];
}

/** The token types of a text, as a tree in one line: `paragraph(text strong(text))`. */
function shape(content: string): string {
  const of = (tokens: readonly Token[]): string =>
    tokens
      .map(({ type, tokens: inner, items }) => {
        const inside = items ?? inner;
        return inside && inside.length > 0 ? `${type}(${of(inside)})` : type;
      })
      .join(' ');
  return of(lex(content) as Token[]);
}

const all = (tokens: readonly Token[]): Token[] =>
  tokens.flatMap((token) => [token, ...all(token.items ?? []), ...all(token.tokens ?? [])]);

for (const [content, wanted] of [
  ['**a** *b* ~~c~~', 'paragraph(strong(text) text em(text) text del(text))'],
  ['***a** b*', 'paragraph(em(strong(text) text))'],
  ['a\nb', 'paragraph(text br text)'],
  ['snake_case_name', 'paragraph(text)'],
  ['`` ` ``', 'paragraph(codespan)'],
  ['    code', 'code'],
  ['```js\n**x**\n```', 'code'],
  ['```\nnever closed', 'code'],
  ['# a', 'heading(text)'],
  ['#a', 'paragraph(text)'],
  [
    '- a\n  - b\n    - c',
    'list(list_item(text(text) list(list_item(text(text) list(list_item(text(text)))))))',
  ],
  ['> a\n> > b', 'blockquote(paragraph(text) blockquote(paragraph(text)))'],
  ['<b>x</b> <script>y</script>', 'paragraph(text)'],
  ['<div>\n**x**\n</div>', 'paragraph(text br strong(text) br text)'],
  ['[a](<b c>)', 'paragraph(link(text))'],
  ['![a](b)', 'paragraph(image(text))'],
  ['||**x**||', 'paragraph(spoiler(strong(text)))'],
  ['|| x ||', 'paragraph(text)'],
  ['\\*a\\*', 'paragraph(escape text escape)'],
  ['a  *', 'paragraph(text)'],
  ['---', 'hr'],
] as const)
  test(JSON.stringify(content), () => assert.equal(shape(content), wanted));

test('a single line that starts with a letter is parsed like any other text', () => {
  const pieces = [
    'a',
    'é *b*',
    '**b**_c_',
    '`d` e',
    '[f](http://g.h)',
    'https://i.j/k?l=m',
    '||n||',
    '![o](p)',
    '1. q',
    '# r',
  ].concat([
    '- s',
    '> t',
    '| u | v |',
    '~~~w',
    '***',
    '<b>x</b>',
    '&amp;',
    '\\*y',
    'z\\',
    '[aa]: /bb',
    ':-:',
    '  cc',
    '===',
    '\t',
  ]);
  for (const one of pieces)
    for (const other of pieces) {
      const text = `a${one} ${other}.`;
      // After an empty line the text is no longer a single line, so the lexer looks for all kinds of blocks.
      const [space, ...tokens] = [...lex(`\n${text}`)];
      assert.deepEqual([space?.type, [...lex(text)]], ['space', tokens], text);
    }
});

test('entities are decoded, except in code', () => {
  assert.equal(
    decoded('&lt;b&gt; &amp;amp; &#65;&#x42; &nope; &copy &constructor;'),
    '<b> &amp; AB &nope; &copy &constructor;',
  );
  assert.equal(decoded('&#0;&#xD800;&#x110000;'), '\u{fffd}\u{fffd}\u{fffd}');
  assert.equal(textOf('a &amp; b `&amp;`'), 'a & b &amp;');
});

test('mentions are recognised only as separate words', () => {
  assert.deepEqual(piecesOf('hi @ada.'), ['hi ', { mark: '@', name: 'ada' }, '.']);
  assert.deepEqual(piecesOf('a@b c#d /@e x.@f'), ['a@b c#d /@e x.@f']);
  assert.deepEqual(piecesOf('#rain-and-wind, (@b_c)'), [
    { mark: '#', name: 'rain-and-wind' },
    ', (',
    { mark: '@', name: 'b_c' },
    ')',
  ]);
});

test('a link shows its destination if its text says something else', () => {
  assert.equal(otherHost('https://evil.example/', 'https://bank.example/login'), 'evil.example');
  assert.equal(otherHost('https://bank.example/a', 'bank.example'), undefined);
  assert.equal(otherHost('https://www.bank.example/a', 'https://bank.example'), undefined);
  assert.equal(otherHost('https://bank.example/', 'the bank'), undefined);
  for (const text of [
    'Open https://bank.example',
    'bank\u2024example',
    'bank\u3002example',
    'ｂａｎｋ．example',
    'ftp://bank.example',
    '@bank.example',
    '→ bank.example',
    'support@bank.example',
    '"bank.example"',
    'https://bank.example@evil.example/',
    'evil.example or bank.example',
    '93.184.216.34',
    `${'a '.repeat(300)}bank.example`,
  ])
    assert.equal(otherHost('https://evil.example/', text), 'evil.example', text);
  for (const text of [
    'https://bank.example/a.html?b=c.d#e.f',
    'see bank.example/login.php now',
    'HTTPS://BANK.EXAMPLE/',
    'www.bank.example',
    'Read more…',
  ])
    assert.equal(otherHost('https://bank.example/a.html', text), undefined, text);
  assert.equal(
    otherHost(addressOf('https://аpple.com/') as string, 'https://аpple.com/'),
    'xn--pple-43d.com',
  );
  assert.equal(otherHost(addressOf('https://аpple.com/') as string, 'click'), 'xn--pple-43d.com');
});

test('only web and mail addresses become links', () => {
  for (const href of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a/b',
    '//evil.example',
    '/me',
    'x',
  ])
    assert.equal(addressOf(href), undefined, href);
  assert.equal(addressOf('https://a.example/?a=b'), 'https://a.example/?a=b');
  assert.equal(addressOf('mailto:a@b.example'), 'mailto:a@b.example');
});

test('the plain text of a message is one line without formatting, and hides spoilers', () => {
  assert.equal(
    textOf('# Hi\n\n- **a**\n- b\n\n> c ||secret||\n\n| x | y |\n|--|--|\n| 1 | 2 |'),
    'Hi a b c ▒▒▒ x y 1 2',
  );
  assert.equal(textOf('[x](https://a.example) `code`\n```js\nlet a;\n```'), 'x code let a;');
});

test('only messages that consist of emoji show them large', () => {
  for (const text of ['🎉', '👍🏽 ❤️', '👨‍👩‍👧', '🇩🇪🇫🇷', '1️⃣']) assert.equal(isEmojiOnly(text), true, text);
  for (const text of ['1', '#', '12', 'a 🎉', '🎉'.repeat(13), ''])
    assert.equal(isEmojiOnly(text), false, text);
});

for (const [name, content] of Object.entries({
  brackets: '['.repeat(8000),
  quotes: '>'.repeat(8000),
  'quotes with words': `${'> '.repeat(3999)}a`,
  stars: '*a**a'.repeat(1600),
  bars: '_a__'.repeat(2000),
  links: '[a]('.repeat(2000),
  pictures: '![['.repeat(2666),
  ticks: `${'`'.repeat(3999)}a${'`'.repeat(4000)}`,
  spaces: `a${' '.repeat(7998)}b`,
  lists: Array.from({ length: 80 }, (_, at) => `${' '.repeat(at * 2)}- a`).join('\n'),
  table: `${'|a'.repeat(1300)}\n${'|-'.repeat(1300)}\n${'|b'.repeat(1300)}`,
  spoilers: '||a'.repeat(2666),
  addresses: 'http://a.'.repeat(888),
}))
  test(`an input crafted to be slow is parsed fast: ${name}`, () => {
    const begin = performance.now();
    const tokens = lex(content) as Token[];
    textOf(content);
    // A generous limit for a busy machine: without safeguards, some inputs take many times as long.
    assert.ok(performance.now() - begin < 1_500, `${performance.now() - begin} ms`);
    assert.ok(all(tokens).length > 0);
  });

test('a message of which nothing would be visible is shown as it was written', () => {
  for (const content of [
    '[TODO]: fix',
    '[a]: https://a.example',
    '```',
    '```js\n```',
    '> ',
    '-',
    '# ',
    '&#8203;',
    '&#8203;&#173;',
    '[a]: b\n\n[c]: d',
  ])
    assert.equal(shape(content), 'paragraph(escape)', content);
  for (const content of ['---', '![](https://a.example)', '[](https://a.example)', '- a', '`a`'])
    assert.notEqual(shape(content), 'paragraph(escape)', content);
});

test('an open fence is recognised as CommonMark does', () => {
  for (const [text, isOpen] of [
    ['```', true],
    ['```js\na', true],
    ['```\na\n```', false],
    ['```\na\n``', true],
    ['````\n```\n', true],
    ['~~~\n```', true],
    ['~~~\n~~~', false],
    ['```a`b', false],
    ['    ```', false],
    ['   ```', true],
    ['text ```', false],
    ['```\n``` js', true],
  ] as const)
    assert.equal(isInOpenFence(text), isOpen, text);
});
