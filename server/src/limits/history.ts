/** One subject's requests in the current window, as seen by this node. */
interface Known {
  /** When this node accepted requests, in milliseconds, ascending. */
  times: number[];
  /** How many of the latest `times` have not been reported to Valkey. */
  unreported: number;
  /** Requests accepted by all nodes in the window before `heardAt`, according to Valkey. */
  used: number;
  heardAt: number;
  /** Expired times are dropped once `times` has this length, so pruning takes amortized constant time. */
  pruneAt: number;
}

const FIRST_PRUNE = 32;

/**
 * A node's local copy of the current window: the requests that it accepted itself, and the cluster-wide count
 * in the last response from Valkey. With it, a node can fall back to local limits when Valkey fails, and
 * restore the counts in Valkey afterwards.
 */
export class History {
  readonly #subjects = new Map<string, Known>();
  readonly #window: number;
  readonly #now: () => number;
  #sweptAt: number;

  /** `window` and `now` are in milliseconds. */
  constructor(window: number, now: () => number) {
    this.#window = window;
    this.#now = now;
    this.#sweptAt = now();
  }

  /** Records a request that this node accepted. */
  accepted(subject: string, isReported: boolean): void {
    const now = this.#now();
    const known = this.#of(subject, now);
    known.times.push(now);
    if (!isReported) known.unreported++;
    if (known.times.length >= known.pruneAt) this.#prune(known, now);
  }

  /** Records that all nodes together have accepted `used` requests in the last window. */
  heard(subject: string, used: number): void {
    const now = this.#now();
    const known = this.#of(subject, now);
    known.used = used;
    known.heardAt = now;
  }

  /**
   * Returns the ages, in milliseconds and oldest first, of the slots that this node has used from its share
   * when a limit is split among `nodes`. If its share of the cluster-wide count exceeds its own count, the
   * difference is included with the age of Valkey's last response.
   */
  ages(subject: string, nodes: number): number[] {
    const known = this.#subjects.get(subject);
    if (!known) return [];
    const now = this.#now();
    const ages = this.#agesOf(known.times, now);
    const heard = Math.max(0, now - known.heardAt);
    if (heard >= this.#window) return ages;
    const part = Math.ceil(known.used / nodes);
    while (ages.length < part) ages.push(heard);
    return ages.sort((a, b) => b - a);
  }

  /**
   * Returns the ages of requests that have not been reported to Valkey yet, and marks them as reported.
   * Undefined if there are none.
   */
  takeUnreported(subject: string): { ages: number[]; amount: number } | undefined {
    const known = this.#subjects.get(subject);
    if (!known || known.unreported === 0) return undefined;
    const amount = known.unreported;
    known.unreported = 0;
    return { ages: this.#agesOf(known.times.slice(-amount), this.#now()), amount };
  }

  /** Marks the latest `amount` requests as unreported again, after a failed report. */
  putBack(subject: string, amount: number): void {
    const known = this.#subjects.get(subject);
    if (known) known.unreported = Math.min(known.times.length, known.unreported + amount);
  }

  /** Marks everything as unreported, after Valkey has lost its data. */
  forgotten(): void {
    for (const known of this.#subjects.values()) known.unreported = known.times.length;
  }

  /** Returns up to `limit` subjects with unreported requests. */
  unreported(limit: number): string[] {
    const found: string[] = [];
    for (const [subject, { unreported }] of this.#subjects) {
      if (found.length === limit) break;
      if (unreported > 0) found.push(subject);
    }
    return found;
  }

  #of(subject: string, now: number): Known {
    if (Math.abs(now - this.#sweptAt) >= this.#window) this.#sweep(now);
    let known = this.#subjects.get(subject);
    if (!known) {
      known = { times: [], unreported: 0, used: 0, heardAt: Number.NEGATIVE_INFINITY, pruneAt: FIRST_PRUNE };
      this.#subjects.set(subject, known);
    }
    return known;
  }

  /**
   * Returns the ages of times in the window. If the clock was set back, treats times in the future as the
   * current time.
   */
  #agesOf(times: readonly number[], now: number): number[] {
    return times.map((time) => Math.max(0, now - time)).filter((age) => age < this.#window);
  }

  #prune(known: Known, now: number): void {
    known.times = known.times.filter((time) => now - time < this.#window);
    known.unreported = Math.min(known.unreported, known.times.length);
    known.pruneAt = Math.max(FIRST_PRUNE, 2 * known.times.length);
  }

  /** Runs at most once per window. Drops subjects that have no requests in it. */
  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [subject, known] of this.#subjects) {
      this.#prune(known, now);
      if (known.times.length === 0 && now - known.heardAt >= this.#window) this.#subjects.delete(subject);
    }
  }
}
