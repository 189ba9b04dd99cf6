import { codeBlock, codeSpan, escaped, isUrl, link, unmentioning } from './commonmark.ts';
import { knownReferences, type Loose, markupOf } from './loose.ts';

const FENCE = '```';

/**
 * Converts Slack's markup to CommonMark. Keeps CommonMark that has no meaning in Slack, such as `**bold**`,
 * links and headings. Runs in time linear in the text's length, which is bounded (`markupOf`).
 */
export function mrkdwn(value: Loose): string {
  const text = markupOf(value).replace(/\r\n?/g, '\n');
  const parts: string[] = [];
  let end = 0;
  for (;;) {
    const open = text.indexOf(FENCE, end);
    const close = open === -1 ? -1 : text.indexOf(FENCE, open + FENCE.length);
    if (close === -1) break;
    parts.push(ofLines(text.slice(end, open).trimEnd()));
    parts.push(codeBlock(unbracketed(text.slice(open + FENCE.length, close))));
    end = close + FENCE.length;
    while (text[end] === ' ' || text[end] === '\n') end++;
  }
  if (end < text.length) parts.push(ofLines(text.slice(end)));
  return end === 0 ? (parts[0] ?? '') : parts.filter((part) => part !== '').join('\n');
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };
/** Decodes Slack's three entities. */
export const decoded = (text: string): string =>
  text.replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] as string);

/** Converts code: links and mentions become their displayed text, and everything else is literal. */
const unbracketed = (text: string): string =>
  decoded(text.replace(/<([^<>|\n]+)(?:\|([^<>\n]*))?>/g, (_, target, label) => label || target));

const QUOTE = /^(>>>|&gt;&gt;&gt;|>|&gt;) ?/;
/** Matches a line that would turn the previous one into a heading. */
const UNDERLINE = /^([ \t]*)(?=(?:=+|-+)[ \t]*$)/;

function ofLines(text: string): string {
  const made: string[] = [];
  let isQuote = false;
  let isQuoteToTheEnd = false;
  for (const line of text.split('\n')) {
    const mark: string | undefined = isQuoteToTheEnd ? '' : QUOTE.exec(line)?.[0];
    if (mark === undefined) {
      // Without a blank line, this line would continue the quote in CommonMark.
      if (isQuote && line.trim() !== '') made.push('');
      const before = made.at(-1) ?? '';
      made.push(before.trim() === '' ? ofLine(line) : ofLine(line).replace(UNDERLINE, '$1\\'));
      isQuote = false;
      continue;
    }
    isQuoteToTheEnd ||= mark.trim().length > '&gt;'.length || mark.startsWith('>>>');
    isQuote = true;
    made.push(`> ${ofLine(line.slice(mark.length))}`.trimEnd());
  }
  return made.join('\n');
}

/**
 * Matches, in this order: code, brackets, a URL, an entity, a run of delimiters, a character that may need
 * a backslash.
 */
const TOKEN =
  /`([^`]+)`|<([^<>|]+)(?:\|([^<>]*))?>|https?:\/\/[^\s<>|]*[^\s<>|*_~`'"()[\].,;:!?&]|&(?:lt|gt|amp);|\*+|_+|~+|[\\<&\]`]/g;
/** If short names of emoji are known, also matches those, because they contain delimiters. */
const TOKEN_OR_EMOJI = new RegExp(
  `${TOKEN.source}|:([\\p{L}\\p{N}_+'&.-]{1,100}(?:::skin-tone-[2-6])?):`,
  'gu',
);
/**
 * The runs of delimiters that have a meaning in Slack or CommonMark, with their equivalents in CommonMark.
 */
const delimiters: Record<string, string> = { '*': '**', '**': '**', _: '_', '~': '~~', '~~': '~~' };
const WORD = /[\p{L}\p{N}]/u;

