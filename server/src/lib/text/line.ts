/** A position in a line of a message. Tabs extend to the next multiple of four columns. */
export class Line {
  readonly text: string;
  /** The current position and its column. */
  at = 0;
  column = 0;
  /** The position of the next non-blank character, and the number of blank columns before it. */
  next = 0;
  indent = 0;
  isBlank = false;
  #nextColumn = 0;
  /** Whether the position is inside the tab at `at`. */
  #isInTab = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Finds the next non-blank character. */
  seek(): void {
    let { at, column } = this;
    for (let character = this.text[at]; isBlankAt(character); character = this.text[++at])
      column += character === '\t' ? 4 - (column % 4) : 1;
    this.next = at;
    this.#nextColumn = column;
    this.indent = column - this.column;
    this.isBlank = at >= this.text.length;
  }

  get isIndented(): boolean {
    return this.indent >= 4;
  }

  advanceToText(): void {
    this.at = this.next;
    this.column = this.#nextColumn;
    this.#isInTab = false;
  }

  /** Advances by columns, possibly into a tab. */
  advance(columns: number): void {
    for (let left = columns; left > 0 && this.at < this.text.length; ) {
      const width = this.text[this.at] === '\t' ? 4 - (this.column % 4) : 1;
      const step = Math.min(width, left);
      this.column += step;
      left -= step;
      this.#isInTab = step < width;
      if (!this.#isInTab) this.at += 1;
    }
  }

  get isAtBlank(): boolean {
    return isBlankAt(this.text[this.at]);
  }

  /** Returns the text from this position. The rest of a partially consumed tab becomes spaces. */
  rest(): string {
    return this.#isInTab
      ? ' '.repeat(4 - (this.column % 4)) + this.text.slice(this.at + 1)
      : this.text.slice(this.at);
  }
}

const isBlankAt = (character: string | undefined): boolean => character === ' ' || character === '\t';
