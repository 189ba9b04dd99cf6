import { textOfInlines } from './inlineText.ts';
import { isPlain, parseMessage } from './message.ts';
import type { Block, Inline } from './nodes.ts';

/** Stands for a spoiler. */
const MASK = '▒▒▒';

interface Options {
  /** The text of a line. */
  line: (inlines: readonly Inline[]) => string;
  /** What separates blocks. */
  between: string;
}

/**
 * The plain text of a message for search: what readers see, spoilers included, one block or row per line. Targets of
 * links follow their labels.
 */
export const searchText = (content: string): string =>
  isPlain(content) ? content : textOf(parseMessage(content), { line: withTargets, between: '\n' });

/** The plain text of a message on one line, for notifications, previews and screen readers. Spoilers stay hidden. */
export const lineText = (content: string): string =>
  textOf(parseMessage(content), { line: masked, between: ' ' }).replace(/\s+/g, ' ').trim();

const masked = (inlines: readonly Inline[]): string => textOfInlines(inlines, () => MASK);

function withTargets(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.type !== 'link' && inline.type !== 'image')
        return 'children' in inline ? withTargets(inline.children) : textOfInlines([inline]);
      const label = inline.type === 'link' ? textOfInlines(inline.children) : inline.text;
      return inline.url.endsWith(label) ? inline.url : `${label} (${inline.url})`;
    })
    .join('');
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
          return block.items.map(({ children }) => textOf(children, options)).join(between);
        case 'table':
          return block.rows.map((row) => row.map(line).join(' ')).join(between);
        default:
          return line(block.children);
      }
    })
    .join(between);
}
