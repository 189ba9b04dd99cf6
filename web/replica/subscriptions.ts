/**
 * Runs a function soon: before the next animation frame if the page is visible, otherwise in a microtask or
 * timer.
 */
export type Schedule = (run: () => void) => void;

/** Listeners by key. Changes are batched: each listener is called once per batch. */
export class Subscriptions {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #changed = new Set<string>();
  readonly #awaited = new Map<string, () => void>();
  readonly #schedule: Schedule;
  #isScheduled = false;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Calls `listen` after the key changes. Returns a function that unsubscribes. */
  subscribe(key: string, listen: () => void): () => void {
    const those = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, those.add(listen));
    return () => {
      those.delete(listen);
      if (those.size === 0 && this.#listeners.get(key) === those) this.#listeners.delete(key);
    };
  }

  /** Resolves when the key changes, before rendering. */
  next(key: string): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#awaited.get(key);
      this.#awaited.set(key, () => {
        before?.();
        resolve();
      });
    });
  }

  /** True if the key has a listener. */
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
