/** Makes choices from numbers drawn in advance, so a failing run can be repeated. */
export class Choice {
  readonly #numbers: readonly number[];
  #next = 0;
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }
  number(below: number): number {
    return (this.#numbers[this.#next++ % this.#numbers.length] as number) % below;
  }
  flag(): boolean {
    return this.number(2) === 1;
  }
  /** Returns an element of the list, or undefined if it is empty. */
  of<T>(list: readonly T[]): T {
    return list[this.number(Math.max(1, list.length))] as T;
  }
}
