import type { Db } from '../db/contract.ts';
import { q } from '../db/statements.ts';

/** The shortest time between two writes of a key's `lastUsedAt`. */
const WRITE_INTERVAL_MS = 60_000;
/** Size of the cache of keys; a full cache is emptied. */
const MAX_CACHED_KEYS = 20_000;

/** Writes `lastUsedAt` of API keys. Requests do not wait for the write: losing one loses little. */
export class KeyUse {
  readonly #db: Db;
  readonly #now: () => number;
  /** The last write, by key. */
  readonly #writtenAt = new Map<string, number>();

  constructor(db: Db, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  note(keyId: string): void {
    const now = this.#now();
    if (now - (this.#writtenAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < WRITE_INTERVAL_MS) return;
    if (this.#writtenAt.size >= MAX_CACHED_KEYS) this.#writtenAt.clear();
    this.#writtenAt.set(keyId, now);
    const statement = q
      .insertInto('keyUse')
      .columns(['id', 'lastUsedAt'])
      // A select from the key's row, so that nothing is written for a key that was revoked meanwhile.
      .expression((eb) =>
        eb
          .selectFrom('secret')
          .select((s) => ['id', s.val(now).as('lastUsedAt')])
          .where('id', '=', keyId),
      )
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ lastUsedAt: now }));
    this.#db.write((tx) => tx.run(statement)).catch(() => this.#writtenAt.delete(keyId));
  }
}
