import { characterAt, characterBefore, isInWord, joinedLetters } from './scripts.ts';

/** An address found in a text, with its position. */
export interface Address {
  from: number;
  end: number;
  url: string;
}

const regex = (source: string, flags: string): RegExp => new RegExp(source, flags);

/**
 * Non-ASCII punctuation that occurs inside addresses, such as typographic apostrophes and the dot in Katakana
 * names.
 */
const INNER = '\\u00b7\\u05be\\u05f3\\u05f4\\u0f0b\\u2010-\\u2013\\u2019\\u2027\\u30a0\\u30fb';
/**
 * Matches the path, query and fragment of an address. Whitespace, control characters, angle brackets, double
 * quotes, backslashes, backticks and most non-ASCII punctuation end it.
 */
const body = regex(
  `(?:[!#-;=?-\\[\\]^_a-~${INNER}]|[^\\x00-\\x7f\\p{C}\\p{Z}\\p{P}＜＞｜]|[\\u200c\\u200d])*`,
  'uy',
);
const host = regex(
  '(?:[\\p{L}\\p{M}\\p{N}_.-]|\\p{Extended_Pictographic}\\ufe0f?|[\\u200c\\u200d]){1,255}',
  'uy',
);
const literal = /\[[\da-fA-F:.]{2,45}\]/y;
const userInfo = /[\w.~%!$&'()*+,;=:-]{1,100}@/y;
const port = /:\d{1,5}(?!\d)/y;
/** Matches the start of a word in another script that follows an ASCII letter or digit without a space. */
const joint = regex(`(?<=[A-Za-z\\d])[${joinedLetters}]`, 'u');
const joined = regex(`^[a-zA-Z\\d-]*[a-zA-Z\\d](?=[${joinedLetters}]|\\p{Extended_Pictographic})`, 'u');
/** Characters that may follow an address but do not belong to it. */
const trailing = regex(`[?!.,:*_~'"～${INNER}\\p{Extended_Pictographic}\\ufe0f\\u200d]$`, 'u');
/** Maximum number of characters in the local part of an email address. */
const MAX_LOCAL = 64;
const emailHost = /^(?:[^.]+\.)+[^.]*[^._-]$/u;

/** Returns the end of the host that starts at this position; undefined if there is none. */
function hostEnd(text: string, at: number): number | undefined {
  literal.lastIndex = at;
  if (literal.test(text)) return literal.lastIndex;
  host.lastIndex = at;
  const all = host.exec(text)?.[0] ?? '';
  // The trailing dot of a fully qualified host is kept if a path or port follows.
  const isFull = /[^.]\.$/.test(all) && /[/:?#]/.test(text[at + all.length] ?? '');
  const name = isFull ? all : all.replace(/\.+$/, '');
  if (name === '') return undefined;
  if (isFull) return at + name.length;
  // In "example.com看看", the last label ends where the script changes.
  const last = name.lastIndexOf('.') + 1;
  const cut =
    last > 0 || name.startsWith('localhost') ? joined.exec(name.slice(last))?.[0].length : undefined;
  return at + (cut === undefined ? name.length : last + cut);
}

/**
 * Whether a host name is valid under GitHub's rules: the last two labels of a domain contain no underscore.
 */
const isDomain = (name: string): boolean =>
  !/^[.-]|\.\.|-$/.test(name) && !(name.includes('.') && name.split('.').slice(-2).join('').includes('_'));

const canParse = (name: string): boolean => URL.canParse(`http://${name}/`);

/** Whether a word character precedes this position. An underscore does not count: it may start an emphasis. */
function isAfterWord(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  return before !== '_' && isInWord(before);
}

/**
 * Returns the address whose `://` is at this position. With `isInBrackets`, an unmatched closing bracket ends
 * it. The scheme starts at `start` or later.
 */
export function addressAt(
  text: string,
  at: number,
  start: number,
  isInBrackets: boolean,
): Address | undefined {
  const scheme = /(?:https?|ftp)$/i.exec(text.slice(Math.max(start, at - 5), at))?.[0];
  if (scheme === undefined) return undefined;
  const from = at - scheme.length;
  if (isAfterWord(text, from)) return undefined;
  userInfo.lastIndex = at + 3;
  const hostFrom = userInfo.test(text) ? userInfo.lastIndex : at + 3;
  const end = endOfAddress(text, hostFrom, isInBrackets);
  return end === undefined ? undefined : { from, end, url: text.slice(from, end) };
}

/** Returns the address without a scheme whose `www.` is at this position. */
export function bareAddressAt(text: string, at: number, isInBrackets: boolean): Address | undefined {
  if (isAfterWord(text, at) || /[./\\@-]/.test(text[at - 1] ?? '')) return undefined;
  const end = endOfAddress(text, at, isInBrackets);
  if (end === undefined || end <= at + 4) return undefined;
  return { from: at, end, url: `http://${text.slice(at, end)}` };
}

function endOfAddress(text: string, from: number, isInBrackets: boolean): number | undefined {
  const hostTo = hostEnd(text, from);
  if (hostTo === undefined) return undefined;
  const name = text.slice(from, hostTo);
  if (!name.startsWith('[') && !isDomain(name)) return undefined;
  port.lastIndex = hostTo;
  const portTo = port.test(text) ? port.lastIndex : hostTo;
  const end = /[/?#]/.test(text[portTo] ?? '') ? endOfBody(text, portTo, isInBrackets) : portTo;
  return canParse(text.slice(from, portTo)) ? end : undefined;
}

/** Returns the end of the path, query and fragment. */
function endOfBody(text: string, from: number, isInBrackets: boolean): number {
  body.lastIndex = from;
  let all = body.exec(text)?.[0] ?? '';
  const ends = [all.indexOf('||'), all.search(joint), isInBrackets ? unbalanced(all) : -1];
  all = all.slice(0, Math.min(...ends.map((end) => (end < 0 ? all.length : end))));
  return from + trimmed(all).length;
}

/** Returns the position of the first unmatched square bracket; -1 if there is none. */
function unbalanced(text: string): number {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') open += 1;
    else if (text[at] === ']' && open-- === 0) return at;
  }
  return -1;
}

const opening: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Returns the address without trailing punctuation and unmatched brackets. */
function trimmed(text: string): string {
  const surplus = Object.fromEntries(
    Object.entries(opening).map(([close, open]) => [
      close,
      text.split(close).length - text.split(open).length,
    ]),
  );
  let end = text.length;
  for (;;) {
    const last = characterBefore(text, end);
    const entity = last === ';' ? /&[a-zA-Z\d]{1,32};$/.exec(text.slice(Math.max(0, end - 34), end)) : null;
    if (entity) end -= entity[0].length;
    else if ((surplus[last] ?? 0) > 0) {
      surplus[last] = (surplus[last] as number) - 1;
      end -= 1;
    } else if (last === ';' || trailing.test(last)) end -= last.length;
    else return text.slice(0, end);
  }
}

const localCharacter = regex(`^(?![${joinedLetters}])[\\p{L}\\p{M}\\p{N}]`, 'u');
const isLocal = (character: string): boolean =>
  character < '\u0080' ? /^[\w.+-]/.test(character) : localCharacter.test(character);

/** Returns the email address whose `@` is at this position. Its local part starts at `start` or later. */
export function emailAt(text: string, at: number, start: number): Address | undefined {
  let from = at;
  const least = Math.max(start, at - MAX_LOCAL);
  for (
    let before = characterBefore(text, from);
    from > least && isLocal(before);
    before = characterBefore(text, from)
  )
    from -= before.length;
  if (from === at || text[from] === '.' || isLocal(characterBefore(text, from))) return undefined;
  if (/[/@#]/.test(text[from - 1] ?? '')) return undefined;
  const scheme = /mailto:$/i.exec(text.slice(Math.max(start, from - 7), from))?.[0] ?? '';
  from -= scheme.length;
  const end = hostEnd(text, at + 1);
  if (end === undefined) return undefined;
  const hostName = text.slice(at + 1, end);
  const next = characterAt(text, end);
  if (next === '@' || !emailHost.test(hostName) || !isDomain(hostName) || !canParse(hostName))
    return undefined;
  const address = text.slice(from, end);
  return { from, end, url: scheme === '' ? `mailto:${address}` : address };
}
