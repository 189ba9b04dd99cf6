import type { LiveEvent } from './types.ts';

/** If a log has more missed events than this, a snapshot is faster than a replay. */
const MOST_REPLAYED = 2_000;

/** Counts the replayed events of each log in a stream: events older than the stream. */
export class Backlog {
  readonly #openedAt: number;
  readonly #counts = new Map<string | null, number>();

  /** `date` is the response's `Date` header. It uses the same clock as event times, truncated to seconds. */
  constructor(date: string | null) {
    this.#openedAt = Date.parse(date ?? '') + 1_000;
  }

  /** True if too many events of this event's log were missed. */
  isTooLong({ serverId, at }: LiveEvent): boolean {
    if (!(at < this.#openedAt)) return false;
    const count = (this.#counts.get(serverId) ?? 0) + 1;
    this.#counts.set(serverId, count);
    return count > MOST_REPLAYED;
  }
}
