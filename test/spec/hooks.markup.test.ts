// @run sqlite: tests texts before any data is written
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Hook } from '../support/hookPost.ts';
import { QUIET } from '../support/recorded.ts';
import { World } from '../support/world.ts';

let hook: Hook;
before(async () => {
  hook = await Hook.open(await World.open());
});
after(() => hook.world.close());

/** Slack's markup and its equivalent in CommonMark. */
const markup: Record<string, [mrkdwn: string, commonmark: string][]> = {
  emphasis: [
    ['*bold*, _italic_, ~gone~', '**bold**, _italic_, ~~gone~~'],
    ['*_both_*, _*both*_, *a*_b_', '**_both_**, _**both**_, **a**_b_'],
    ['"*quoted*" (*x*).', '"**quoted**" (**x**).'],
    ['a*b*c, 2 * 3 * 4, snake_case_name', 'a\\*b\\*c, 2 * 3 * 4, snake_case_name'],
    ['__init__ ***x*** a `` b', '\\_\\_init\\_\\_ \\*\\*\\*x\\*\\*\\* a \\`\\` b'],
    ['*over\nlines*', '\\*over\nlines\\*'],
    ['*a _b* c_', '**a \\_b** c\\_'],
    ['~5 min, ~/path', '~5 min, ~/path'],
  ],
  code: [
    ['run `a*b* <&lt;x&gt;`', 'run `a*b* <<x>`'],
    ['see ```a *b*\n<https://example.com|c> &amp; `d` ``` now', 'see\n```\na *b*\nc & `d` \n```\nnow'],
    ['```\nno end', '\\`\\`\\`\nno end'],
  ],
  links: [
    [
      '<https://example.com/a_b?c=1&amp;d=(2)|a [b] *c*>',
      '[a \\[b\\] \\*c\\*](https://example.com/a_b?c=1&d=%282%29)',
    ],
    ['<https://example.com>, https://example.com/_a_', '<https://example.com>, https://example.com/_a\\_'],
    ['<mailto:ada@example.com|mail>', '[mail](mailto:ada@example.com)'],
    ['<javascript:alert(1)|x>', '\\<javascript:alert(1)|x>'],
    ['*<https://example.com|x>*', '**[x](https://example.com)**'],
  ],
  'mentions and channels': [
    ['<@U1|ada> <@U2>', `@ada @${QUIET}U2`],
    [
      '<!here> <!channel|channel> <!subteam^S1|@devs> <!subteam^S2>',
      `@${QUIET}here @${QUIET}channel @${QUIET}devs @${QUIET}subteam`,
    ],
    ['<#C1|general> <#C2>', '#general #C2'],
    ['<!date^1392734382^{date}|18 February>', '18 February'],
  ],
  'text that CommonMark would interpret as markup': [
    ['&lt;b&gt; &amp;amp; <text> 1 &lt; 2', '\\<b> \\&amp; \\<text> 1 < 2'],
    ['[x]: https://example.com', '[x\\]: https://example.com'],
    ['Title\n-----\n===', 'Title\n\\-----\n\\==='],
    ['C:\\_x\\ ~~~', 'C:\\\\\\_x\\ \\~\\~\\~'],
  ],
  quotes: [
    ['&gt; a *b*\nc', '> a **b**\n\nc'],
    ['x\n&gt;&gt;&gt; a\nb', 'x\n> a\n> b'],
  ],
  "CommonMark's own markup": [
    ['**bold** [a](https://example.com)\n- one\n* two', '**bold** [a](https://example.com)\n- one\n* two'],
  ],
};

for (const [what, rows] of Object.entries(markup)) {
  test(`Slack markup: ${what}`, async () => {
    for (const [text, content] of rows) assert.equal(await hook.contentOf({ body: { text } }), content, text);
  });
}

