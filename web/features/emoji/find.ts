import { fold } from '../../ui/fold.ts';
import { lines } from './data.ts';
import type { CustomEmoji } from './named.ts';

/**
 * The emoji names in the user's language, or in English if they can't be loaded. They are in a separate chunk.
 */
const { emojiNames } = await import('../../strings/en/emojiNames.ts').catch(() => ({
  emojiNames: {} as Readonly<Record<string, string>>,
}));

/** An emoji and its search terms. */
export interface Emoji {
  emoji: string;
  name: string;
  /** The shortcode that is typed between colons. */
  code: string;
  words: readonly string[];
  /** True if it supports skin tones. */
  hasTones: boolean;
  /** The picture of a custom emoji. */
  url?: string;
}

export type Group = keyof typeof lines;

const wordsIn = (text: string): string[] => fold(text).split(/[^\p{L}\p{N}]+/u);

/** Parses a line of the data. `own` is its translation, if the user's language is not English. */
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

/** A server's custom emoji, by name. */
export const customOf = (custom: CustomEmoji): Emoji[] =>
  [...custom]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, url]) => {
      const text = `:${name}:`;
      const words = [fold(name), ...fold(name).split(/[_+-]+/)].filter(Boolean);
      return { emoji: text, name: text, code: fold(name), words, hasTones: false, url };
    });

/** All emoji by group, in Unicode order. */
export const groups = Object.entries(lines).map(([key, all]) => {
  const own = emojiNames[key]?.split('\n') ?? [];
  return { key: key as Group, emoji: all.split('\n').map((line, at) => emojiOf(line, own[at])) };
});

const all = groups.flatMap(({ emoji }) => emoji);
const known = new Map(all.map((one) => [one.emoji, one]));

/** Finds an emoji, given with or without a skin tone. */
export const emojiBy = (text: string): Emoji | undefined =>
  known.get(text) ?? known.get(text.replace(/[\u{1F3FB}-\u{1F3FF}]/gu, ''));

/**
 * Scores an emoji against a word: highest for the exact shortcode, then for its prefix, a whole word, the prefix
 * of the name, the prefix of a word, and the prefix of a later part of a shortcode. 0 for no match.
 */
function fit({ name, code, words }: Emoji, word: string): number {
  if (code === word) return 6;
  if (code.startsWith(word)) return 4;
  if (words.includes(word)) return 3;
  if (fold(name).startsWith(word)) return 2.5;
  if (words.some((one) => one.startsWith(word))) return 2;
  return words.some((one) => one.includes(`_${word}`)) ? 1.5 : 0;
}

/**
 * The emoji that match all typed words, best first. Equal matches are sorted with custom emoji first, then in Unicode
 * order.
 */
export function findEmoji(typed: string, most = 60, custom: readonly Emoji[] = []): Emoji[] {
  const text = fold(typed).trim();
  if (text === '') return [];
  const pool = [...custom, ...all];
  const isCode = text.includes('_');
  const exact = pool.filter(({ code, words }) => words.includes(text) || (isCode && code.startsWith(text)));
  const asked = text.split(/[\s_]+/).filter(Boolean);
  const scored = pool
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
