import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginningOf } from '../../server/src/lib/text/cut.ts';
import {
  type Block,
  firstLine,
  foundText,
  type Inline,
  lineText,
  parseMessage,
} from '../../server/src/lib/text/index.ts';
import { searchText } from '../../server/src/lib/text/indexed.ts';
import { openFence } from '../../web/features/composer/fence.ts';
import { isEmojiOnly } from '../../web/features/markdown/emojiOnly.ts';
import { addressOf, otherHost } from '../../web/features/markdown/links.ts';

/** The types of a text's blocks and of their contents, as a tree in one line: `paragraph(text strong(text))`. */
const shape = (content: string): string => shapeOf(parseMessage(content));

const shapeOf = (parts: readonly (Block | Inline)[]): string =>
  parts
    .map((part) => {
      if (part.type === 'list') {
        const items = part.items.map(({ children }) => `item(${shapeOf(children)})`);
        return `list(${items.join(' ')})`;
      }
      return 'children' in part ? `${part.type}(${shapeOf(part.children)})` : part.type;
    })
    .join(' ');

for (const [content, wanted] of [
  ['**a** *b* ~~c~~', 'paragraph(strong(text) text emphasis(text) text strike(text))'],
  ['***a** b*', 'paragraph(emphasis(strong(text) text))'],
  ['a\nb', 'paragraph(text break text)'],
  ['snake_case_name', 'paragraph(text)'],
  ['`` ` ``', 'paragraph(codeSpan)'],
  ['    code', 'code'],
  ['```js\n**x**\n```', 'code'],
  ['```\nnever closed', 'code'],
  ['# a', 'heading(text)'],
  ['#a', 'paragraph(name)'],
  [
    '- a\n  - b\n    - c',
    'list(item(paragraph(text) list(item(paragraph(text) list(item(paragraph(text)))))))',
  ],
  ['> a\n> > b', 'quote(paragraph(text) quote(paragraph(text)))'],
  ['<b>x</b> <script>y</script>', 'paragraph(text)'],
  ['<div>\n**x**\n</div>', 'paragraph(text break strong(text) break text)'],
  ['[a](<b c>)', 'paragraph(link(text))'],
  ['![a](b)', 'paragraph(image)'],
  ['||**x**||', 'paragraph(spoiler(strong(text)))'],
  ['|| x ||', 'paragraph(text)'],
  ['\\*a\\*', 'paragraph(text)'],
  ['a  *', 'paragraph(text)'],
  ['---', 'rule'],
  ['[a [b](https://c.example) d](https://e.example)', 'paragraph(text link(text) text link(text) text)'],
  ['[https://a.example @ada](https://b.example)', 'paragraph(link(text))'],
  ['[![a](b)](c)', 'paragraph(link(image))'],
] as const)
  test(`formatting of ${JSON.stringify(content)}`, () => assert.equal(shape(content), wanted));

test('a single line that starts with a letter is parsed like any other text', () => {
  const pieces = [
    ...[
      'a',
      'é *b*',
      '**b**_c_',
      '`d` e',
      '[f](http://g.h)',
      'https://i.j/k?l=m',
      '||n||',
      '![o](p)',
      '1. q',
    ],
    ...['# r', '- s', '> t', '| u | v |', '~~~w', '***', '<b>x</b>', '&amp;', '\\*y', 'z\\', '[aa]: /bb'],
    ...[':-:', '  cc', '===', '\t', '@ada', '  '],
  ];
  for (const one of pieces)
    for (const other of pieces) {
      const text = `a${one} ${other}`;
      // After an empty line the text is no longer a single line, so the parser looks for all kinds of blocks.
      assert.deepEqual(parseMessage(text), parseMessage(`\n${text}`), text);
    }
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
    ...['bank.\u200bexample', 'ba\u00adnk.example', 'bank.exam\u034fple', 'bank\u2060.example'],
    ...[
      'bank\u00b7example',
      'bank\u2027example',
      'bank\u06d4example',
      'bank\ufe52example',
      'ba\u0301nk.example',
    ],
    ...['https://evil.example@bank.example', 'evil.example|bank.example', 'evil.example\u2215bank.example'],
    ...['bank.example://evil.example', 'http://[2001:db8::1]/', 'http://intranet:8080/wiki', '/bank.example'],
  ])
    assert.equal(otherHost('https://evil.example/', text), 'evil.example', text);
  for (const text of [
    'https://bank.example/a.html?b=c.d#e.f',
    'see bank.example/login.php now',
    'HTTPS://BANK.EXAMPLE/',
    'www.bank.example',
    'https://bank.example:8443/',
    ...['Read more…', '[a] or [b:c]', 'v1.2', 'http://', 'the bank · 10:30', 'Col·legi', 'ニュース・天気'],
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
    lineText('# Hi\n\n- **a**\n- b\n\n> c ||secret||\n\n| x | y |\n|--|--|\n| 1 | 2 |'),
    'Hi a b c ▒▒▒ x y 1 2',
  );
  assert.equal(lineText('[x](https://a.example) `code`\n```js\nlet a;\n```'), 'x code let a;');
  assert.equal(lineText('a &amp; b `&amp;` \\*c\\* @ada. #general'), 'a & b &amp; *c* @ada. #general');
  assert.equal(lineText('![a *b*](https://a.example) <b>'), 'a b <b>');
});

