interface Entry<V> {
  value: V;
  /** Whether the entry was looked up or set since it last moved to the back of the queue. */
  isUsed: boolean;
}

/**
 * A cache of at most `size` entries with CLOCK (second chance) eviction. A lookup only sets a flag. A true
 * LRU cache would delete and re-insert the entry on every lookup. V8 would rehash such a map again and again,
 * and its old tables, each of which references the next, would survive young-generation collections along
 * with everything allocated in between.
 */
export class Recent<K, V> {
  readonly #size: number;
  /** The first entry is evicted next, unless it has been used. */
  readonly #entries = new Map<K, Entry<V>>();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  set(key: K, value: V): void {
    const entry = this.#entries.get(key);
    if (entry) {
      entry.value = value;
      entry.isUsed = true;
      return;
    }
    if (this.#entries.size >= this.#size) this.#forgetOne();
    this.#entries.set(key, { value, isUsed: false });
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  /** Entries that were used move to the back of the queue. */
  #forgetOne(): void {
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key);
      if (!entry.isUsed) return;
      entry.isUsed = false;
      this.#entries.set(key, entry);
    }
  }
}
