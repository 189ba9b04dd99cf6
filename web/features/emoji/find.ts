import { lines } from './data.ts';

/** The names in the language of the page: a file of its own, so that neither is too large. Without it, they are in English. */
const { emojiNames } = await import('../../strings/en/emojiNames.ts').catch(() => ({
  emojiNames: {} as Readonly<Record<string, string>>,
}));

/** An emoji, and the words by which it is found. */
export interface Emoji {
  emoji: string;
  name: string;
  /** What people type between colons. */
  code: string;
  words: readonly string[];
  /** Its people may have a tone of skin. */
  hasTones: boolean;
}

export type Group = keyof typeof lines;

const wordsIn = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** `own` is its line in the language of the page, if that is another. */
function emojiOf(line: string, own = ''): Emoji {
  const at = line.search(/[ ~]/);
  const [name = '', further = ''] = line.slice(at + 1).split('|');
  const codes = further.split(' ');
  return {
    emoji: line.slice(0, at),
    name: own.split('|')[0] || name,
    code: codes[0] ?? '',
    words: [...codes, ...wordsIn(name), ...wordsIn(own)].filter(Boolean),
    hasTones: line[at] === '~',
  };
}

/** All emoji by group, in the order of Unicode. */
export const groups = Object.entries(lines).map(([key, all]) => {
  const own = emojiNames[key]?.split('\n') ?? [];
  return { key: key as Group, emoji: all.split('\n').map((line, at) => emojiOf(line, own[at])) };
});

const all = groups.flatMap(({ emoji }) => emoji);
const known = new Map(all.map((one) => [one.emoji, one]));

/** The emoji with this text, with or without a tone. */
export const emojiBy = (text: string): Emoji | undefined =>
  known.get(text) ?? known.get(text.replace(/[\u{1F3FB}-\u{1F3FF}]/gu, ''));

/** How well an emoji fits a word: what stands between its colons best, then any word of its own, then the beginning of one. 0 for not at all. */
function fit({ name, code, words }: Emoji, word: string): number {
  if (code === word) return 6;
  if (code.startsWith(word)) return 4;
  if (words.includes(word)) return 3;
  if (name.toLowerCase().startsWith(word)) return 2.5;
  if (words.some((one) => one.startsWith(word))) return 2;
  return words.some((one) => one.includes(`_${word}`)) ? 1.5 : 0;
}

/** The emoji that fit all words typed, the best first; equal ones in the order of Unicode. */
export function findEmoji(typed: string, most = 60): Emoji[] {
  const text = typed.toLowerCase().trim();
  if (text === '') return [];
  const exact = all.filter(({ words }) => words.includes(text));
  const asked = text.split(/[\s_]+/).filter(Boolean);
  const scored = all
    .map((emoji, order) => {
      const fits = asked.map((word) => fit(emoji, word));
      const sum = fits.includes(0) ? 0 : fits.reduce((one, other) => one + other, 0);
      return { emoji, order, score: sum };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.order - other.order)
    .map(({ emoji }) => emoji);
  return [...new Set([...(asked.length > 1 ? exact : []), ...scored])].slice(0, most);
}
