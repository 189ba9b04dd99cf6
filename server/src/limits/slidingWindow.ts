/** A limiter's response to one request. */
export interface Verdict {
  accepted: boolean;
  /** The number of free slots. */
  remaining: number;
  /**
   * Milliseconds until the oldest slot becomes free. If the limit was lowered below the number of slots
   * taken, milliseconds until a request would be accepted. At least 1.
   */
  resetMs: number;
  /**
   * Milliseconds until the ceiling would accept a request, at least 1. Set only if the ceiling rejected the
   * request.
   */
  ceilingMs?: number;
}

/** A second window, shared by several subjects. An accepted request also takes a slot in it. */
export interface Ceiling {
  subject: string;
  /** The number of slots, at least 1. */
  limit: number;
}

/** A rate limiter, for one process or shared by nodes. */
export interface Limiter {
  /**
   * Takes one of `limit` slots (at least 1) in the subject's window, and one of the ceiling's, atomically. If
   * either is full, the request is rejected and takes no slot.
   */
  take(subject: string, limit: number, ceiling?: Ceiling): Verdict | Promise<Verdict>;
}

/**
 * An exact sliding-window log, with the times of accepted requests in a ring buffer of at most `limit`
 * entries. No span (t - window, t] has more than `limit` accepted requests. A slot becomes free exactly one
 * window after it was taken.
 */
class SlidingWindow {
  #times: Float64Array;
  #start = 0;
  #size = 0;

  constructor(limit: number) {
    this.#times = new Float64Array(Math.min(limit, 16));
  }

  /** Frees expired slots. Returns whether one is free. */
  hasRoom(now: number, limit: number, window: number): boolean {
    while (this.#size > 0 && this.#at(0) <= now - window) {
      this.#start = (this.#start + 1) % this.#times.length;
      this.#size--;
    }
    return this.#size < limit;
  }

  add(now: number, limit: number): void {
    if (this.#size === this.#times.length) this.#grow(limit);
    this.#times[(this.#start + this.#size) % this.#times.length] = now;
    this.#size++;
  }

  remaining(limit: number): number {
    return Math.max(0, limit - this.#size);
  }

  /** See `Verdict.resetMs`. */
  resetMs(now: number, limit: number, window: number): number {
    if (this.#size === 0) return window;
    return this.#at(Math.max(0, this.#size - limit)) + window - now;
  }

  /** Whether no slots are taken. */
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

/** The in-memory limiter of one process. Subjects without used slots are dropped once per window. */
export class MemoryLimiter implements Limiter {
  readonly #subjects = new Map<string, SlidingWindow>();
  readonly #window: number;
  readonly #now: () => number;
  /** Milliseconds since the start, on a clock that ignores backward steps of the wall clock. */
  #elapsed = 0;
  #wall: number;
  #sweptAt = 0;

  /** `window` is in milliseconds. */
  constructor(window: number, now: () => number) {
    this.#window = window;
    this.#now = now;
    this.#wall = now();
  }

  /**
   * Seeds the window of a new subject with slots that were taken the given numbers of milliseconds ago,
   * oldest first. Only the latest `limit` slots are kept.
   */
  begin(subject: string, limit: number, ages: () => readonly number[]): void {
    if (this.#subjects.has(subject)) return;
    const now = this.#tick();
    const slots = this.#slotsOf(subject, limit);
    for (const age of ages().slice(-limit)) slots.add(now - age, limit);
  }

  take(subject: string, limit: number, ceiling?: Ceiling): Verdict {
    const now = this.#tick();
    if (now - this.#sweptAt >= this.#window) this.#sweep(now);
    const own = this.#slotsOf(subject, limit);
    const shared = ceiling && this.#slotsOf(ceiling.subject, ceiling.limit);
    const isUnder = !shared || shared.hasRoom(now, ceiling.limit, this.#window);
    const accepted = own.hasRoom(now, limit, this.#window) && isUnder;
    if (accepted) {
      own.add(now, limit);
      shared?.add(now, ceiling?.limit as number);
    }
    const verdict = {
      accepted,
      remaining: own.remaining(limit),
      resetMs: own.resetMs(now, limit, this.#window),
    };
    return isUnder ? verdict : { ...verdict, ceilingMs: shared.resetMs(now, ceiling.limit, this.#window) };
  }

  /** Advances the clock. If the wall clock was set back, no time passes, so no slot becomes free early. */
  #tick(): number {
    const wall = this.#now();
    this.#elapsed += Math.max(0, wall - this.#wall);
    this.#wall = wall;
    return this.#elapsed;
  }

  #slotsOf(subject: string, limit: number): SlidingWindow {
    let slots = this.#subjects.get(subject);
    if (!slots) {
      slots = new SlidingWindow(limit);
      this.#subjects.set(subject, slots);
    }
    return slots;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [subject, slots] of this.#subjects) {
      if (slots.idleAt(now, this.#window)) this.#subjects.delete(subject);
    }
  }
}
