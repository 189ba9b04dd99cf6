/**
 * Returns the number of bits that are set in a 32-bit word, added in parallel (Warren, Hacker's Delight,
 * section 5-1).
 */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** A set of a block's messages, by number. */
export class Numbers {
  readonly #words: Uint32Array;

  constructor(messages: number) {
    this.#words = new Uint32Array(Math.ceil(messages / 32));
  }

  static all(messages: number): Numbers {
    const numbers = new Numbers(messages);
    numbers.#words.fill(0xffff_ffff);
    return numbers;
  }

  add(number: number): void {
    const at = number >>> 5;
    this.#words[at] = (this.#words[at] as number) | (1 << (number & 31));
  }

  has(number: number): boolean {
    return ((this.#words[number >>> 5] as number) & (1 << (number & 31))) !== 0;
  }

  /** Keeps the numbers that are also in one of the other sets. Null is an empty set. */
  intersect(others: readonly (Numbers | null)[]): void {
    const some = others.filter((other) => other !== null);
    for (let at = 0; at < this.#words.length; at++) {
      let word = 0;
      for (let index = 0; index < some.length; index++) word |= (some[index] as Numbers).#words[at] as number;
      this.#words[at] = (this.#words[at] as number) & word;
    }
  }

  /** Removes the numbers that are in the other set. Null is an empty set. */
  subtract(other: Numbers | null): void {
    if (!other) return;
    for (let at = 0; at < this.#words.length; at++)
      this.#words[at] = (this.#words[at] as number) & ~(other.#words[at] as number);
  }

  get isEmpty(): boolean {
    for (let at = 0; at < this.#words.length; at++) if (this.#words[at] !== 0) return false;
    return true;
  }

  get count(): number {
    let count = 0;
    for (let at = 0; at < this.#words.length; at++) count += bitsIn(this.#words[at] as number);
    return count;
  }

  /** Returns the first number at or after `from`, or in descending order, the last one at or before it. */
  next(from: number, isDown: boolean): number | undefined {
    const step = isDown ? -1 : 1;
    for (let number = from; number >= 0 && number < this.#words.length * 32; ) {
      if (this.#words[number >>> 5] === 0) {
        number = isDown ? (number & ~31) - 1 : (number | 31) + 1;
        continue;
      }
      if (this.has(number)) return number;
      number += step;
    }
    return undefined;
  }
}
