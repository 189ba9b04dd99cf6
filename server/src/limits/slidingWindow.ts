/** The answer of a limiter to one request. */
export interface Verdict {
  accepted: boolean;
  /** Free slots. */
  remaining: number;
  /**
   * Milliseconds until the oldest taken slot is free again. If the limit was lowered below the slots taken: until a
   * request would be accepted. At least 1.
   */
  resetMs: number;
}

/** A rate limiter, of one process or shared by nodes. */
export interface Limiter {
  /** Takes one of `limit` slots (at least 1) in the window of `subject`. A refused request takes no slot. */
  take(subject: string, limit: number): Verdict | Promise<Verdict>;
}

/**
 * An exact sliding window: the times of the accepted requests, in a ring buffer of at most `limit`. No span
 * (t - window, t] has more than `limit` accepted requests. A slot is free exactly one window after it was taken.
 */
class SlidingWindow {
  #times: Float64Array;
  #start = 0;
  #size = 0;

  constructor(limit: number) {
    this.#times = new Float64Array(Math.min(limit, 16));
  }

  take(now: number, limit: number, window: number): Verdict {
    while (this.#size > 0 && this.#at(0) <= now - window) {
      this.#start = (this.#start + 1) % this.#times.length;
      this.#size--;
    }
    const accepted = this.#size < limit;
    if (accepted) {
      if (this.#size === this.#times.length) this.#grow(limit);
      this.#times[(this.#start + this.#size) % this.#times.length] = now;
      this.#size++;
    }
    const excess = Math.max(0, this.#size - limit);
    return {
      accepted,
      remaining: Math.max(0, limit - this.#size),
      resetMs: this.#at(excess) + window - now,
    };
  }

  /** True if no slot is taken. */
  idleAt(now: number, window: number): boolean {
    return this.#size === 0 || this.#at(this.#size - 1) <= now - window;
  }

  #at(index: number): number {
    return this.#times[(this.#start + index) % this.#times.length] as number;
  }

  #grow(limit: number): void {
    const larger = new Float64Array(Math.min(limit, this.#times.length * 2));
    for (let index = 0; index < this.#size; index++) larger[index] = this.#at(index);
    this.#times = larger;
    this.#start = 0;
  }
}

/** The limiter of one process. Once a window it drops subjects without a taken slot. */
export class MemoryLimiter implements Limiter {
  readonly #subjects = new Map<string, SlidingWindow>();
  readonly #window: number;
  readonly #now: () => number;
  /** Milliseconds since the start. Steps of the clock backwards do not count. */
  #elapsed = 0;
  #wall: number;
  #sweptAt = 0;

  /** `window` in milliseconds. */
  constructor(window: number, now: () => number) {
    this.#window = window;
    this.#now = now;
    this.#wall = now();
  }

  take(subject: string, limit: number): Verdict {
    // When the wall clock is set back, no time passes in that step. So no slot is freed early, and the window moves on
    // at once.
    const wall = this.#now();
    this.#elapsed += Math.max(0, wall - this.#wall);
    this.#wall = wall;
    const now = this.#elapsed;
    if (now - this.#sweptAt >= this.#window) this.#sweep(now);
    let slots = this.#subjects.get(subject);
    if (!slots) {
      slots = new SlidingWindow(limit);
      this.#subjects.set(subject, slots);
    }
    return slots.take(now, limit, this.#window);
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [subject, slots] of this.#subjects) {
      if (slots.idleAt(now, this.#window)) this.#subjects.delete(subject);
    }
  }
}
