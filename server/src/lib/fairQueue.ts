/** A fair queue: round-robin over named queues, such as one per tenant. */
export class FairQueue<T> {
  /** The non-empty queues, in round-robin order. */
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

  /** Removes the first item of the next queue; undefined if all are empty. */
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
