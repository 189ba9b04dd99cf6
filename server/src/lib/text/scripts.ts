/**
 * Scripts in which there is no space between a name or an address and the surrounding words: scripts without
 * spaces between words, and scripts that attach particles to words.
 */
const JOINED = [
  ...['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Yi'],
  ...['Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Javanese', 'Balinese'],
  ...['Hebrew', 'Arabic', 'Syriac', 'Thaana'],
  ...[
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
  ],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** Letters of these scripts, as part of a character class with the flag `u`. */
export const joinedLetters: string = `${JOINED}ー々〆`;

const word = new RegExp(`^(?![${joinedLetters}])[\\p{L}\\p{M}\\p{N}_]`, 'u');

/** Whether the character belongs to a word that ends only at a space or punctuation mark, as in English. */
export const isInWord = (character: string): boolean =>
  character < '\u0080' ? /^\w/.test(character) : word.test(character);

/** Returns the character before this position; empty at the start. */
export function characterBefore(text: string, at: number): string {
  const code = text.charCodeAt(at - 1);
  const isPair = code >= 0xdc_00 && code <= 0xdf_ff && at > 1;
  return text.slice(isPair ? at - 2 : Math.max(0, at - 1), at);
}

/** Returns the character at this position; empty at the end. */
export const characterAt = (text: string, at: number): string =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at) as number) : '';
