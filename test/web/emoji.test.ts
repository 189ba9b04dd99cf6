import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
// @ts-expect-error: plain JavaScript, without types
import { languagePlugin } from '../../web/buildLanguages.js';
import { nameFor } from '../../web/features/customEmoji/settings/nameFor.ts';
import { lines } from '../../web/features/emoji/data.ts';
import type * as finding from '../../web/features/emoji/find.ts';
import { customOf, emojiBy, findEmoji, groups } from '../../web/features/emoji/find.ts';
import { COLUMNS, move } from '../../web/features/emoji/grid.ts';
import { isUsable, pictureFor, pictureOf } from '../../web/features/emoji/named.ts';
import { toned } from '../../web/features/emoji/toned.ts';
import { plainEmoji, withEmoji } from '../../web/features/markdown/withEmoji.ts';

const first = (typed: string) => findEmoji(typed, 5).map(({ emoji }) => emoji);

test('emoji are found by shortcodes, names and keywords', () => {
  for (const [typed, emoji] of [
    ['+1', '👍'],
    ['thumbsup', '👍'],
    ['tada', '🎉'],
    ['heart', '❤️'],
    ['joy', '😂'],
    ['rocket', '🚀'],
    ['flag germany', '🇩🇪'],
    ['waving hand', '👋'],
    ['GRINNING', '😀'],
  ] as const)
    assert.ok(first(typed).includes(emoji), `${typed}: ${first(typed)}`);
  // Shortcodes rank above keywords.
  assert.equal(first('heart')[0], '❤️');
  assert.ok(first('ta').includes('🎉'));
  assert.deepEqual(first('nothing like this'), []);
  assert.deepEqual(first(''), []);
});

test('each emoji is listed once, with a name and a code, and is encoded as keyboards do', () => {
  const all = groups.flatMap(({ emoji }) => emoji);
  assert.equal(new Set(all.map(({ emoji }) => emoji)).size, all.length);
  assert.ok(all.length > 1800);
  for (const { emoji, name, code } of all) {
    assert.ok(name !== '' && /^[\p{L}\p{N}_+-]+$/u.test(code), `${emoji} ${name} ${code}`);
    assert.doesNotMatch(emoji, /\p{Emoji_Presentation}\u{FE0F}/u);
  }
  assert.equal(emojiBy('👍🏽')?.name, 'thumbs up');
});

test('in German, emoji have German names and are found by German words, English words and shortcodes', async () => {
  const web = join(import.meta.dirname, '../../web');
  const { outputFiles } = await build({
    entryPoints: [join(web, 'features/emoji/find.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [languagePlugin(web, 'de')],
  });
  const german: typeof finding = await import(
    `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`
  );
  for (const [typed, emoji] of [
    ['rakete', '🚀'],
    ['Herz', '❤️'],
    ['freudentränen', '😂'],
    ['deutschland', '🇩🇪'],
    ['tada', '🎉'],
    ['rocket', '🚀'],
  ] as const) {
    const found = german.findEmoji(typed, 20).map((one) => one.emoji);
    assert.ok(found.includes(emoji), `${typed}: ${found}`);
  }
  assert.equal(german.emojiBy('👍🏽')?.name, 'Daumen hoch');
  assert.equal(german.emojiBy('👍🏽')?.code, emojiBy('👍')?.code);
});

test('in every language, each group has as many names as emoji', async () => {
  const strings = join(import.meta.dirname, '../../web/strings');
  for (const language of readdirSync(strings).filter((name) => name !== 'en' && !name.includes('.'))) {
    const { emojiNames } = await import(join(strings, language, 'emojiNames.ts'));
    for (const [group, all] of Object.entries(lines)) {
      const own: string[] = emojiNames[group]?.split('\n') ?? [];
      if (own.length > 0) assert.equal(own.length, all.split('\n').length, `${language}: ${group}`);
    }
  }
});

test('a skin tone applies to each person, but not to held hands', () => {
  assert.equal(toned('👍', '\u{1F3FD}'), '👍🏽');
  assert.equal(toned('☝️', '\u{1F3FD}'), '☝🏽');
  assert.equal(toned('👩‍🚀', '\u{1F3FD}'), '👩🏽‍🚀');
  assert.equal(toned('🧑‍🤝‍🧑', '\u{1F3FD}'), '🧑🏽‍🤝‍🧑🏽');
  assert.equal(toned('👍', ''), '👍');
});

test('arrow keys move across rows of several groups', () => {
  const parts = [
    { emoji: Array(COLUMNS + 2), from: 0 },
    { emoji: [], from: COLUMNS + 2 },
    { emoji: Array(COLUMNS), from: COLUMNS + 2 },
  ];
  assert.equal(move('ArrowRight', 0, parts), 1);
  assert.equal(move('ArrowLeft', 0, parts), 0);
  assert.equal(move('ArrowLeft', 0, parts, true), 1);
  assert.equal(move('ArrowRight', 1, parts, true), 0);
  assert.equal(move('ArrowDown', 0, parts), COLUMNS);
  // The second row is shorter, so the last cell is selected.
  assert.equal(move('ArrowDown', 5, parts), COLUMNS + 1);
  assert.equal(move('ArrowDown', COLUMNS, parts), COLUMNS + 2);
  assert.equal(move('ArrowUp', COLUMNS + 2, parts), COLUMNS);
  assert.equal(move('ArrowDown', 2 * COLUMNS + 1, parts), 2 * COLUMNS + 1);
  assert.equal(move('a', 0, parts), undefined);
});

test('emoji in texts are drawn by a colour font, and letters and digits by other fonts', () => {
  const style = (name: string) => readFileSync(join(import.meta.dirname, '../../web/style', name), 'utf8');
  const [face = '', sources = '', ranges = ''] =
    /font-family: "Emoji in colour";\s+src:([^;]+);\s+unicode-range:([^;]+);/.exec(style('fonts.css')) ?? [];
  assert.ok(face);
  for (const name of ['Apple Color Emoji', 'Segoe UI Emoji', 'Noto Color Emoji'])
    assert.ok(sources.includes(`local("${name}")`), name);
  const spans = [...ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, from = '', to = from]) => [
    Number.parseInt(from, 16),
    Number.parseInt(to, 16),
  ]) as [number, number][];
  const has = (code: number) => spans.some(([from, to]) => from <= code && code <= to);
  for (let code = 0x20; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (/\p{Emoji_Presentation}/u.test(character)) assert.ok(has(code), code.toString(16));
    else if (/[\p{L}\p{N}]/u.test(character) && code < 0x1f000) assert.ok(!has(code), code.toString(16));
  }
  assert.match(style('tokens.css'), /--font:\s+"Emoji in colour",/);
});

