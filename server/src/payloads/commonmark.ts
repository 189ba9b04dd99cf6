import { escapableOf } from './loose.ts';

/** Functions that write CommonMark. Each runs in time linear in its input. */

/**
 * An invisible character. After an at sign, it prevents a mention; between delimiters, it keeps runs apart.
 */
export const ZERO_WIDTH_SPACE = '\u200B';

/** Matches a URL. The URL may end before the end of the match, but not after it (`lib/text`). */
const URL_IN_TEXT = 'https?:\\/\\/(?:\\[[\\da-f:.]+\\])?[^\\s<>"`\\\\[\\]|]+';
/** Matches characters that would start or end markup at their position, and URLs, which stay unchanged. */
const MARKUP = new RegExp(
  [
    `(${URL_IN_TEXT})`,
    '\\\\(?=[!-/:-@[-`{-~]|\\n|$)',
    '[`*]',
    '(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])',
    // A tilde before a word can only start strikethrough, which needs a closing tilde.
    '~(?=~)|(?<=\\S)~',
    // Two vertical bars start a spoiler.
    '\\|(?=\\|)',
    '<(?=[a-z/!?]|[^\\s<>@]{1,64}@)',
    '&(?=#?\\w{1,31};)',
    '\\](?=[([:])',
  ].join('|'),
  'giu',
);
/**
 * Matches headings, quotes, bullets, and lines that would turn the previous one into a heading or the head of
 * a table.
 */
const LINE_START =
  /^([ \t]*)(#{1,6}(?=[ \t]|$)|>|[-+](?=[ \t]|$)|=+(?=[ \t]*$)|-(?=[-|: \t]*$)|:(?=-[-|: \t]*$)|\|(?=[ \t]*:?-[-|: \t]*$))/gm;
const ITEM_START = /^([ \t]*\d{1,9})([.)])(?=[ \t]|$)/gm;

/** Matches an indentation that would turn a line into code. */
const INDENT = /^ {0,3}(?:\t| {4})[ \t]*/gm;

/** Escapes plain text for CommonMark, up to the payload's budget. */
export const escaped = (text: string): string =>
  escapableOf(text)
    .replace(MARKUP, (sign, url?: string) => url ?? `\\${sign}`)
    .replace(LINE_START, '$1\\$2')
    .replace(ITEM_START, '$1\\$2')
    .replace(INDENT, (blanks) => blanks.replaceAll('\t', '    ').replaceAll(' ', '\u00a0'));

const BRACKETS = /(\\.)|[[\]]/gs;
/** Converts plain text to a one-line label for a link. */
const labelOf = (text: string): string =>
  escaped(oneLine(text)).replace(BRACKETS, (sign, pair?: string) => pair ?? `\\${sign}`);

/** Collapses whitespace to single spaces. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const SCHEME = /^[a-z][a-z\d+.-]{1,31}:/i;
/** URL schemes that are not allowed in untrusted links, because clients may execute such URLs. */
const UNSAFE = /^(?:javascript|data|vbscript|file):/i;
/** Maximum characters of a URL. Longer ones would take up half of a message. */
const MAX_URL_CHARACTERS = 4_000;
export const isUrl = (url: string): boolean =>
  url.length <= MAX_URL_CHARACTERS && SCHEME.test(url) && !UNSAFE.test(url);

/** Matches an at sign that would start a mention. */
const AT_IN_URL = /(?<![A-Za-z\d])@/g;

/**
 * Escapes a URL for use as a link's destination, so that it can neither end the destination nor mention
 * anybody.
 */
export const targetOf = (url: string): string =>
  url
    .trim()
    .replace(/[\s<>()\\]/g, (sign) => (sign.charCodeAt(0) > 127 ? '' : percent(sign)))
    .replace(AT_IN_URL, '%40');
const percent = (sign: string): string =>
  `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Formats a link. Without a label, it shows the URL. If the URL is unusable, only the label remains. */
export function link(url: string, label = ''): string {
  const text = oneLine(label);
  if (!isUrl(url)) return escaped(text || oneLine(url));
  const target = targetOf(url);
  return text === '' || text === url ? `<${target}>` : `[${labelOf(text)}](${target})`;
}

/** Formats an image with its alternative text. */
export const image = (url: string, alt: string): string =>
  isUrl(url) ? `![${labelOf(alt)}](${targetOf(url)})` : escaped(oneLine(alt));

/** Formats plain text in bold. */
export function bold(text: string): string {
  const line = oneLine(text);
  return line === '' ? '' : `**${escaped(line)}**`;
}

/** Returns the length of the longest run of backticks. */
const backticksIn = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);

export function codeSpan(text: string): string {
  const line = text.replace(/\n/g, ' ');
  if (line.trim() === '') return line;
  const fence = '`'.repeat(backticksIn(line) + 1);
  const space = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return fence + space + line + space + fence;
}

export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, backticksIn(text) + 1));
  return `${fence}\n${text.replace(/^\n|\n$/g, '')}\n${fence}`;
}

/** Formats CommonMark as a quote. */
export const quote = (text: string): string =>
  text.replace(/^(.?)/gm, (_, sign) => (sign ? `> ${sign}` : '>'));

/** Defuses mentions, so that nobody is notified. Names remain readable, and URLs keep working. */
export const unmentioning = (text: string): string =>
  text.replace(new RegExp(`(${URL_IN_TEXT})|@(?=[\\w.-])`, 'gi'), (sign, url?: string) =>
    url === undefined ? sign + ZERO_WIDTH_SPACE : url.replace(AT_IN_URL, '%40'),
  );

/** Truncates to a number of characters, including the ellipsis. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let characters = 0;
  let end = 0;
  let last = 0;
  for (const character of text) {
    characters++;
    if (characters > most) return `${text.slice(0, last)}…`;
    last = end;
    end += character.length;
  }
  return text;
}