const rich = (...elements: object[]) => ({ blocks: [{ type: 'rich_text', elements }] });
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const text = (text: string, ...styles: string[]) => ({
  type: 'text',
  text,
  style: Object.fromEntries(styles.map((style) => [style, true])),
});

/** Slack blocks and their equivalent in CommonMark. */
const blocks: [body: object, content: string][] = [
  [
    rich(
      section(
        text('a '),
        text('bold ', 'bold'),
        text('both', 'bold', 'italic'),
        text('gone', 'strike'),
        text('x*y`', 'code'),
      ),
    ),
    `a **bold** ***both***~~gone~~\`\` x*y\` \`\``,
  ],
  [rich(section(text('By:', 'bold'), text('ada'))), '**By**:ada'],
  [rich(section(text('a', 'bold'), text('b', 'bold'), text('c', 'italic'))), `**ab**${QUIET}*c*`],
  [rich(section(text('# *no* <b> markup'))), '\\# \\*no\\* \\<b> markup'],
  [
    rich(
      section({ type: 'user', user_id: 'U1' }, { type: 'usergroup', usergroup_id: 'S1' }),
      section({ type: 'broadcast', range: 'here' }, { type: 'channel', channel_id: 'C1' }),
      section({ type: 'date', timestamp: 1_772_323_200, format: '{date}' }, { type: 'color', value: '#fff' }),
    ),
    `@${QUIET}U1@${QUIET}S1\n\n@${QUIET}here#C1\n\n2026-03-01T00:00:00Z#fff`,
  ],
  [
    rich(
      {
        type: 'rich_text_list',
        style: 'ordered',
        offset: 2,
        elements: [section(text('three')), section(text('four'))],
      },
      { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section(text('inner\nlines'))] },
      { type: 'rich_text_quote', elements: [text('one\n\ntwo')] },
      { type: 'rich_text_preformatted', elements: [text('a ```\n')] },
    ),
    '3. three\n4. four\n   - inner\n     lines\n\n> one\n>\n> two\n\n````\na ```\n````',
  ],
  [
    {
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'A\n*b*' } },
        {
          type: 'image',
          image_url: 'https://example.com/a.png',
          alt_text: 'a [b]',
          title: { type: 'plain_text', text: 'T' },
        },
        { type: 'video', title: { type: 'plain_text', text: 'V' }, title_url: 'https://example.com/v' },
        {
          type: 'table',
          rows: [
            [
              { type: 'raw_text', text: 'a' },
              { type: 'raw_text', text: 'b' },
            ],
            [{ type: 'raw_text', text: 'c' }],
          ],
        },
        {
          type: 'actions',
          elements: [
            { type: 'overflow', options: [{ text: { text: 'More' }, url: 'https://example.com/m' }] },
          ],
        },
        {
          type: 'context',
          elements: [
            { type: 'plain_text', text: '*c*' },
            { type: 'image', image_url: 'no URL', alt_text: 'd' },
          ],
        },
      ],
    },
    [
      '## A \\*b\\*',
      'T',
      '![a \\[b\\]](https://example.com/a.png)',
      '[V](https://example.com/v)',
      'a | b\nc',
      '[More](https://example.com/m)',
      '\\*c\\* d',
    ].join('\n\n'),
  ],
  [
    {
      attachments: [
        {
          author_name: 'CI',
          author_link: 'https://ci.example.com',
          title: 'A &amp; B',
          fields: [{ title: 'State', value: '*ok*' }, { title: 'Empty' }, { value: 'alone' }],
          image_url: 'https://example.com/a.png',
        },
        { footer: 'only this' },
      ],
    },
    '[CI](https://ci.example.com)\n\nA & B\n\n**State:** **ok**\n**Empty**\nalone\n\n![A & B](https://example.com/a.png)\n\nonly this',
  ],
];

test('Slack blocks and attachments become Markdown', async () => {
  for (const [body, content] of blocks) assert.equal(await hook.contentOf({ body }), content);
});
