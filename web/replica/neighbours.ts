import type { Locks } from './tabs.ts';

const LOCK = 'palaver-tab';

interface NeighboursAround {
  locks: Locks;
  /** The id of this tab. */
  id: string;
  /** Another tab is gone: closed, or crashed. Called by one of those that are left at a time. */
  gone(id: string): Promise<void>;
}

/** The other tabs of a browser: each holds a lock of its own as long as it lives, for which the others wait. */
export class Neighbours {
  readonly #of: NeighboursAround;
  readonly #known = new Set<string>();
  readonly #over = new AbortController();
  #release: (() => void) | undefined;

  constructor(of: NeighboursAround) {
    this.#of = of;
    this.#known.add(of.id);
  }

  /** Resolves once this tab holds its lock: from then on the others notice its end. */
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

  /** Waits for the end of a tab that is there, or has been. True if it was not known. */
  meet(id: string): boolean {
    const { locks, gone } = this.#of;
    if (this.#known.has(id)) return false;
    this.#known.add(id);
    // Aborted when this tab ends itself.
    locks.request(`${LOCK} ${id}`, { signal: this.#over.signal }, () => gone(id)).catch(() => undefined);
    return true;
  }

  stop(): void {
    this.#over.abort();
    this.#release?.();
  }
}
