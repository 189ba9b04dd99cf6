import type { LiveEvent } from './types.ts';

/** Beyond this many missed events of one log, a snapshot is faster than a replay. */
const MOST_REPLAYED = 2_000;

/** Counts, per log, the replayed events of a stream: those that predate its opening. */
export class Backlog {
  readonly #openedAt: number;
  readonly #counts = new Map<string | null, number>();

  /** `date` is the `Date` header: the server's clock, which event times use, truncated to seconds. */
  constructor(date: string | null) {
    this.#openedAt = Date.parse(date ?? '') + 1_000;
  }

  /** True once too many events of this event's log were missed. */
  isTooLong({ serverId, at }: LiveEvent): boolean {
    if (!(at < this.#openedAt)) return false;
    const count = (this.#counts.get(serverId) ?? 0) + 1;
    this.#counts.set(serverId, count);
    return count > MOST_REPLAYED;
  }
}
