import type { Run } from './delimiters.ts';
import { textOfInlines } from './inlineText.ts';
import { tailOf } from './names.ts';
import type { Inline } from './nodes.ts';

/** A bracket that may start a link or an image. If `target` is set, it starts one. */
export interface Bracket {
  isImage: boolean;
  /** The position of the bracket's text. */
  at: number;
  /** The last delimiter run before the bracket. */
  run: Run | undefined;
  hasInner: boolean;
  target?: { url: string; title: string };
}

/** The end of a link or an image. */
export const CLOSE: unique symbol = Symbol('close');

/**
 * A piece of a text. A run or bracket starts or ends the spans it was paired for. The unpaired marks of a run
 * are text.
 */
export type Item = string | Inline | Run | Bracket | typeof CLOSE;

/** Maximum nesting of emphasis. Deeper levels have no effect. */
const MAX_DEPTH = 20;

/** An open span. Its children may belong to the span around it. */
interface Level {
  children: Inline[];
  close: (children: Inline[]) => Inline | undefined;
  isInLink: boolean;
}

/** Builds a tree from the pieces of a text. */
export const assembled = (items: readonly Item[]): Inline[] => new Assembly().of(items);

class Assembly {
  readonly #levels: Level[] = [{ children: [], close: () => undefined, isInLink: false }];

  get #top(): Level {
    return this.#levels.at(-1) as Level;
  }

  of(items: readonly Item[]): Inline[] {
    for (const item of items) this.#add(item);
    return this.#top.children;
  }

  #add(item: Item): void {
    if (typeof item === 'string') this.#text(item);
    else if (item === CLOSE) this.#close();
    else if ('opens' in item) this.#run(item);
    else if ('isImage' in item) this.#bracket(item);
    else if (item.type === 'name' && this.#top.isInLink) this.#text(item.mark + item.name);
    else if (item.type === 'link' && this.#top.isInLink) for (const child of item.children) this.#node(child);
    else this.#top.children.push(item);
  }

  #node(node: Inline): void {
    if (node.type === 'text') this.#text(node.text);
    else this.#top.children.push(node);
  }

  #text(text: string): void {
    if (text === '') return;
    const { children } = this.#top;
    const last = children.at(-1);
    if (last?.type === 'text') last.text += text;
    else if (last?.type === 'name' && last.tail === '') {
      last.tail = tailOf(text);
      if (last.tail.length < text.length) children.push({ type: 'text', text: text.slice(last.tail.length) });
    } else children.push({ type: 'text', text });
  }

  #run({ opens, closes, left, mark }: Run): void {
    for (let count = closes; count > 0; count--) this.#close();
    this.#text(mark.repeat(left));
    for (const type of opens.toReversed()) this.#open(this.#top.isInLink, (children) => ({ type, children }));
  }

  #bracket({ isImage, target }: Bracket): void {
    if (!target) this.#text(isImage ? '![' : '[');
    else if (isImage)
      this.#open(true, (children) => ({ type: 'image', ...target, text: textOfInlines(children) }));
    else if (this.#top.isInLink) this.#openNothing();
    else this.#open(true, (children) => ({ type: 'link', ...target, children }));
  }

  #open(isInLink: boolean, close: Level['close']): void {
    if (this.#levels.length > MAX_DEPTH) this.#openNothing(isInLink);
    else this.#levels.push({ children: [], close, isInLink });
  }

  /** Opens a span that is not rendered. */
  #openNothing(isInLink = true): void {
    this.#levels.push({ children: this.#top.children, close: () => undefined, isInLink });
  }

  #close(): void {
    const { children, close } = this.#levels.pop() as Level;
    const node = close(children);
    if (node) this.#top.children.push(node);
  }
}
