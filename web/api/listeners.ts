/** A set of listeners for one kind of event. */
export class Listeners<A extends readonly unknown[] = []> {
  readonly #all = new Set<(...news: A) => void>();

  /** Returns a function that removes the listener. */
  add(listener: (...news: A) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(...news: A): void {
    for (const listener of [...this.#all]) listener(...news);
  }
}
