/** The requests of one subject in the last window, as one node knows them. */
interface Known {
  /** When this node accepted requests, in milliseconds, ascending. */
  times: number[];
  /** How many of them, the latest, Valkey has not been told of. */
  unreported: number;
  /** The requests that all nodes together had accepted in the window before `heardAt`, as Valkey said. */
  used: number;
  heardAt: number;
  /** The length of `times` at which those that have left the window are dropped. */
  pruneAt: number;
}

const FIRST_PRUNE = 32;

/**
 * What a node remembers of the last window, so that limits go on where they were when Valkey is lost: the requests that
 * it accepted itself, and how many all nodes together had accepted, as it last heard.
 */
export class History {
  readonly #subjects = new Map<string, Known>();
  readonly #window: number;
  readonly #now: () => number;
  #sweptAt: number;

  /** `window` and `now` in milliseconds. */
  constructor(window: number, now: () => number) {
    this.#window = window;
    this.#now = now;
    this.#sweptAt = now();
  }

  /** This node has accepted a request. */
  accepted(subject: string, isReported: boolean): void {
    const now = this.#now();
    const known = this.#of(subject, now);
    known.times.push(now);
    if (!isReported) known.unreported++;
    if (known.times.length >= known.pruneAt) this.#prune(known, now);
  }

  /** All nodes together have accepted `used` requests in the last window. */
  heard(subject: string, used: number): void {
    const now = this.#now();
    const known = this.#of(subject, now);
    known.used = used;
    known.heardAt = now;
  }

  /**
   * The ages, in milliseconds, of the slots that this node has given, for its part of a limit that `nodes` share. Where
   * all together have given more than it knows of, its part of these counts as given when it heard of them.
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

  /** The ages of the requests that Valkey has not been told of; they count as told. Undefined if there are none. */
  takeUnreported(subject: string): { ages: number[]; amount: number } | undefined {
    const known = this.#subjects.get(subject);
    if (!known || known.unreported === 0) return undefined;
    const amount = known.unreported;
    known.unreported = 0;
    return { ages: this.#agesOf(known.times.slice(-amount), this.#now()), amount };
  }

  /** Takes back that `amount` requests have been told: the report failed. */
  putBack(subject: string, amount: number): void {
    const known = this.#subjects.get(subject);
    if (known) known.unreported = Math.min(known.times.length, known.unreported + amount);
  }

  /** Valkey has lost all that it was told. */
  forgotten(): void {
    for (const known of this.#subjects.values()) known.unreported = known.times.length;
  }

  /** Up to `limit` subjects with requests that Valkey has not been told of. */
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

  /** If the clock was set back, a time ahead of it counts as now. */
  #agesOf(times: readonly number[], now: number): number[] {
    return times.map((time) => Math.max(0, now - time)).filter((age) => age < this.#window);
  }

  #prune(known: Known, now: number): void {
    known.times = known.times.filter((time) => now - time < this.#window);
    known.unreported = Math.min(known.unreported, known.times.length);
    known.pruneAt = Math.max(FIRST_PRUNE, 2 * known.times.length);
  }

  /** Drops all that has left the window, once a window. */
  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [subject, known] of this.#subjects) {
      this.#prune(known, now);
      if (known.times.length === 0 && now - known.heardAt >= this.#window) this.#subjects.delete(subject);
    }
  }
}
