/** A read under way: of its answer, rows are left out that have changed since it began. */
export interface Begun {
  readonly time: number;
}

/** When each row has changed or gone by an event, as far as reads that are under way can need it. */
export class Marks {
  readonly #changed = new Map<string, number>();
  readonly #gone = new Map<string, number>();
  readonly #open = new Set<Begun>();
  #time = 0;
  /** Called when no read is under way any more. */
  rested: () => void = () => {};

  /** Begins a read. Call `end` with what it returns, whether the read succeeds or not. */
  begin(): Begun {
    const begun = { time: this.#time };
    this.#open.add(begun);
    return begun;
  }

  /** Ends a read. Without any under way nothing has to be remembered: whatever is read from now on is newer. */
  end(begun: Begun): void {
    this.#open.delete(begun);
    if (this.#open.size > 0) return;
    this.#changed.clear();
    this.#gone.clear();
    this.rested();
  }

  /** True while any read is under way. */
  get isReading(): boolean {
    return this.#open.size > 0;
  }

  change(key: string): void {
    if (this.#open.size > 0) this.#changed.set(key, ++this.#time);
  }

  remove(key: string): void {
    if (this.#open.size > 0) this.#gone.set(key, ++this.#time);
  }

  /** True if the row is gone, or an event has changed it since the read began: the answer may be older. */
  isNewer(key: string, { time }: Begun): boolean {
    return this.#gone.has(key) || (this.#changed.get(key) ?? -1) > time;
  }
}
