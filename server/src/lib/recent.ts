interface Entry<V> {
  value: V;
  /** True if it was looked up since it was last first in line to be forgotten. */
  isUsed: boolean;
}

/**
 * A map of at most `size` entries, which forgets one that was not used for long. A look-up changes no order. A map in the
 * exact order of use would take the entry out and put it in again each time; V8 makes a new table for such a map ever so often,
 * and each table holds the next one, so that these and all that was made meanwhile outlive collections of the young generation.
 */
export class Recent<K, V> {
  readonly #size: number;
  /** The first is the next to be forgotten, unless it was used. */
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

  /** Entries that were used go to the end of the line. */
  #forgetOne(): void {
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key);
      if (!entry.isUsed) return;
      entry.isUsed = false;
      this.#entries.set(key, entry);
    }
  }
}
