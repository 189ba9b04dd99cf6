/**
 * Finds the code spans in a text. Caches the last backtick run of each length, which makes the search linear.
 */
export class CodeSpans {
  readonly #text: string;
  /** The last run of each length. Undefined until it is needed. */
  #lasts: Map<number, number> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Returns the code span that starts with the backticks at this position. Without a matching end, the
   * backticks are text up to `end`.
   */
  at(from: number): { text?: string; end: number } {
    const begin = this.#runEnd(from);
    const length = begin - from;
    this.#lasts ??= this.#lastRuns(from);
    if ((this.#lasts.get(length) ?? -1) <= from) return { end: begin };
    let close = this.#text.indexOf('`', begin);
    for (let end = this.#runEnd(close); end - close !== length; end = this.#runEnd(close))
      close = this.#text.indexOf('`', end);
    const text = this.#text.slice(begin, close).replaceAll('\n', ' ');
    const isPadded = text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text);
    return { text: isPadded ? text.slice(1, -1) : text, end: close + length };
  }

  #runEnd(from: number): number {
    let end = from;
    while (this.#text[end] === '`') end += 1;
    return end;
  }

  #lastRuns(from: number): Map<number, number> {
    const lasts = new Map<number, number>();
    for (let at = this.#text.indexOf('`', from); at >= 0; ) {
      const end = this.#runEnd(at);
      lasts.set(end - at, at);
      at = this.#text.indexOf('`', end);
    }
    return lasts;
  }
}
