import type { Db } from '../db/contract.ts';
import type { Deps } from '../lib/deps.ts';
import { grownLogs } from './places.ts';

/** The longest time from the moment that an event carries until its commit can be read, where commits overlap. */
export const LATE_MS = 10_000;
/** Events that one look reads, at most. */
const MAX_EVENTS = 20_000;

/**
 * Finds the logs that have grown without news, of all logs by one statement: it reads the latest events by their time,
 * of which there are none while nothing happens.
 */
export class Lookout {
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now'>;
  /** Looks read events from this time on. */
  #since: number;
  /** The latest number of each log in the last look. */
  #seen: ReadonlyMap<string, number> = new Map();

  constructor(db: Db, deps: Pick<Deps, 'now'>) {
    this.#db = db;
    this.#deps = deps;
    this.#since = this.#deps.now() - LATE_MS;
  }

  /**
   * The logs with new events, with their latest numbers; among them may be logs whose events were told. `isWhole` is false
   * if there are so many events that some logs may be missing.
   */
  async look(): Promise<{ grown: Map<string, number>; isWhole: boolean }> {
    const now = this.#deps.now();
    const rows = await this.#db.read.all(grownLogs({ since: this.#since, limit: MAX_EVENTS }));
    const seen = new Map(rows.map(({ logId, seq }) => [logId, seq]));
    const before = this.#seen;
    this.#seen = seen;
    // Commits of the embedded engine are serial: what comes later is not older than what was seen.
    this.#since = this.#db.read.dialect.isDistant
      ? now - LATE_MS
      : Math.min(now, Math.max(this.#since, ...rows.map(({ at }) => at)));
    return {
      grown: new Map([...seen].filter(([logId, seq]) => before.get(logId) !== seq)),
      isWhole: rows.reduce((sum, { events }) => sum + events, 0) < MAX_EVENTS,
    };
  }
}
