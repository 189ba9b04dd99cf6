const HOUR_MS = 60 * 60_000;
/** Number of hours that are counted, including the current one. */
export const COUNTED_HOURS = 48;
/**
 * Maximum number of keys that are counted; the least recently used are dropped. A key takes about a kilobyte.
 */
const MAX_KEYS = 5_000;

/** Number of counters per hour: forbidden, rate limited, and all other requests. */
const WIDTH = 3;

/** Counts of a key's requests in one hour. */
export interface KeyHour {
  /** The start of the hour, in milliseconds since the Unix epoch. */
  at: number;
  answered: number;
  refused: number;
  limited: number;
}

interface Counted {
  serverId: string | null;
  /** The last hour with a request, as a number of hours since the Unix epoch. */
  hour: number;
  /** Counters per hour, in a ring buffer. */
  counters: Uint32Array;
}

/**
 * Counts each API key's requests per hour in memory: forbidden (403), rate limited (429), and all others.
 * Uses no timers, and no memory for keys without requests.
 */
export class KeyCounts {
  /** When this process started counting, in milliseconds since the Unix epoch. */
  readonly since: number;
  readonly #now: () => number;
  /** The keys, ordered by the start of their latest hour. */
  readonly #keys = new Map<string, Counted>();

  constructor(now: () => number) {
    this.#now = now;
    this.since = now();
  }

  /** Counts a request by the status of its response. */
  note(keyId: string, serverId: string | null, status: number): void {
    const hour = Math.floor(this.#now() / HOUR_MS);
    const { counters } = this.#inHour(keyId, serverId, hour);
    const outcome = status === 403 ? 1 : status === 429 ? 2 : 0;
    const place = (hour % COUNTED_HOURS) * WIDTH + outcome;
    counters[place] = (counters[place] ?? 0) + 1;
  }

  #inHour(keyId: string, serverId: string | null, hour: number): Counted {
    const known = this.#keys.get(keyId);
    if (known?.hour === hour) return known;
    this.#keys.delete(keyId);
    const counted = known ?? { serverId, hour, counters: new Uint32Array(COUNTED_HOURS * WIDTH) };
    // The slots for the hours since the last request still contain counts from two days earlier.
    for (let past = Math.max(counted.hour + 1, hour - COUNTED_HOURS + 1); past <= hour; past++)
      counted.counters.fill(0, (past % COUNTED_HOURS) * WIDTH, (past % COUNTED_HOURS) * WIDTH + WIDTH);
    counted.hour = hour;
    this.#keys.set(keyId, counted);
    if (this.#keys.size > MAX_KEYS) this.#keys.delete(this.#keys.keys().next().value as string);
    return counted;
  }

  /** Returns the hours with requests for each key of a server, earliest first. */
  of(serverId: string): { keyId: string; hours: KeyHour[] }[] {
    const present = Math.floor(this.#now() / HOUR_MS);
    const found: { keyId: string; hours: KeyHour[] }[] = [];
    for (const [keyId, { serverId: of, hour: last, counters }] of this.#keys) {
      if (of !== serverId) continue;
      const hours: KeyHour[] = [];
      for (let hour = present - COUNTED_HOURS + 1; hour <= last; hour++) {
        const place = (hour % COUNTED_HOURS) * WIDTH;
        const [answered = 0, refused = 0, limited = 0] = counters.subarray(place, place + WIDTH);
        if (answered + refused + limited > 0) hours.push({ at: hour * HOUR_MS, answered, refused, limited });
      }
      if (hours.length > 0) found.push({ keyId, hours });
    }
    return found;
  }
}
