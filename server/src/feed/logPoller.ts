import type { Db } from '../db/contract.ts';
import type { Deps } from '../lib/deps.ts';
import { grownLogs } from './positions.ts';

/**
 * Maximum time, in milliseconds, between an event's timestamp and the moment when its commit can be read, on
 * engines where commits overlap.
 */
export const LATE_MS = 10_000;
/** Maximum events read per poll. */
const MAX_EVENTS = 20_000;

/**
 * Polls for logs that grew without a notification, using one statement for all logs. A poll reads the events
 * since the last one, or of the last `LATE_MS` on engines where commits overlap. Without activity, it reads
 * few events or none.
 */
export class LogPoller {
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now'>;
  /** The start of the next poll's time range. */
  #since: number;
  /** The latest sequence number of each log in the last poll. */
  #seen: ReadonlyMap<string, number> = new Map();

  constructor(db: Db, deps: Pick<Deps, 'now'>) {
    this.#db = db;
    this.#deps = deps;
    this.#since = this.#deps.now() - LATE_MS;
  }

  /**
   * Returns the logs with new events and their latest sequence numbers, including logs whose readers were
   * already notified. `isWhole` is false if there were so many events that some logs may be missing.
   */
  async look(): Promise<{ grown: Map<string, number>; isWhole: boolean }> {
    const now = this.#deps.now();
    const rows = await this.#db.read.all(grownLogs({ since: this.#since, limit: MAX_EVENTS }));
    const seen = new Map(rows.map(({ logId, seq }) => [logId, seq]));
    const before = this.#seen;
    this.#seen = seen;
    // The embedded engine commits serially, so new events are never older than those already seen.
    this.#since = this.#db.read.dialect.isDistant
      ? now - LATE_MS
      : Math.min(now, Math.max(this.#since, ...rows.map(({ at }) => at)));
    return {
      grown: new Map([...seen].filter(([logId, seq]) => before.get(logId) !== seq)),
      isWhole: rows.reduce((sum, { events }) => sum + events, 0) < MAX_EVENTS,
    };
  }
}
