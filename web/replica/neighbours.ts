import type { Locks } from './tabs.ts';

const LOCK = 'palaver-tab';

interface NeighboursAround {
  locks: Locks;
  /** This tab's id. */
  id: string;
  /** Another tab closed or crashed. Called in one of the remaining tabs at a time. */
  gone(id: string): Promise<void>;
}

/** Detects the end of the browser's other tabs: each holds a lock for its lifetime, and the others wait for it. */
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

  /** Waits for the end of a tab, which may have ended already. True if the tab was not known. */
  meet(id: string): boolean {
    const { locks, gone } = this.#of;
    if (this.#known.has(id)) return false;
    this.#known.add(id);
    // Aborted when this tab stops.
    locks.request(`${LOCK} ${id}`, { signal: this.#over.signal }, () => gone(id)).catch(() => undefined);
    return true;
  }

  stop(): void {
    this.#over.abort();
    this.#release?.();
  }
}
