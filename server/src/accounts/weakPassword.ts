import type { CommonPasswords } from './commonPasswords.ts';

/** The reason why a password is easy to guess. */
export type Weakness = 'common' | 'name' | 'repeated';

/** Minimum number of different characters in a password. */
const MIN_DIFFERENT = 4;
/** A word with up to this many digits and punctuation marks around it is still easy to guess. */
const MAX_DECORATION = 6;
/** Shorter words are ignored, because they occur in many unrelated passwords. */
const MIN_WORD = 4;

/**
 * Returns why a password is easy to guess: it has too few different characters, or it is a common password or
 * word, one of the `names`, or one of these with digits and punctuation around it or in place of letters
 * (`P@ssw0rd`, `Summer2026!`). Attackers try such variants after the common passwords (NIST SP 800-63B,
 * 3.1.1.2). Undefined for a password that is hard to guess.
 */
export function weaknessOf(
  password: string,
  names: readonly (string | null | undefined)[],
  common: CommonPasswords,
): Weakness | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size < MIN_DIFFERENT) return 'repeated';
  const known = new Set(names.filter((name) => typeof name === 'string').flatMap(partsOf));
  if (known.has(text)) return 'name';
  if (common.has(text)) return 'common';
  for (const word of wordsOf(text)) {
    if (known.has(word)) return 'name';
    if (common.has(word)) return 'common';
  }
  return undefined;
}

/** Returns a name or an email address in lowercase, and its words of at least `MIN_WORD` characters. */
function partsOf(name: string): string[] {
  const text = name.normalize('NFKC').toLowerCase();
  return [text, ...text.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= MIN_WORD)];
}

/** Returns the words that a password may be derived from. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  const begins = [text, text.replace(/^[^\p{L}]+/u, '')];
  for (const begin of begins) {
    const bare = begin.replace(/[^\p{L}]+$/u, '');
    for (const word of [bare, withLetters(bare, 'l'), withLetters(bare, 'i')]) {
      const half = word.slice(0, word.length / 2);
      for (const each of word === half + half ? [word, half] : [word])
        if (each.length >= MIN_WORD && text.length - word.length <= MAX_DECORATION) words.add(each);
    }
  }
  // Trailing symbols may also stand for letters: "passw0rd$" is "passwords", and "pa$$" is "pass".
  words.add(withLetters(text, 'l'));
  words.add(withLetters(text, 'i'));
  return words;
}

/** Replaces digits and symbols that stand for letters. */
const withLetters = (text: string, one: 'l' | 'i'): string =>
  text.replace(/[0134578@$!|+]/g, (sign) =>
    sign === '1' || sign === '!' || sign === '|' ? one : (letters[sign] ?? sign),
  );

const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '+': 't',
};
