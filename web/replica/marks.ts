/** A read in flight. When its response is applied, rows that changed after the read began are skipped. */
export interface Begun {
  readonly time: number;
}

/** When an event last changed or removed each row. Kept for as long as reads in flight may need it. */
export class Marks {
  readonly #changed = new Map<string, number>();
  readonly #gone = new Map<string, number>();
  readonly #open = new Set<Begun>();
  #time = 0;
  /** Called when the last read in flight ends. */
  rested: () => void = () => {};

  /** Begins a read. Pass the returned object to `end`, whether the read succeeds or fails. */
  begin(): Begun {
    const begun = { time: this.#time };
    this.#open.add(begun);
    return begun;
  }

  /** Ends a read. If no others are in flight, the history is dropped, because every later read is newer. */
  end(begun: Begun): void {
    this.#open.delete(begun);
    if (this.#open.size > 0) return;
    this.#changed.clear();
    this.#gone.clear();
    this.rested();
  }

  /** True while a read is in flight. */
  get isReading(): boolean {
    return this.#open.size > 0;
  }

  change(key: string): void {
    if (this.#open.size > 0) this.#changed.set(key, ++this.#time);
  }

  remove(key: string): void {
    if (this.#open.size > 0) this.#gone.set(key, ++this.#time);
  }

  /** True if the row was removed or an event changed it since the read began: the response may be stale. */
  isNewer(key: string, { time }: Begun): boolean {
    return this.#gone.has(key) || (this.#changed.get(key) ?? -1) > time;
  }
}
