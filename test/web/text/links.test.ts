import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Block, type Inline, parseMessage } from '../../../server/src/lib/text/index.ts';

const linksIn = (parts: readonly (Block | Inline)[]): string[] =>
  parts.flatMap((part) => {
    if (part.type === 'link') return part.url;
    if (part.type === 'list') return part.items.flatMap(({ children }) => linksIn(children));
    if (part.type === 'table') return part.rows.flat().flatMap(linksIn);
    return 'children' in part ? linksIn(part.children) : [];
  });

/** Addresses, each with texts in which it becomes a link that ends exactly there. */
const ends: readonly (readonly [address: string, ...texts: string[]])[] = [
  [
    'https://example.com/a',
    ...[
      '请看 https://example.com/a，谢谢',
      '「https://example.com/a」',
      '（https://example.com/a）',
      'https://example.com/a。好',
    ],
    ...[
      '【https://example.com/a】',
      '《https://example.com/a》',
      'https://example.com/a、b',
      'https://example.com/a！',
      'https://example.com/a～',
    ],
    ...[
      '“https://example.com/a”',
      '«https://example.com/a»',
      '„https://example.com/a“',
      '‘https://example.com/a’',
      'https://example.com/a…',
    ],
    ...[
      'https://example.com/a؟',
      'https://example.com/a، b',
      'https://example.com/a।',
      'https://example.com/a։',
      'https://example.com/a።',
    ],
    ...[
      '参照https://example.com/aを見て',
      'https://example.com/a를 보세요',
      'ดูhttps://example.com/aนะ',
      'https://example.com/a看看',
    ],
    ...[
      '(see https://example.com/a)',
      '[https://example.com/a]',
      '{https://example.com/a}',
      '"https://example.com/a"',
      "'https://example.com/a'",
    ],
    ...[
      'https://example.com/a.',
      'https://example.com/a...',
      'https://example.com/a?!',
      'https://example.com/a;',
      'https://example.com/a: b',
    ],
    ...[
      '*https://example.com/a*',
      '**https://example.com/a**',
      '_https://example.com/a_',
      '~~https://example.com/a~~',
      '||https://example.com/a||',
    ],
    ...[
      '<https://example.com/a>',
      '<b>https://example.com/a</b>',
      '-https://example.com/a',
      'see:https://example.com/a',
      '> https://example.com/a',
    ],
    ...[
      '| https://example.com/a|b |\n|-|-|',
      '- https://example.com/a\n- b',
      'https://example.com/a\nb',
      'https://example.com/a\u3000b',
    ],
    ...[
      'https://example.com/a\u200bb',
      'https://example.com/a\u202eb',
      'https://example.com/a😀',
      '😀https://example.com/a',
      'https://example.com/a—b',
    ],
    ...[
      'https://example.com/a\\',
      'https://example.com/a`b`',
      '[x](https://example.com/a)',
      '[x][y]\n\n[y]: https://example.com/a',
    ],
  ],
  [
    'https://example.com',
    'https://example.com看看',
    'https://example.com,b',
    'https://example.com.',
    'https://example.com👍',
    'https://example.com: b',
  ],
  ['https://ja.wikipedia.org/wiki/東京', 'https://ja.wikipedia.org/wiki/東京、'],
  ['https://hi.wikipedia.org/wiki/हिन्दी', 'https://hi.wikipedia.org/wiki/हिन्दी।'],
  [
    'https://en.wikipedia.org/wiki/A_(b)',
    '(https://en.wikipedia.org/wiki/A_(b))',
    'https://en.wikipedia.org/wiki/A_(b).',
  ],
  ['https://fr.wikipedia.org/wiki/L’Équipe', '‘https://fr.wikipedia.org/wiki/L’Équipe’'],
  ['https://en.wikipedia.org/wiki/1914–1918', 'https://en.wikipedia.org/wiki/1914–1918.'],
  ['https://example.com/?a[]=1&b=c;d', '[https://example.com/?a[]=1&b=c;d]'],
  ['https://example.com/~u/*a*/b', 'https://example.com/~u/*a*/b*'],
  ['https://example.com?a', 'https://example.com?a.'],
  ['https://user:pass@example.com:8080/#/a', 'https://user:pass@example.com:8080/#/a,'],
  ['http://example.com./a', 'http://example.com./a.'],
];
// Hosts of every kind.
for (const address of [
  ...[
    'http://localhost:3000/a',
    'http://intranet/a',
    'http://my_service:8080/',
    'http://127.0.0.1:3000/',
    'http://[::1]:8080/a',
    'https://[2001:db8::1]',
  ],
  ...[
    'https://münchen.example/straße',
    'https://例え.テスト/あ',
    'http://кремль.рф',
    'https://xn--80ak6aa92e.example',
    'https://💩.example/',
  ],
  ...['https://مثال.إختبار/', 'https://उदाहरण.परीक्षा/', 'HTTPS://EXAMPLE.COM/A', 'ftp://example.com/a'],
])
  test(`${address} is a link`, () => {
    assert.deepEqual(linksIn(parseMessage(address)), [address]);
    assert.deepEqual(linksIn(parseMessage(`(${address}), ${address}`)), [address, address]);
  });

for (const [address, ...texts] of ends)
  for (const text of [address, ...texts])
    test(`the link in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(linksIn(parseMessage(text)), [address]));

test('addresses without a scheme and email addresses are links', () => {
  for (const [text, ...urls] of [
    ['www.example.com/a.', 'http://www.example.com/a'],
    ['(www.例え.テスト) WWW.example.com', 'http://www.例え.テスト', 'http://WWW.example.com'],
    ['me@example.com, you+me@a-b.example.', 'mailto:me@example.com', 'mailto:you+me@a-b.example'],
    ['иван@почта.рф', 'mailto:иван@почта.рф'],
    ['邮箱me@example.com，', 'mailto:me@example.com'],
    ['mailto:me@example.com <me@example.com>', 'mailto:me@example.com', 'mailto:me@example.com'],
  ] as const)
    assert.deepEqual(linksIn(parseMessage(text)), urls, text);
});

test('other texts are not links', () => {
  for (const text of [
    ...[
      'example.com',
      'xhttps://example.com',
      'éhttps://example.com',
      'http://',
      'http://.',
      'http://a..b',
      'http://-a',
      'http:/a.b',
    ],
    ...[
      'http://example.com:99999/',
      'http://a.b_c.d',
      'www.',
      'xwww.example.com',
      'a.www.example.com',
      'me@localhost',
      'me@a.b_',
      '@a.b',
      'tel:+49',
    ],
    ...[
      '`https://example.com`',
      '    https://example.com',
      '```\nhttps://example.com',
      'h\\ttps\\://example.com',
      'javascript://example.com',
    ],
  ])
    assert.deepEqual(linksIn(parseMessage(text)), [], text);
});
