/**
 * A map that keeps the entries used last: `size` at most, and at least half as many. They stand in two halves, so that a look-up
 * of an entry that is in use changes nothing. A single map in the order of use would take the entry out and put it in
 * again; V8 makes a new table for such a map ever so often, and each table holds the next one, so that these and all that was
 * made meanwhile outlive collections of the young generation.
 */
export class Recent<K, V> {
  readonly #half: number;
  /** Used since the halves were exchanged. */
  #recent = new Map<K, V>();
  #before = new Map<K, V>();

  /** @param size The entries that it keeps at most: 2 or more. */
  constructor(size: number) {
    this.#half = Math.floor(size / 2);
  }

  get(key: K): V | undefined {
    const value = this.#recent.get(key);
    if (value !== undefined) return value;
    const older = this.#before.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    this.#before.delete(key);
    this.#recent.set(key, value);
    if (this.#recent.size < this.#half) return;
    this.#before = this.#recent;
    this.#recent = new Map();
  }

  delete(key: K): void {
    this.#recent.delete(key);
    this.#before.delete(key);
  }
}
