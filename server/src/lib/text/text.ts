import { type TextOptions, textOfInlines } from './inlineText.ts';
import { isPlain, isVisible, parseMessage } from './message.ts';
import type { Block, Inline, ListItem } from './nodes.ts';

/** The replacement for a spoiler. */
const MASK = '▒▒▒';

interface Options {
  /** Returns the text of a line. */
  line: (inlines: readonly Inline[]) => string;
  /** The separator between blocks. */
  between: string;
}

/**
 * Returns the plain text of a message for searches: the displayed text including spoilers, with one block or
 * row per line. Link targets follow their labels.
 */
export const searchText = (content: string): string =>
  isPlain(content) ? content : textOf(parseMessage(content), { line: withTargets, between: '\n' });

/**
 * Returns the text in which search terms are highlighted: like `searchText`, but on one line and with
 * spoilers hidden.
 */
export const foundText = (content: string): string =>
  oneLine(textOf(parseMessage(content), { line: (all) => withTargets(all, ofSpoiler), between: ' ' }));

/**
 * Returns the plain text of a message on one line, for notifications, previews and screen readers. Spoilers
 * stay hidden. `ofName` maps usernames to display names. A message without text, such as a horizontal rule,
 * is shown as written. Empty if the message has no visible characters.
 */
export function lineText(content: string, ofName?: TextOptions['ofName']): string {
  const line = (all: readonly Inline[]) => textOfInlines(all, { ofSpoiler, ofName, ofLink });
  const text = oneLine(textOf(parseMessage(content), { line, between: ' ' }));
  return [text, oneLine(content)].find(isVisible) ?? '';
}

/** Returns the first line of a message outside code blocks, with `…` for spoilers. Empty if there is none. */
export function firstLine(content: string): string {
  const blocks = parseMessage(content).filter(({ type }) => type !== 'code');
  const options = { ofSpoiler: () => '…', lineBreak: '\n', ofLink };
  const line = (all: readonly Inline[]) => textOfInlines(all, options);
  const lines = textOf(blocks, { line, between: '\n' }).split('\n').map(oneLine);
  return lines.find(isVisible) ?? '';
}

const ofSpoiler = (): string => MASK;

/** As in the web client, a link without a visible label shows its target. */
const ofLink = (label: string, url: string): string => (isVisible(label) ? label : url);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function withTargets(
  inlines: readonly Inline[],
  ofHidden: (children: readonly Inline[]) => string = withTargets,
): string {
  return inlines
    .map((inline) => {
      if (inline.type === 'spoiler') return ofHidden(inline.children);
      if (inline.type === 'link') return withTarget(textOfInlines(inline.children), inline.url);
      if (inline.type === 'image') return withTarget(inline.text, inline.url);
      return 'children' in inline ? withTargets(inline.children, ofHidden) : textOfInlines([inline]);
    })
    .join('');
}

/** Returns a label, followed by its target if they differ. */
function withTarget(label: string, url: string): string {
  const isTarget = url.endsWith(label) && /^(?:https?:\/\/|mailto:)?$/i.test(url.slice(0, -label.length));
  if (label === '') return url;
  return isTarget || url === label ? label : `${label} (${url})`;
}

function textOf(blocks: readonly Block[], options: Options): string {
  const { line, between } = options;
  return blocks
    .map((block) => {
      switch (block.type) {
        case 'code':
          return block.text;
        case 'rule':
          return '';
        case 'quote':
          return textOf(block.children, options);
        case 'list':
          return block.items
            .map((item, at) => numberOf(block, item, at) + textOf(item.children, options))
            .join(between);
        case 'table':
          return block.rows.map((row) => row.map(line).join(' ')).join(between);
        default:
          return line(block.children);
      }
    })
    .join(between);
}

/** Returns the number shown before an item, such as the day in `3. Mai`. Tasks show a checkbox instead. */
const numberOf = (
  { isOrdered, start }: Extract<Block, { type: 'list' }>,
  { isDone }: ListItem,
  at: number,
): string => (isOrdered && isDone === undefined ? `${start + at}. ` : '');
