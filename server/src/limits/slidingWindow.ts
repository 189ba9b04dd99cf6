/** What a limiter says of one request. */
export interface Verdict {
  accepted: boolean;
  /** Slots that are still free. */
  remaining: number;
  /**
   * Milliseconds until the oldest taken slot is free again; or, where more are taken than there are since the limit was
   * lowered, until one can be taken. At least 1.
   */
  resetMs: number;
}

/** One contract for the limiter of a process and one that nodes share. */
export interface Limiter {
  /** Asks for a slot among `limit` (at least 1) in the window of `subject`. A refused request takes none. */
  take(subject: string, limit: number): Verdict | Promise<Verdict>;
}

/**
 * The exact sliding window: the log of the moments at which requests were accepted, as a ring of at most `limit`.
 * In no span (t - window, t] are more than `limit` accepted, and a slot is free exactly one window after it was taken.
 */
class Log {
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

  /** True when no slot is taken any more. */
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

/** The limiter of one process. Logs without a taken slot are forgotten once a window. */
export class MemoryLimiter implements Limiter {
  readonly #logs = new Map<string, Log>();
  readonly #window: number;
  readonly #now: () => number;
  /** Milliseconds since the start, without the steps back. */
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
    // A clock that is set back stands still for that one step: it neither frees a slot early nor stops the window
    // until it is where it was.
    const wall = this.#now();
    this.#elapsed += Math.max(0, wall - this.#wall);
    this.#wall = wall;
    const now = this.#elapsed;
    if (now - this.#sweptAt >= this.#window) this.#sweep(now);
    let log = this.#logs.get(subject);
    if (!log) {
      log = new Log(limit);
      this.#logs.set(subject, log);
    }
    return log.take(now, limit, this.#window);
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [subject, log] of this.#logs) if (log.idleAt(now, this.#window)) this.#logs.delete(subject);
  }
}
