import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
// @ts-expect-error: plain JavaScript, without types
import { languagePlugin } from '../../web/buildLanguages.js';
import { lines } from '../../web/features/emoji/data.ts';
import type * as finding from '../../web/features/emoji/find.ts';
import { emojiBy, findEmoji, groups } from '../../web/features/emoji/find.ts';
import { COLUMNS, move } from '../../web/features/emoji/grid.ts';
import { toned } from '../../web/features/emoji/toned.ts';

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

test('each group has as many names as emoji in every language', async () => {
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

test('emoji in texts are drawn by a font with colours, and letters and digits by others', () => {
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