const custom = new Map(
  ['party_parrot', 'tada', 'समोसा', 'größe', 'ss', '30', 'b', 'σας'.replace('ς', 'σ')].map((name) => [
    name,
    `/${name}`,
  ]),
);

test('custom emoji are found by full and partial names, before other matches', () => {
  const all = customOf(custom);
  const found = (typed: string) => findEmoji(typed, 5, all).map(({ emoji }) => emoji);
  assert.deepEqual(found('parrot').slice(0, 2), ['🦜', ':party_parrot:']);
  for (const typed of ['party_parrot', 'party_p', 'PARTY_'])
    assert.equal(found(typed)[0], ':party_parrot:', typed);
  assert.equal(found('tada')[0], ':tada:');
  assert.ok(found('tada').includes('🎉'));
  assert.deepEqual(found('समो'), [':समोसा:']);
  assert.equal(found('GRÖ')[0], ':größe:');
});

test('names of custom emoji are compared as on the server', () => {
  assert.equal(pictureOf(custom, 'Party_Parrot'), '/party_parrot');
  assert.equal(pictureOf(custom, 'ß'), '/ss');
  assert.equal(pictureOf(custom, 'ΣΑΣ'), '/σασ');
  assert.equal(pictureFor(custom, ':TADA:'), '/tada');
  for (const text of ['tada', ':tada', '::', ':x y:', `:${'a'.repeat(9_000)}:`, ':gone:'])
    assert.equal(pictureFor(custom, text), undefined);
  assert.deepEqual(
    ['🎉', ':tada:', ':gone:'].map((text) => isUsable(custom, text)),
    [true, true, false],
  );
});

test('custom emoji in texts are replaced, even next to each other, but not in times', () => {
  const named = (name: string) => pictureOf(custom, name) && `<${name}>`;
  const drawn = (text: string) => withEmoji(text, named).join('|');
  assert.equal(drawn('a :tada: b'), 'a |<tada>| b');
  assert.equal(drawn(':tada::समोसा:'), '<tada>|<समोसा>');
  assert.equal(drawn('好:tada:好'), '好|<tada>|好');
  assert.equal(drawn(':a:b:c:'), ':a|<b>|c:');
  for (const text of ['10:30:40', ':gone:', ':tada', 'tada:', '::', 'a: b :tada', ''])
    assert.equal(drawn(text), text);
  const large = (text: string) => plainEmoji(text, (name) => named(name) && { name });
  assert.equal(large(':tada: :b:'), '😀 😀');
  assert.equal(large('so :tada:'), 'so 😀');
});

test('a file name is converted to the name of an emoji', () => {
  for (const [file, name] of [
    ['Party Parrot.gif', 'party_parrot'],
    ['समोसा.png', 'समोसा'],
    ['__x (1).final.png', 'x_1_final'],
    ['😀.png', ''],
    [`${'é'.repeat(50)}.png`, 'é'.repeat(32)],
  ] as const)
    assert.equal(nameFor(file), name);
});
