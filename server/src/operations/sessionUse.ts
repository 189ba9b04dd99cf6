import type { Session } from '../access/credentials/session.ts';
import type { Db } from '../db/contract.ts';
import { update } from '../db/statements.ts';
import { SESSION_MS } from '../db/tables/session.ts';
import { Recent } from '../lib/recent.ts';

/** The shortest time between two writes of a session's `lastUsedAt`. */
const WRITE_INTERVAL_MS = 60_000;
/** A session that has been used is extended once this much of its time is over. */
const EXTEND_AFTER_MS = 24 * 60 * 60_000;
/** Sessions that are remembered: those used last. */
const MAX_REMEMBERED = 20_000;

/** Writes `lastUsedAt` of sessions, and extends them. Requests do not wait for the write: losing one loses little. */
export class SessionUse {
  readonly #db: Db;
  readonly #now: () => number;
  /** The last write, by session. */
  readonly #writtenAt = new Recent<string, number>(MAX_REMEMBERED);

  constructor(db: Db, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  note({ id, expiresAt }: Session): void {
    const now = this.#now();
    if (now - (this.#writtenAt.get(id) ?? Number.NEGATIVE_INFINITY) < WRITE_INTERVAL_MS) return;
    this.#writtenAt.set(id, now);
    const isDue = expiresAt - now < SESSION_MS - EXTEND_AFTER_MS;
    const set = { lastUsedAt: now, ...(isDue && { expiresAt: now + SESSION_MS }) };
    this.#db.write((tx) => tx.run(update('session', id, set))).catch(() => this.#writtenAt.delete(id));
  }
}
