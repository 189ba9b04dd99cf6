/** How often it is looked, in milliseconds. */
const TICK_MS = 20;
/** A tick that comes later than this is taken for a stall of the machine, in milliseconds. */
const LATE_MS = 60;

/**
 * Notes when the machine had no time for this process. A test that holds how soon another process does something adds
 * what is noted here: on a busy machine that one has waited too.
 */
export class Stalls {
  readonly #stalls: { end: number; ms: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #last = performance.now();

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  /** How long it was stalled since a moment of `performance.now()`, in milliseconds. */
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
