/** Runs a function soon: in the next animation frame of a page that is shown, otherwise as a microtask or a timer. */
export type Schedule = (run: () => void) => void;

/** Listeners by key. Many changes of one moment call each listener once. */
export class Subscriptions {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #changed = new Set<string>();
  readonly #awaited = new Map<string, () => void>();
  readonly #schedule: Schedule;
  #isScheduled = false;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Calls `listen` after the key has changed, until the function that it returns is called. */
  subscribe(key: string, listen: () => void): () => void {
    const those = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, those.add(listen));
    return () => {
      those.delete(listen);
      if (those.size === 0 && this.#listeners.get(key) === those) this.#listeners.delete(key);
    };
  }

  /** Resolves once the key changes, before anything is drawn. */
  next(key: string): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#awaited.get(key);
      this.#awaited.set(key, () => {
        before?.();
        resolve();
      });
    });
  }

  /** True if anybody listens to the key. */
  has(key: string): boolean {
    return this.#listeners.has(key);
  }

  changed(key: string): void {
    this.#awaited.get(key)?.();
    this.#awaited.delete(key);
    if (!this.#listeners.has(key)) return;
    this.#changed.add(key);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => this.#tell());
  }

  #tell(): void {
    this.#isScheduled = false;
    const told = new Set<() => void>();
    for (const key of this.#changed) for (const listen of this.#listeners.get(key) ?? []) told.add(listen);
    this.#changed.clear();
    for (const listen of told) listen();
  }
}
