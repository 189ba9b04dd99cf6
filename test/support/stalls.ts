import { waitedMs } from '../../bench/processes.ts';

/** The interval of the timer. */
const TICK_MS = 20;
/** A tick that is at least this late indicates a stall. */
const LATE_MS = 60;

/**
 * Measures how long the machine did not run this process, or one of the given processes although it was ready to run.
 * Tests with a time limit for another process add this time to the limit, because a busy machine delays that process,
 * too.
 */
export class Stalls {
  readonly #stalls: { end: number; ms: number }[] = [];
  /** For each of the given processes, how long it had waited for a core in total at each tick. */
  readonly #waits: Map<number, { at: number; ms: number }[]>;
  readonly #timer: NodeJS.Timeout;
  #last = performance.now();

  constructor(...pids: number[]) {
    this.#waits = new Map(pids.map((pid) => [pid, [{ at: this.#last, ms: waitedMs(pid) }]]));
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  /**
   * How long this process or, if longer, a given process was stalled since a time from `performance.now()`, in ms.
   */
  since(moment: number): number {
    this.#tick();
    const own = this.#stalls
      .filter(({ end }) => end > moment)
      .reduce((sum, { end, ms }) => sum + Math.min(ms, end - moment), 0);
    const waits = [...this.#waits.values()].map((ticks) => {
      const before = ticks.findLast(({ at }) => at <= moment) ?? ticks[0];
      return (ticks.at(-1)?.ms ?? 0) - (before?.ms ?? 0);
    });
    return Math.max(own, ...waits);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    const late = now - this.#last - TICK_MS;
    if (late > LATE_MS) this.#stalls.push({ end: now, ms: late });
    this.#last = now;
    for (const [pid, ticks] of this.#waits) ticks.push({ at: now, ms: waitedMs(pid) });
  }
}
