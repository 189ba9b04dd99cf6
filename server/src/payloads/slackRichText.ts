import { codeBlock, codeSpan, escaped, link, quote, unmentioning, ZERO_WIDTH_SPACE } from './commonmark.ts';
import {
  firstOf,
  joined,
  knownReferences,
  type Loose,
  listOf,
  markupOf,
  numberOf,
  stringOf,
} from './loose.ts';

/**
 * Maximum UTF-16 code units to convert per quote or list item. The message keeps only its first 8,000
 * characters anyway.
 */
const MAX_QUOTE_UNITS = 16_000;
/** Maximum indentation levels of a list. */
const MAX_INDENT = 8;

/** Converts a rich text block to CommonMark. */
export const ofRichText = (block: Loose): string => {
  let made = '';
  let before: Loose;
  for (const part of listOf(block?.elements)) {
    const text = ofPart(part);
    if (text.trim() === '') continue;
    const isSameList = part?.type === 'rich_text_list' && before?.type === 'rich_text_list';
    made += made === '' ? text : (isSameList ? '\n' : '\n\n') + text;
    before = part;
  }
  return made;
};

function ofPart(part: Loose): string {
  switch (part?.type) {
    case 'rich_text_list':
      return ofList(part);
    case 'rich_text_quote':
      return quote(ofInline(part).slice(0, MAX_QUOTE_UNITS).toWellFormed());
    case 'rich_text_preformatted':
      return codeBlock(wordsOf(part));
    default:
      return listOf(part?.elements).length > 0 ? ofInline(part) : ofInline({ elements: [part] });
  }
}

function ofList({ elements, style, indent, offset }: Loose): string {
  const first = Number.isSafeInteger(offset) && offset >= 0 ? offset + 1 : 1;
  const level = Number.isSafeInteger(indent) ? Math.min(Math.max(indent, 0), MAX_INDENT) : 0;
  const margin = '   '.repeat(level);
  const items = listOf(elements).map((item, index) => {
    const mark = style === 'ordered' ? `${first + index}. ` : '- ';
    const inner = ofPart(item).slice(0, MAX_QUOTE_UNITS).toWellFormed();
    return margin + mark + inner.replace(/\n(?!\n)/g, `\n${margin}${' '.repeat(mark.length)}`);
  });
  return joined(items, '\n');
}

/** Returns the text without styles, for use in code. */
const wordsOf = (part: Loose): string =>
  listOf(part?.elements)
    .map((element) => firstOf(element?.text, element?.url) || listOf(element?.elements).map(wordsOf).join(''))
    .join('');

/** Whether delimiters at the end of one part and the start of the next would merge into one run. */
const isTouching = (last: string, part: string): boolean =>
  (part[0] === '*' || part[0] === '~') && last.at(-1) === part[0];

interface Run {
  /** CommonMark if `isMade` is set, otherwise plain text. */
  text: string;
  style: string;
  isMade: boolean;
}

/**
 * Converts the elements of a section or a quote. Merges adjacent elements with the same style, because
 * delimiters must not touch.
 */
function ofInline(part: Loose): string {
  const runs: Run[] = [];
  for (const element of listOf(part?.elements)) {
    const run = runOf(element);
    const last = runs.at(-1);
    if (last && !last.isMade && !run.isMade && last.style === run.style) last.text += run.text;
    else runs.push(run);
  }
  const parts = runs.map((run, index) => styled(run, runs[index - 1], runs[index + 1]));
  let made = '';
  let last = '';
  for (const part of parts) {
    made += (isTouching(last, part) ? ZERO_WIDTH_SPACE : '') + part;
    last = part || last;
  }
  return made;
}

function runOf(element: Loose): Run {
  const style = styleOf(element?.style);
  if (element?.type === 'text') return { text: markupOf(element.text), style, isMade: false };
  return { text: ofElement(element), style: style.replace('c', ''), isMade: true };
}

/** Returns the initials of the styles code, bold, italic and strike. */
const styleOf = (style: Loose): string =>
  ['code', 'bold', 'italic', 'strike'].map((name) => (style?.[name] === true ? name[0] : '')).join('');

const WORD = /[\p{L}\p{N}]/u;
const PUNCTUATION_END = /[^\p{L}\p{N}]+$/u;
const PUNCTUATION_START = /^[^\p{L}\p{N}]+/u;

/**
 * Wraps a run in its delimiters. Whitespace, and punctuation next to a word, stay outside, because
 * CommonMark would not recognize delimiters inside them.
 */
function styled({ text, style, isMade }: Run, before: Run | undefined, after: Run | undefined): string {
  if (style === '' || text.trim() === '') return isMade ? text : escaped(text);
  if (isMade) return delimited(text, style);
  let inner = text.trim();
  let [start, end] = [text.slice(0, text.indexOf(inner)), text.slice(text.indexOf(inner) + inner.length)];
  if (!style.includes('c')) {
    const isBeforeWord = end === '' && WORD.test(after?.text[0] ?? '');
    const isAfterWord = start === '' && WORD.test(before?.text.at(-1) ?? '');
    const [last = ''] = isBeforeWord ? (PUNCTUATION_END.exec(inner) ?? []) : [];
    inner = inner.slice(0, inner.length - last.length);
    const [first = ''] = isAfterWord ? (PUNCTUATION_START.exec(inner) ?? []) : [];
    inner = inner.slice(first.length);
    [start, end] = [start + first, last + end];
  }
  if (inner === '') return escaped(text);
  const made = style.includes('c') ? codeSpan(inner) : escaped(inner);
  return escaped(start) + delimited(made, style) + escaped(end);
}

function delimited(text: string, style: string): string {
  let made = text;
  if (style.includes('i')) made = `*${made}*`;
  if (style.includes('b')) made = `**${made}**`;
  return style.includes('s') ? `~~${made}~~` : made;
}

/** Resolves an element. Undefined if its id, URL or name is unknown. */
function referenceOf(element: Loose): string | undefined {
  const known = knownReferences();
  switch (known && element?.type) {
    case 'link':
      return known?.link(stringOf(element.url));
    case 'emoji':
      return known?.emoji(stringOf(element.name));
    case 'user':
      return known?.person(stringOf(element.user_id));
    case 'usergroup':
      return known?.group(stringOf(element.usergroup_id));
    case 'channel':
      return known?.channel(stringOf(element.channel_id));
    default:
      return undefined;
  }
}

/** Converts an element other than text. Slack's ids in payloads cannot be resolved. */
function ofElement(element: Loose): string {
  const known = referenceOf(element);
  if (known !== undefined) return known;
  switch (element?.type) {
    case 'link':
      return link(stringOf(element.url), stringOf(element.text));
    case 'emoji':
      return `:${escaped(stringOf(element.name))}:`;
    case 'broadcast':
      return escaped(unmentioning(`@${stringOf(element.range)}`));
    case 'user':
      return escaped(unmentioning(`@${stringOf(element.user_id)}`));
    case 'usergroup':
      return escaped(unmentioning(`@${stringOf(element.usergroup_id)}`));
    case 'channel':
      return `#${escaped(stringOf(element.channel_id))}`;
    case 'date':
      return escaped(firstOf(element.fallback) || dateOf(element.timestamp));
    case 'color':
      return escaped(stringOf(element.value));
    default:
      return listOf(element?.elements).length > 0 ? ofPart(element) : escaped(stringOf(element?.text));
  }
}

/** Formats seconds since the Unix epoch as a date; empty if invalid. */
function dateOf(seconds: Loose): string {
  const date = new Date(numberOf(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000', '');
}
