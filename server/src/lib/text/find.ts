import { fold } from './fold.ts';

// Finds search terms in a text. The server and the web client share this file, so highlights match the
// results.

/** Matches everything between words. */
const between = /[^\p{L}\p{N}\p{M}\p{Co}]+/gu;
/**
 * Scripts without spaces between words, and Korean, in which particles and other words are attached to words.
 * A search finds words in these scripts anywhere in a run of letters.
 */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tai_Le}\\p{scx=New_Tai_Lue}\\p{scx=Tai_Tham}\\p{scx=Tai_Viet}\\p{scx=Javanese}\\p{scx=Balinese}';
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const endsUnspaced = new RegExp(`[${unspaced}]$`, 'u');
const pieces = new RegExp(`[${unspaced}]+|[^ ${unspaced}]+`, 'gu');

const betweenAscii = /[^a-z0-9]+/g;
const isAscii = (text: string): boolean => !/\P{ASCII}/u.test(text);

/** Folds a text and keeps only its words, with a space before, between and after them. */
export const spaced = (text: string): string => spacedFold(fold(text));

const spacedFold = (folded: string): string =>
  ` ${folded.replace(isAscii(folded) ? betweenAscii : between, ' ')} `;

/** A parsed search. All of its terms must occur. They are folded; a phrase has spaces between its words. */
export interface Search {
  /** Terms. Each must occur at the start of a word, or anywhere in a run of a script without spaces. */
  beginnings: readonly string[];
  /** Phrases. The words of each must occur in sequence, as whole words. */
  phrases: readonly string[];
}

/** Maximum terms per search. Further terms are ignored. */
const MAX_TERMS = 32;

/** Splits typed text into words and quoted phrases. Accepts any text. Undefined if it has no words. */
export function parseSearch(text: string): Search | undefined {
  const beginnings = new Set<string>();
  const phrases = new Set<string>();
  // Hebrew abbreviations have a quotation mark before their last letter.
  const parts = text.replace(/(?<=\p{scx=Hebrew})["”](?=\p{scx=Hebrew})/gu, '״').split(/["“”„＂]/);
  for (const [index, part] of parts.entries()) {
    const words = spaced(part).trim();
    if (words === '') continue;
    // An unclosed quotation mark at the end, which occurs during typing, starts no phrase.
    if (index % 2 === 1 && index < parts.length - 1) phrases.add(words);
    else for (const word of words.split(' ')) beginnings.add(word);
  }
  const all = [...beginnings].slice(0, 4 * MAX_TERMS);
  // A text with a word that starts with `them` also has one that starts with `the`, so shorter terms are
  // redundant.
  const longest = all.filter((one) => !all.some((other) => other !== one && other.startsWith(one)));
  const first = longest.slice(0, MAX_TERMS);
  const search = { beginnings: first, phrases: [...phrases].slice(0, MAX_TERMS - first.length) };
  return first.length + search.phrases.length === 0 ? undefined : search;
}

/**
 * Returns the position of a term, at `from` or later, in a text returned by `spaced`; -1 if there is none.
 */
export function place(text: string, term: string, isPhrase: boolean, from = 0): number {
  for (let at = text.indexOf(term, from); at !== -1; at = text.indexOf(term, at + 1)) {
    if (!isStart(text, at)) continue;
    if (!isPhrase || isEnd(text, at + term.length)) return at;
  }
  return -1;
}

/** Whether a word may start at a position: after a space, or next to a character of a script without spaces. */
export function isStart(text: string, at: number): boolean {
  if (text[at - 1] === ' ') return true;
  return isUnspaced.test(text.slice(at, at + 2)) || endsUnspaced.test(text.slice(Math.max(0, at - 2), at));
}

/** Whether a word may end at a position. */
export const isEnd = (text: string, at: number): boolean => text[at] === ' ' || isStart(text, at);

/** Returns the end of a word, given the end of the term that it starts with. */
export function endOfWord(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isEnd(text, end)) end++;
  return end;
}

/** Creates a predicate that tests texts for a search. */
export function matcherOf({ beginnings, phrases }: Search): (text: string) => boolean {
  const parts = [...beginnings, ...phrases].flatMap((term) => term.split(' '));
  return (text) => {
    const folded = fold(text);
    // Most texts do not contain the words, and this check is much faster.
    if (!parts.every((part) => folded.includes(part))) return false;
    const words = spacedFold(folded);
    return (
      beginnings.every((term) => place(words, term, false) !== -1) &&
      phrases.every((term) => place(words, term, true) !== -1)
    );
  };
}

/** Returns the text from each position at which a word may start, with a space between and after words. */
export function startsOf(text: string): string[] {
  const words = spaced(text).slice(1).trimStart();
  const starts: string[] = [];
  for (let at = 0; at < words.length; at++)
    if (words[at] !== ' ' && (at === 0 || isStart(words, at))) starts.push(words.slice(at));
  return starts;
}

/**
 * Whether a phrase ends in a script without spaces between words, in which the ends of words cannot be
 * detected.
 */
export const isOpenEnded = (phrase: string): boolean => endsUnspaced.test(phrase);

/** Maximum characters of a key. Longer words are indexed by their first characters. */
const MAX_KEY = 40;
/** Maximum keys to look up per term. The texts of the results are compared anyway. */
const MAX_LOOKUPS = 8;

/**
 * Returns the index keys of a text: its words, and for scripts without spaces, each pair of adjacent
 * characters and the last character of each run.
 */
export function keysOf(text: string): Set<string> {
  const words = spaced(text);
  if (isAscii(words)) return new Set(words.trim().split(' ').map(keyOf).filter(Boolean));
  const keys = new Set<string>();
  for (const piece of words.match(pieces) ?? []) {
    if (isUnspaced.test(piece)) for (const key of pairs(piece)) keys.add(key);
    else keys.add(keyOf(piece));
  }
  return keys;
}

const keyOf = (word: string): string =>
  word.length > MAX_KEY ? word.slice(0, MAX_KEY).toWellFormed() : word;

function pairs(run: string): string[] {
  const characters = [...run];
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}

/** A key, or the beginning of a key, that a text must have. */
export interface Lookup {
  key: string;
  isBeginning: boolean;
}

/**
 * Returns the keys to look up in an index for a search. Every matching text has all of them, but not every
 * text with all of them matches.
 */
export const lookupsOf = ({ beginnings, phrases }: Search): Lookup[] => [
  ...beginnings.flatMap((term) => lookups(term, true)),
  ...phrases.flatMap((term) => lookups(term, false)),
];

function lookups(term: string, isBeginning: boolean): Lookup[] {
  const all = term.match(pieces) ?? [];
  const found = all.flatMap((piece, index): Lookup[] => {
    const isLast = isBeginning && index === all.length - 1;
    const exactly = (key: string) => ({ key, isBeginning: false });
    if (!isUnspaced.test(piece)) return [{ key: keyOf(piece), isBeginning: isLast }];
    const [first = '', ...rest] = pairs(piece);
    if (rest.length === 0) return [{ key: first, isBeginning: true }];
    return [first, ...rest.slice(0, -1)].map(exactly);
  });
  // Longer keys come first. One-character prefixes match many texts and are dropped if there are enough other
  // keys.
  return found.sort((one, other) => other.key.length - one.key.length).slice(0, MAX_LOOKUPS);
}
