import { outlineOf } from './blocks.ts';
import type { Definitions } from './definitions.ts';
import { inlinesOf } from './inlines.ts';
import type { Block, Inline, ListItem } from './nodes.ts';
import type { Draft } from './outline.ts';
import { cellsOf } from './tables.ts';

/** Texts longer than this are shown as plain text. Messages have up to 8,000 characters. */
const MAX_LENGTH = 20_000;

/** Matches a single line that starts with a letter. Most messages are such a paragraph. */
const oneParagraph = /^\p{L}[^\r\n]*$/u;
/** Matches characters that do not occur in a text without formatting, names and links. */
const marks = /[\n\r\\`*_~[\]!<&|@#]|:\/\/|www\.|^[\s>+\-=\d]/i;

/** Whether a text has any visible characters. */
export const isVisible = (text: string): boolean =>
  /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/** Returns the text as it was written. */
const asWritten = (content: string): Block[] => [
  { type: 'paragraph', children: [{ type: 'text', text: content }] },
];

/**
 * Parses a message: CommonMark with GitHub's extensions (tables, tasks, strikethrough, autolinks), names such
 * as `@ada`, and spoilers. HTML is text. Takes linear time. If nothing in the result would be visible, the
 * message is shown as written.
 */
export function parseMessage(content: string): Block[] {
  if (content.length > MAX_LENGTH) return asWritten(content);
  if (isPlain(content)) return asWritten(withoutEnd(content));
  if (oneParagraph.test(content))
    return [{ type: 'paragraph', children: inlinesOf(withoutEnd(content), new Map()) }];
  const { root, definitions } = outlineOf(content);
  const blocks = new Blocks(definitions).in(root);
  return blocks.some(isSeen) ? blocks : asWritten(content);
}

/** Whether a message has no formatting, names or links. False if unsure. */
export const isPlain = (content: string): boolean => !marks.test(content);

/** Parses the lines of blocks, and builds the block tree. */
class Blocks {
  readonly #definitions: Definitions;
  readonly #inlines = new Map<Draft, Inline[][][]>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  in(root: Draft): Block[] {
    this.#parse(root);
    return this.#built(root);
  }

  /**
   * Parses the text of a block. All lines are assigned to blocks first, because only then are all definitions
   * known.
   */
  #parse(draft: Draft): void {
    const { type, lines, children } = draft;
    if (type === 'paragraph' || type === 'heading')
      this.#inlines.set(draft, [[inlinesOf(withoutEnd(lines.join('\n')), this.#definitions)]]);
    else if (type === 'table') {
      const columns = draft.aligns?.length ?? 0;
      const rows = lines.map((line) => cellsOf(line).slice(0, columns));
      this.#inlines.set(
        draft,
        rows.map((row) => row.map((cell) => inlinesOf(cell, this.#definitions))),
      );
    }
    for (const child of children) this.#parse(child);
  }

  #built({ children }: Draft): Block[] {
    const blocks: Block[] = [];
    let unused: string[] = [];
    const endUnused = () => {
      if (unused.length > 0)
        blocks.push({ type: 'paragraph', children: inlinesOf(unused.join('\n'), new Map()) });
      unused = [];
    };
    for (const child of children) {
      if (child.type !== 'definition') {
        endUnused();
        blocks.push(this.#block(child));
      } else if (!this.#definitions.get(child.label ?? '')?.isUsed) unused.push(...child.lines);
    }
    endUnused();
    return blocks;
  }

  #block(draft: Draft): Block {
    const rows = this.#inlines.get(draft) ?? [];
    const line = rows[0]?.[0] ?? [];
    switch (draft.type) {
      case 'heading':
        return { type: 'heading', level: draft.level ?? 1, children: line };
      case 'quote':
        return { type: 'quote', children: this.#built(draft) };
      case 'list':
        return this.#list(draft);
      case 'code':
        return { type: 'code', info: draft.fence?.info ?? '', text: textOfCode(draft) };
      case 'table':
        return { type: 'table', aligns: draft.aligns ?? [], rows };
      case 'rule':
        return { type: 'rule' };
      default:
        return { type: 'paragraph', children: line };
    }
  }

  #list({ marker, isTight, children }: Draft): Block {
    const items = children.map((item) => asTask({ children: this.#built(item) }));
    const { isOrdered = false, start = 1 } = marker ?? {};
    return { type: 'list', isOrdered, start, isTight: isTight ?? true, items };
  }
}

/** Turns an item that starts with `[ ]` or `[x]` into a task. */
function asTask(item: ListItem): ListItem {
  const [first, ...others] = item.children;
  const [text, ...rest] = first?.type === 'paragraph' ? first.children : [];
  const match = text?.type === 'text' ? /^\[([ xX])\][ \t]+(?=\S|$)/.exec(text.text) : null;
  if (!match || text?.type !== 'text' || (match[0].length === text.text.length && rest.length === 0))
    return item;
  const remaining = text.text.slice(match[0].length);
  const line: Inline[] = remaining === '' ? rest : [{ type: 'text', text: remaining }, ...rest];
  return { isDone: match[1] !== ' ', children: [{ type: 'paragraph', children: line }, ...others] };
}

/** Returns the text of a code block. Indented code ends with its last non-blank line. */
function textOfCode({ fence, lines }: Draft): string {
  if (fence) return lines.join('\n');
  const end = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, end + 1).join('\n');
}

/** Returns the text without trailing whitespace. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(0, end);
}

const isShown = (inline: Inline): boolean =>
  (inline.type === 'link' && isVisible(inline.url)) ||
  inline.type === 'image' ||
  inline.type === 'name' ||
  ('children' in inline ? inline.children.some(isShown) : inline.type !== 'break' && isVisible(inline.text));

function isSeen(block: Block): boolean {
  switch (block.type) {
    case 'rule':
    case 'table':
      return true;
    case 'code':
      return isVisible(block.text);
    case 'quote':
      return block.children.some(isSeen);
    case 'list':
      return block.items.some(({ isDone, children }) => isDone !== undefined || children.some(isSeen));
    default:
      return block.children.some(isShown);
  }
}