function ofLine(line: string): string {
  const parts: string[] = [];
  /** Delimiters that may open a span, with their index in `parts`. Only the latest of each kind matters. */
  const open = new Map<string, number>();
  let end = 0;
  const known = knownReferences();
  for (const match of line.matchAll(known ? TOKEN_OR_EMOJI : TOKEN)) {
    const [token, code, target, label, emoji] = match;
    const after = match.index + token.length;
    parts.push(line.slice(end, match.index));
    end = after;
    if (delimiters[token] !== undefined) delimit(parts, open, token, line, match.index);
    else if (code !== undefined) parts.push(codeSpan(unbracketed(code)));
    else if (target !== undefined) parts.push(ofBrackets(target, label ?? '', token));
    else if (emoji !== undefined) parts.push(known?.emoji(emoji) ?? token);
    else if (token.startsWith('http')) parts.push(token);
    else if (/^[*_~]/.test(token)) parts.push(standing(token, line, match.index));
    else parts.push(ofSign(entities[token] ?? token, line, after));
  }
  parts.push(line.slice(end));
  return parts.join('');
}

const isSpace = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign);

/** Converts a run of literal delimiters. Escapes it unless CommonMark also treats it as literal. */
function standing(run: string, line: string, start: number): string {
  const [before, after] = [line[start - 1], line[start + run.length]];
  const isAlone = isSpace(before) && isSpace(after) && !run.startsWith('~~');
  const isInWord = run.startsWith('_') && WORD.test(before ?? '') && WORD.test(after ?? '');
  return isAlone || isInWord || run === '~' ? run : run.replace(/./g, '\\$&');
}

/**
 * Handles a delimiter: it closes the span that the latest delimiter of its kind opened, opens a span, or is
 * literal.
 */
function delimit(
  parts: string[],
  open: Map<string, number>,
  token: string,
  line: string,
  start: number,
): void {
  const [before = ' ', after = ' '] = [line[start - 1], line[start + token.length]];
  const place = open.get(token);
  const sign = delimiters[token] as string;
  if (place !== undefined && !/\s/.test(before) && !WORD.test(after)) {
    for (const [other, at] of open) if (at >= place) open.delete(other);
    parts[place] = sign;
    parts.push(sign);
    return;
  }
  if (!/\s/.test(after) && !WORD.test(before)) open.set(token, parts.length);
  parts.push(standing(token, line, start));
}

/** Escapes a character if CommonMark would parse it and the characters after it as markup. */
function ofSign(sign: string, line: string, end: number): string {
  const next = line.slice(end, end + 33);
  const isMarkup =
    (sign === '\\' && /^(?:[!-/:-@[-`{-~]|$)/.test(next)) ||
    (sign === '<' && /^(?:[a-z/!?]|[^\s<>@]+@)/i.test(next)) ||
    (sign === '&' && /^#?\w{1,31};/.test(next)) ||
    (sign === ']' && next.startsWith(':')) ||
    sign === '`';
  return isMarkup ? `\\${sign}` : sign;
}

/**
 * Converts `<target|label>`: a link, a channel, a user, everybody, a group or a date. Other tags stay
 * unchanged.
 */
function ofBrackets(target: string, label: string, token: string): string {
  const name = decoded(label);
  const known = referenceOf(target);
  if (known !== undefined) return known;
  switch (target[0]) {
    case '#':
      return `#${escaped((name || target.slice(1)).replace(/^#/, ''))}`;
    case '@':
      // The label can mention somebody, because the sender could also write `@name` in the text. A Slack id
      // cannot be resolved here.
      return name ? `@${name.replace(/^@/, '')}` : unmentioning(target);
    case '!':
      return ofCommand(target.slice(1), name);
    default:
      return isUrl(decoded(target)) ? link(decoded(target), name) : escaped(decoded(token));
  }
}

/** Resolves a tag. Undefined if its id is unknown. */
function referenceOf(target: string): string | undefined {
  const known = knownReferences();
  if (known === undefined) return undefined;
  if (target.startsWith('!subteam^')) return known.group(target.slice('!subteam^'.length));
  const id = target.slice(1);
  if (target[0] === '@') return known.person(id);
  return target[0] === '#' ? known.channel(id) : known.link(decoded(target));
}

/**
 * Converts `<!here>`, `<!subteam^ID|@name>` and `<!date^…|text>`. Slack's groups have no counterpart, so
 * nobody is mentioned.
 */
function ofCommand(target: string, name: string): string {
  const [command = ''] = target.split('^', 1);
  const isEverybody = ['here', 'channel', 'everyone'].includes(command);
  return escaped(unmentioning(isEverybody ? `@${command}` : name || `@${command}`));
}
