/** The interval of the timer. */
const TICK_MS = 20;
/** A tick that is at least this late indicates a stall. */
const LATE_MS = 60;

/**
 * Measures how long the machine did not run this process. Tests with a time limit for another process add this time
 * to the limit, because a busy machine delays that process, too.
 */
export class Stalls {
  readonly #stalls: { end: number; ms: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #last = performance.now();

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  /** Returns the length of all stalls, in milliseconds, since a time from `performance.now()`. */
  since(moment: number): number {
    this.#tick();
    return this.#stalls
      .filter(({ end }) => end > moment)
      .reduce((sum, { end, ms }) => sum + Math.min(ms, end - moment), 0);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    const late = now - this.#last - TICK_MS;
    if (late > LATE_MS) this.#stalls.push({ end: now, ms: late });
    this.#last = now;
  }
}
