interface Entry<V> {
  value: V;
  weight: number;
}

/** A cache that evicts the least recently used entries once their total weight exceeds a limit. */
export class Weighted<K, V> {
  readonly #most: number;
  /** The first entry is the least recently used. */
  readonly #entries = new Map<K, Entry<V>>();
  #weight = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The total weight of all entries. */
  get weight(): number {
    return this.#weight;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Returns the value of a key, without marking it as used. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Adds or replaces an entry. An entry heavier than the limit is not cached. */
  set(key: K, value: V, weight: number): void {
    this.delete(key);
    if (weight > this.#most) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}
