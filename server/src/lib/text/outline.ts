import { type Definitions, takeDefinition } from './definitions.ts';
import type { Align } from './nodes.ts';

type Kind =
  | 'root'
  | 'quote'
  | 'list'
  | 'item'
  | 'paragraph'
  | 'heading'
  | 'code'
  | 'table'
  | 'rule'
  | 'definition';

/** A block that is still being parsed. */
export interface Draft {
  type: Kind;
  parent: Draft | undefined;
  children: Draft[];
  isOpen: boolean;
  /** The number of the block's first line. */
  from: number;
  /** The number of enclosing quotes and items. */
  depth: number;
  lines: string[];
  /** Whether the last line that was added to the block is blank. */
  endsBlank: boolean;
  level?: number;
  /** Undefined for indented code. */
  fence?: { mark: string; indent: number; info: string; isClosed?: boolean };
  marker?: Marker;
  isTight?: boolean;
  aligns?: Align[];
  /** The normalized label of a definition. Undefined for a duplicate of an earlier definition. */
  label?: string;
}

/** The marker of a list item. */
export interface Marker {
  isOrdered: boolean;
  start: number;
  /** The bullet, or the character after the number. */
  mark: string;
  /** The column in which the content begins. */
  width: number;
}

const isContainer = ({ type }: Draft): boolean => type === 'root' || type === 'quote' || type === 'item';

/** The blocks parsed so far: a tree whose last branch is open. */
export class Outline {
  readonly definitions: Definitions = new Map();
  readonly root: Draft;
  /** The innermost open block. */
  tip: Draft;
  lineNumber = 0;

  constructor() {
    this.root = { type: 'root', parent: undefined, children: [], isOpen: true, ...this.#fresh(0) };
    this.tip = this.root;
  }

  #fresh = (depth: number) => ({ from: this.lineNumber, depth, lines: [] as string[], endsBlank: false });

  /** Adds a block to the innermost open one that can contain it. */
  add(type: Kind, fields: Partial<Draft> = {}): Draft {
    while (type === 'item' ? this.tip.type !== 'list' : !isContainer(this.tip)) this.#closeTip();
    const parent = this.tip;
    const depth = parent.depth + (type === 'quote' || type === 'item' ? 1 : 0);
    const block: Draft = { type, parent, children: [], isOpen: true, ...this.#fresh(depth), ...fields };
    parent.children.push(block);
    this.tip = block;
    return block;
  }

  /** Closes the open blocks inside this one. */
  closeInside(block: Draft): void {
    while (this.tip !== block) this.#closeTip();
  }

  #closeTip(): void {
    const block = this.tip;
    block.isOpen = false;
    this.tip = block.parent as Draft;
    if (block.type === 'paragraph') this.#finish(block);
    else if (block.type === 'list') block.isTight = isTight(block);
  }

  #finish(paragraph: Draft): void {
    this.define(paragraph);
    if (paragraph.lines.length === 0) this.tip.children.pop();
  }

  /** Closes the innermost block, such as code after its closing fence. */
  end(): void {
    this.#closeTip();
  }

  /** Moves the definitions at the start of a paragraph to blocks before it. */
  define(paragraph: Draft): void {
    if (!paragraph.lines[0]?.startsWith('[')) return;
    const siblings = (paragraph.parent as Draft).children;
    let text = paragraph.lines.join('\n');
    for (let found = takeDefinition(text); found; found = takeDefinition(text)) {
      const { label, url, title, length } = found;
      const isFirst = !this.definitions.has(label);
      if (isFirst) this.definitions.set(label, { url, title, isUsed: false });
      siblings.splice(siblings.length - 1, 0, {
        ...{
          type: 'definition',
          parent: undefined,
          children: [],
          isOpen: false,
          ...this.#fresh(paragraph.depth),
        },
        ...{ lines: [text.slice(0, length).trimEnd()], label: isFirst ? label : undefined },
      });
      text = text.slice(length);
    }
    paragraph.lines = text === '' ? [] : text.split('\n');
  }
}

/** Whether no blank line separates the items of a list, or the blocks of an item. */
const isTight = ({ children }: Draft): boolean =>
  children.every((item, at) => {
    const isLast = at === children.length - 1;
    return (
      (isLast || !endsBlank(item)) &&
      item.children.every(
        (block, place) => (isLast && place === item.children.length - 1) || !endsBlank(block),
      )
    );
  });

function endsBlank(block: Draft): boolean {
  let one: Draft | undefined = block;
  while (one && !one.endsBlank)
    one = one.type === 'list' || one.type === 'item' ? one.children.at(-1) : undefined;
  return one !== undefined;
}
