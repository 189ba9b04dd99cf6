// A language for tests and for development: English with accents, longer by a third, and written from right to left. A text that is not
// in it did not come from `strings/`; a part of the page that is on the wrong side is where its styles know but one direction.
import { partsOf, textOf, withWords } from './messages.js';

/** Its tag, as Android and Chromium have it: dates and numbers are those of Arabic. */
export const PSEUDO = 'ar-XB';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçđéƒĝĥíĵķļɱñóþɋŕšţúṽŵẋýžÁƁÇÐÉƑĜĤÍĴĶĻṀÑÓÞɊŔŠŢÚṼŴẊÝŽ';
const letters = new Map([...plain].map((letter, at) => [letter, [...accented][at]]));

/** From here on each character stands to the left of the one before it, until `END`: so texts look as those of Arabic or Hebrew do. */
const FROM_RIGHT = '\u202e';
const END = '\u202c';

/** A text in the language. Spaces around it stay at its ends, and one without a letter stays as it is. */
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

/** Texts that programs read stay as they are: a file's name, a name that a person gets by a press of a button, a query. */
const kept = ['fileName', 'firstChannel', 'form'];

/** English texts, plain or in objects and lists, in the language. */
export function pseudoOf(data, key = '') {
  if (kept.includes(key)) return data;
  if (typeof data === 'string') return textOf(withWords(partsOf(data), pseudo));
  if (Array.isArray(data)) return data.map((each) => pseudoOf(each));
  return Object.fromEntries(Object.entries(data).map(([name, each]) => [name, pseudoOf(each, name)]));
}
