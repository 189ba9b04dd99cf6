import { characterAt, characterBefore, isInWord } from './scripts.ts';

/**
 * Matches a username without trailing dots, dashes and underscores, because they may be punctuation or end an
 * emphasis.
 */
const username = /[\w.-]{0,31}[a-zA-Z\d](?![\w.-]*[a-zA-Z\d])/y;
const channelName =
  /[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]{0,98}[\p{L}\p{M}\p{N}])?(?![_.-]*[\p{L}\p{M}\p{N}])/uy;

/**
 * Whether a name may start at this position. It may not start inside a word, an email address or a path. A
 * slash may separate it from a name that ends at `lastName`.
 */
export function mayBeginName(text: string, at: number, lastName = -1): boolean {
  let before = at;
  while (before > 0 && /[_.+-]/.test(text[before - 1] as string)) before -= 1;
  const character = characterBefore(text, before);
  if (character === '/') return before === at && before - 1 === lastName;
  return !/[@#&]/.test(character) && !isInWord(character);
}

/** Returns the name whose `@` or `#` is at this position, without the mark. */
export function nameAt(text: string, at: number, lastName: number): string | undefined {
  const names = text[at] === '@' ? username : channelName;
  names.lastIndex = at + 1;
  const name = names.exec(text)?.[0];
  if (name === undefined || !mayBeginName(text, at, lastName)) return undefined;
  let after = at + 1 + name.length;
  while (text[after] === '_') after += 1;
  const next = characterAt(text, after);
  // In `@adaé` and `@ada@example.com`, the name is not `ada`.
  return isInWord(next) || next === '@' ? undefined : name;
}

/**
 * Returns the dots, dashes and underscores at the start of a text, which may belong to the name before them.
 */
export const tailOf = (text: string): string => /^[_.-]{1,31}/.exec(text)?.[0] ?? '';
