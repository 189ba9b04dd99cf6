import type { LiveEvent } from './types.ts';

/** After so many missed events of one log, a snapshot has the rest sooner. */
const MOST_REPLAYED = 2_000;

/** Counts the events of each log that a stream replays: those from before it was opened. */
export class Backlog {
  readonly #openedAt: number;
  readonly #counts = new Map<string | null, number>();

  /** `date` is the header of that name: the server's clock, by which events have their time, without the parts of a second. */
  constructor(date: string | null) {
    this.#openedAt = Date.parse(date ?? '') + 1_000;
  }

  /** True once too many events of its log were missed. */
  isTooLong({ serverId, at }: LiveEvent): boolean {
    if (!(at < this.#openedAt)) return false;
    const count = (this.#counts.get(serverId) ?? 0) + 1;
    this.#counts.set(serverId, count);
    return count > MOST_REPLAYED;
  }
}
