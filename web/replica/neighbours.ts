import type { Locks } from './tabs.ts';

const LOCK = 'palaver-tab';

interface NeighboursAround {
  locks: Locks;
  /** This tab's id. */
  id: string;
  /** Called when another tab has closed or crashed. Only one of the remaining tabs calls it at a time. */
  gone(id: string): Promise<void>;
}

/**
 * Detects when the browser's other tabs close: each holds a lock for its lifetime, and the others wait for
 * it.
 */
export class Neighbours {
  readonly #of: NeighboursAround;
  readonly #known = new Set<string>();
  readonly #over = new AbortController();
  #release: (() => void) | undefined;

  constructor(of: NeighboursAround) {
    this.#of = of;
    this.#known.add(of.id);
  }

  /** Resolves once this tab holds its lock. From then on, the other tabs notice when it closes. */
  live(): Promise<void> {
    const { locks, id } = this.#of;
    return new Promise((resolve) => {
      const hold = () =>
        new Promise<void>((release) => {
          this.#release = release;
          if (this.#over.signal.aborted) release();
          resolve();
        });
      locks.request(`${LOCK} ${id}`, { signal: this.#over.signal }, hold).catch(() => resolve());
    });
  }

  /** Waits for a tab to close, which may have happened already. Returns true if the tab was not known. */
  meet(id: string): boolean {
    const { locks, gone } = this.#of;
    if (this.#known.has(id)) return false;
    this.#known.add(id);
    // The request is aborted when this tab stops.
    locks.request(`${LOCK} ${id}`, { signal: this.#over.signal }, () => gone(id)).catch(() => undefined);
    return true;
  }

  stop(): void {
    this.#over.abort();
    this.#release?.();
  }
}
