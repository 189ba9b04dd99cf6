import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Writes web/features/emoji/data.ts: the emoji of the picker from emojibase-data with their search words; and
// web/strings/<language>/emojiNames.ts, their names in the client's other languages. The package has 49 MB, so it is
// not a dependency. Install it only for this:
//
//   npm install --no-save emojibase-data@17.0.0 && node scripts/emoji.ts

/** Many devices show newer emoji as boxes. */
const NEWEST = 15.1;
/** Maximum search words besides the name: few searches need more, and everybody downloads them. */
const WORDS = 9;
/** The same in another language, in addition to the English ones. */
const OTHER_WORDS = 5;

interface Emoji {
  hexcode: string;
  emoji: string;
  label: string;
  tags?: string[];
  group?: number;
  order?: number;
  version: number;
  skins?: { emoji: string; tone: number | number[] }[];
}

const folder = process.argv[2] ?? join(import.meta.dirname, '../node_modules/emojibase-data');
const strings = join(import.meta.dirname, '../web/strings');
const read = <T>(path: string): T => JSON.parse(readFileSync(join(folder, path), 'utf8'));
const emoji = read<Emoji[]>('en/data.json');
const shortcodes = read<Record<string, string | string[]>>('en/shortcodes/github.json');
const { version, license } = read<{ version: string; license: string }>('package.json');
const terms = readFileSync(join(folder, 'LICENSE'), 'utf8').trim();
writeFileSync(
  join(import.meta.dirname, '../web/licences/copied/emojibase-data.txt'),
  `emojibase-data ${version}: ${license}\n\n${terms}\n`,
);

/** Unicode's groups in order; components, such as skin tones alone, are left out. */
const groups = [
  [0, 'smileys'],
  [1, 'people'],
  [3, 'nature'],
  [4, 'food'],
  [5, 'travel'],
  [6, 'activities'],
  [7, 'objects'],
  [8, 'symbols'],
  [9, 'flags'],
] as const;

/**
 * Like `toned` of web/features/emoji/toned.ts: applies a tone to each person in the emoji, except to hands they hold.
 */
const toned = (text: string, tone: string): string =>
  text.replace(/(?!\u{1F91D}\u{200D})(\p{Emoji_Modifier_Base})\u{FE0F}?/gu, `$1${tone}`);

/** Whether all people in the emoji can have a skin tone, as `toned` applies it. */
function hasTones({ emoji: text, skins }: Emoji): boolean {
  const light = skins?.find(({ tone }) => tone === 1 || String(tone) === '1,1');
  if (light === undefined) return false;
  const bare = (one: string) => one.replaceAll('\u{FE0F}', '');
  return bare(toned(text, '\u{1F3FB}')) === bare(light.emoji);
}

/**
 * As keyboards send it: with the variation selector only where it is required. Otherwise one reaction would become
 * two.
 */
const plain = (text: string): string => text.replace(/(\p{Emoji_Presentation})\u{FE0F}/gu, '$1');

const wordsIn = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** A line of the generated files. Throws an Error if it would need escaping in quotes. */
function quotable(text: string): string {
  if (/['\\\n]/.test(text)) throw new Error(`${text} cannot stand in quotes`);
  return text;
}

function lineOf(one: Emoji): string {
  const label = one.label.toLowerCase();
  const inLabel = new Set(wordsIn(label));
  const known = [shortcodes[one.hexcode] ?? []].flat();
  const codes = known.length > 0 ? known : [label.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_|_$/g, '')];
  const tags = (one.tags ?? []).map((tag) => tag.toLowerCase().replaceAll(' ', '_'));
  const further = tags.filter(
    (tag) => /^[\p{L}\p{N}_+-]+$/u.test(tag) && !inLabel.has(tag) && !codes.includes(tag),
  );
  const words = [...codes, ...further.slice(0, WORDS)];
  return quotable(`${plain(one.emoji)}${hasTones(one) ? '~' : ' '}${label}|${words.join(' ')}`);
}

/** The lines of all groups, as properties of an object. */
const partsBy = (toLine: (one: Emoji) => string): string =>
  groups
    .map(([number, key]) => {
      const lines = emoji
        .filter(({ group, version: since }) => group === number && since <= NEWEST)
        .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
        .map(toLine);
      return `  ${key}:\n    '${lines.join('\\n')}',`;
    })
    .join('\n');

const source = `// Made by scripts/emoji.ts from emojibase-data ${version}, MIT License, Copyright (c) 2017-2019 Miles Johnson, https://emojibase.dev
// biome-ignore-all format: lines as they are made
`;

writeFileSync(
  join(import.meta.dirname, '../web/features/emoji/data.ts'),
  `${source}
/**
 * All emoji by group, a line each: the emoji, \`~\` if its people may have a skin tone and else a space, its name, and after \`|\`
 * further words, the shortcodes first.
 */
export const lines = {
${partsBy(lineOf)}
} as const;
`,
);

/** The name of an emoji in another language, and after `|` further search words. */
function otherLineOf({ label, tags = [] }: Emoji): string {
  const inLabel = new Set(wordsIn(label));
  const further = [...new Set(tags.flatMap(wordsIn))].filter((word) => word.length > 1 && !inLabel.has(word));
  return quotable(`${label}|${further.slice(0, OTHER_WORDS).join(' ')}`);
}

for (const language of readdirSync(strings).filter((tag) => tag !== 'en' && !tag.endsWith('.ts'))) {
  const path = `${language.toLowerCase()}/data.json`;
  if (!existsSync(join(folder, path))) continue;
  const own = new Map(read<Emoji[]>(path).map((one) => [one.hexcode, one]));
  writeFileSync(
    join(strings, language, 'emojiNames.ts'),
    `${source}
import type { emojiNames as english } from '../en/emojiNames.ts';

export const emojiNames: typeof english = {
${partsBy((one) => otherLineOf(own.get(one.hexcode) ?? one))}
};
`,
  );
}
