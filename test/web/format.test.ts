import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import type * as formats from '../../web/strings/format.ts';
import type { texts } from '../../web/strings/texts.ts';

const strings = join(import.meta.dirname, '../../web/strings');

/** The formats of a build in this language, in a browser with these languages. */
async function formatsIn(
  language: string,
  languages: readonly string[],
): Promise<typeof formats & { texts: typeof texts }> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './format.ts'; export { texts } from './texts.ts';`,
      resolveDir: strings,
    },
    bundle: true,
    write: false,
    format: 'esm',
    define: { 'globalThis.navigator': JSON.stringify({ languages }), LANGUAGE: JSON.stringify(language) },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}

const at = new Date(2026, 10, 20, 14, 5).getTime();
const later = new Date(2026, 10, 22, 9, 0).getTime();
/** Replaces every kind of space with an ordinary one. */
const plain = (text: string) => text.replace(/\s/g, ' ');

test("formats follow the reader's regional conventions, never another language's", async () => {
  for (const [language, languages, locale] of [
    ['en', ['en-GB', 'de'], 'en-GB'],
    ['en', ['de', 'fr'], 'en'],
    ['de', ['fr', 'de-CH', 'de'], 'de-CH'],
    ['de', [], 'de'],
  ] as const)
    assert.equal((await formatsIn(language, languages)).locale, locale);
});

/** The language of a build, the reader's regional variety of it, and the expected formats. */
const written = [
  [
    'en',
    'en-GB',
    [
      'Friday 20 November',
      '20 Nov',
      '14:05',
      '12,345.6',
      '12.5%',
      '1.4 MB',
      'Ada, Ben and Cem',
      '2 days ago',
      '2 hrs, 5 mins',
    ],
  ],
  [
    'en',
    'en-US',
    [
      'Friday, November 20',
      'Nov 20',
      '2:05 PM',
      '12,345.6',
      '12.5%',
      '1.4 MB',
      'Ada, Ben, and Cem',
      '2 days ago',
      '2 hr, 5 min',
    ],
  ],
  [
    'de',
    'de-DE',
    [
      'Freitag, 20. November',
      '20. Nov.',
      '14:05',
      '12.345,6',
      '12,5 %',
      '1,4 MB',
      'Ada, Ben und Cem',
      'vorgestern',
      '2 Std., 5 Min.',
    ],
  ],
  [
    'de',
    'de-AT',
    [
      'Freitag, 20. November',
      '20. Nov.',
      '14:05',
      '12 345,6',
      '12,5 %',
      '1,4 MB',
      'Ada, Ben und Cem',
      'vorgestern',
      '2 Std., 5 Min.',
    ],
  ],
] as const;

test('dates, times, numbers, sizes and lists are formatted', async () => {
  for (const [language, own, expected] of written) {
    const f = await formatsIn(language, [own]);
    const found = [
      f.day(at, later),
      f.shortTime(at, later),
      f.time(at),
      f.number(12345.6),
      f.percent(0.125),
      f.bytes(1_400_000),
      f.list(['Ada', 'Ben', 'Cem']),
      f.ago(at, at + 2 * 86_400_000),
      f.duration(7500),
    ];
    assert.deepEqual(found.map(plain), expected, own);
  }
});

test("plural forms follow the language's rules", async () => {
  const { texts, day } = await formatsIn('de', ['de']);
  const { replies } = texts({ replies: '{count, plural, =0 {Keine} one {# Antwort} other {# Antworten}}' });
  assert.deepEqual(
    [0, 1, 2, 1234].map((count) => replies({ count })),
    ['Keine', '1 Antwort', '2 Antworten', '1.234 Antworten'],
  );
  assert.deepEqual([day(later, later), day(later - 86_400_000, later)], ['Heute', 'Gestern']);
});

test('every language has the same files as English', () => {
  const namesIn = (language: string) => readdirSync(join(strings, language)).toSorted();
  const folders = readdirSync(strings, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.ok(folders.length > 1);
  for (const { name } of folders) assert.deepEqual(namesIn(name), namesIn('en'), name);
});
