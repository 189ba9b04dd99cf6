// A pseudo-language for tests and development: accented English, a third longer, and right to left. Text
// without accents is missing from `strings/`. A part of the page on the wrong side has styles that assume one
// text direction.
import { partsOf, textOf, withWords } from './messages.js';

/** The pseudo-language's tag in Android and Chromium. Dates and numbers are formatted as in Arabic. */
export const PSEUDO = 'ar-XB';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçđéƒĝĥíĵķļɱñóþɋŕšţúṽŵẋýžÁƁÇÐÉƑĜĤÍĴĶĻṀÑÓÞɊŔŠŢÚṼŴẊÝŽ';
const letters = new Map([...plain].map((letter, at) => [letter, [...accented][at]]));

/**
 * Unicode controls: the right-to-left override, and the character that ends it. Text in between is laid out
 * like Arabic or Hebrew.
 */
const FROM_RIGHT = '\u202e';
const END = '\u202c';

/**
 * Translates text into the pseudo-language. Surrounding whitespace stays the same, and so does text without
 * letters.
 */
function pseudo(text) {
  const [, before, inside, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text);
  if (!/\p{L}/u.test(inside)) return text;
  const turned = [...inside].map((letter) => letters.get(letter) ?? letter).join('');
  const more = '~~~~ '.repeat(Math.ceil((inside.length * 0.3) / 5)).trim();
  return turned
    .split('\n')
    .map(
      (line, at, { length }) => `${before}${FROM_RIGHT}${line}${at === length - 1 ? ` ${more}` : ''}${END}`,
    )
    .join('\n')
    .concat(after);
}

/** Machine-readable strings stay as they are: a file name, a suggested channel name, a query. */
const kept = ['fileName', 'firstChannel', 'form'];

/** Translates English texts into the pseudo-language: single strings, or objects and arrays of them. */
export function pseudoOf(data, key = '') {
  if (kept.includes(key)) return data;
  if (typeof data === 'string') return textOf(withWords(partsOf(data), pseudo));
  if (Array.isArray(data)) return data.map((each) => pseudoOf(each));
  return Object.fromEntries(Object.entries(data).map(([name, each]) => [name, pseudoOf(each, name)]));
}