test('the plain text of a message is only empty if nothing visible was written', () => {
  for (const [content, line, first] of [
    ['[ ](https://a.example)', 'https://a.example'],
    ['[\u200b](https://a.example) **b**', 'https://a.example b'],
    ['![](https://a.example/b.png)', 'https://a.example/b.png'],
    ['[](tel:+491234)', 'tel:+491234'],
    ['---', '---', ''],
    ['| |\n|-|', '| | |-|', ''],
    ['\u200b', '', ''],
    ['', '', ''],
  ] as const) {
    assert.equal(lineText(content), line, content);
    assert.equal(firstLine(content), first ?? line, content);
  }
});

test('the beginning of a message does not reveal the spoiler that it ends in', () => {
  const secret = 'secret '.repeat(10);
  for (const [content, beginning] of [
    ['short ||secret||', 'short ||secret||'],
    [`a ||${secret}||`, `a ||${secret.slice(0, 13)}||`],
    [`> - **a ||b** c|| ||${secret}||`, '> - **a ||b** c|| ||'],
    [`||a|| ||b|| ||${secret}||`, `||a|| ||b|| ||${secret.slice(0, 4)}||`],
    [`if (a || b) ${secret}`, 'if (a || b) secret s'],
    [`\`a || b\` ${secret}`, '`a || b` secret secre'.slice(0, 20)],
    [`no spoilers, ${secret}`, 'no spoilers, secret '],
    ['🎉'.repeat(40), '🎉'.repeat(20)],
  ] as const)
    assert.equal(beginningOf(content, 20), beginning, content);
});

test('search finds what readers see, spoilers and link targets', () => {
  assert.equal(searchText('no formatting'), 'no formatting');
  assert.equal(searchText('foo**bar**baz caf&eacute; &Dcaron;'), 'foobarbaz café Ď');
  assert.equal(searchText('# Hi\n\n- **a**\n- b\n\n> c ||secret||'), 'Hi\na\nb\nc secret');
  assert.equal(searchText('| x | y |\n|--|--|\n| 1 | 2 |'), 'x y\n1 2');
  assert.equal(searchText('```js\nlet a;\n```\n`b`'), 'let a;\nb');
  assert.equal(
    searchText(
      '[guide](https://a.example/b) https://c.example www.d.example me@e.example [](https://f.example)',
    ),
    'guide (https://a.example/b) https://c.example www.d.example me@e.example https://f.example',
  );
  assert.equal(foundText('[guide](https://a.example/b)\n\n||secret||'), 'guide (https://a.example/b) ▒▒▒');
});

test('emoji are large only in messages that contain nothing else', () => {
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
    const blocks = parseMessage(content);
    lineText(content);
    searchText(content);
    // A generous limit for a busy machine: each takes a few milliseconds.
    assert.ok(performance.now() - begin < 500, `${performance.now() - begin} ms`);
    assert.ok(blocks.length > 0);
  });

test('a message that would have no visible content is shown as written', () => {
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
    '[]()',
    '**[](<>)**',
  ])
    assert.equal(lineText(content), content.replaceAll('\n', ' ').replaceAll('  ', ' ').trim(), content);
  for (const content of ['---', '![](https://a.example)', '[](https://a.example)', '- a', '`a`'])
    assert.notEqual(shape(content), 'paragraph(text)', content);
});

test('an open fence is recognized as CommonMark does', () => {
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
    assert.equal(openFence(text) !== undefined, isOpen, text);
  for (const [text, before] of [
    ['> ```', '> '],
    ['> ```\n> a', '> '],
    ['> ```\n', undefined],
    ['> ```\n> ```', undefined],
    ['> ```\na', undefined],
    ['- ```js', '  '],
    ['1. a\n\n   ```\n   b\n', undefined],
    ['1. a\n\n   ```\n   b\n   ', '   '],
    ['> - > ~~~\n>   > c', '>   > '],
    ['- ```\n  ```', undefined],
    ['a\n- b\n\n```\nc\n', ''],
  ] as const)
    assert.equal(openFence(text), before, text);
});
