/** What waits, in lines: each of these gets its turn after all others that have something waiting. */
export class Lines<T> {
  /** The lines that are not empty, in the order of their turns. */
  readonly #lines = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  has(name: string): boolean {
    return this.#lines.has(name);
  }

  add(name: string, item: T): void {
    const line = this.#lines.get(name);
    if (line) line.push(item);
    else this.#lines.set(name, [item]);
  }

  /** The first of the line whose turn it is; undefined if nothing waits. */
  shift(): T | undefined {
    for (const [name, line] of this.#lines) {
      const item = line.shift();
      this.#lines.delete(name);
      if (line.length > 0) this.#lines.set(name, line);
      return item;
    }
    return undefined;
  }
}
