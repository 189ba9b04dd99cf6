import { unescaped } from './escapes.ts';

/** Maximum nesting of brackets inside the target of a link. */
const MAX_NESTED = 32;

const pointed = /<((?:[^<>\n\\]|\\.)*)>/y;
const blanks = /[ \t]*(?:\n[ \t]*)?/y;
const titles = /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|\(((?:[^()\\]|\\[\s\S])*)\)/y;

/** Parses the target of a link: `<in brackets>`, or up to whitespace or an unbalanced bracket. */
export function readTarget(text: string, at: number): { url: string; end: number } | undefined {
  if (text[at] === '<') {
    pointed.lastIndex = at;
    const match = pointed.exec(text);
    return match ? { url: unescaped(match[1] as string), end: pointed.lastIndex } : undefined;
  }
  let open = 0;
  let end = at;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code <= 0x20 || code === 0x7f) break;
    if (code === 0x5c && isEscapable(text.charCodeAt(end + 1))) end += 1;
    else if (code === 0x28) {
      open += 1;
      if (open > MAX_NESTED) return undefined;
    } else if (code === 0x29) {
      if (open === 0) break;
      open -= 1;
    }
  }
  return open === 0 ? { url: unescaped(text.slice(at, end)), end } : undefined;
}

/** Parses a link title, in quotes or parentheses, after whitespace. */
export function readTitle(text: string, at: number): { text: string; end: number } | undefined {
  const from = skipBlanks(text, at);
  if (from === at) return undefined;
  titles.lastIndex = from;
  const match = titles.exec(text);
  if (!match) return undefined;
  return { text: unescaped(match[1] ?? match[2] ?? match[3] ?? ''), end: titles.lastIndex };
}

/** Parses the part of an inline link after its label: `(target "title")`. */
export function readLinkTail(
  text: string,
  at: number,
): { url: string; title: string; end: number } | undefined {
  if (text[at] !== '(') return undefined;
  const target = readTarget(text, skipBlanks(text, at + 1));
  if (!target) return undefined;
  const title = readTitle(text, target.end);
  const end = skipBlanks(text, title?.end ?? target.end);
  return text[end] === ')' ? { url: target.url, title: title?.text ?? '', end: end + 1 } : undefined;
}

/** Returns the position after whitespace that contains at most one line break. */
function skipBlanks(text: string, at: number): number {
  blanks.lastIndex = at;
  blanks.test(text);
  return blanks.lastIndex;
}

/** Whether a backslash escapes the character: ASCII punctuation. */
export const isEscapable = (code: number): boolean =>
  (code >= 0x21 && code <= 0x2f) ||
  (code >= 0x3a && code <= 0x40) ||
  (code >= 0x5b && code <= 0x60) ||
  (code >= 0x7b && code <= 0x7e);
