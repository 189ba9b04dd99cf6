/** The interval of the timer. */
const TICK_MS = 20;
/** A tick with at least this delay counts as a stall. */
const LATE_MS = 60;

/**
 * Measures the time for which the machine did not run this process. Tests with a time limit for another process add this time
 * to the limit, since a busy machine delays that process too.
 */
export class Stalls {
  readonly #stalls: { end: number; ms: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #last = performance.now();

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  /** Milliseconds of stalls since a time of `performance.now()`. */
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
