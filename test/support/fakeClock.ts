import { setImmediate as turn } from 'node:timers/promises';
import type { Around } from '../../web/replica/around.ts';

/** A clock for the web client's replica. Its timers only run when the test advances it. */
export class FakeClock implements Around {
  #now: number;
  #ids = 0;
  readonly #timers = new Set<{ at: number; run: () => void }>();
  /** The next random number. */
  randomness = 0;

  constructor(now = 0) {
    this.#now = now;
  }

  now = (): number => this.#now;

  random = (): number => this.randomness;

  id = (): string => `id-${++this.#ids}`;

  after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** The time in milliseconds until each pending timer fires, the earliest first. */
  get delays(): number[] {
    return [...this.#timers].map(({ at }) => at - this.#now).toSorted((one, other) => one - other);
  }

  /** Advances the clock without running timers, as when the machine sleeps. */
  sleep(ms: number): void {
    this.#now += ms;
  }

  /** Advances the clock and runs the timers that are due in between, and what they cause. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await turn();
    for (;;) {
      const [next] = [...this.#timers]
        .filter(({ at }) => at <= end)
        .toSorted((one, other) => one.at - other.at);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await turn();
    }
    this.#now = end;
  }
}
