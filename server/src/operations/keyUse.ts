import type { Db } from '../db/contract.ts';
import { q } from '../db/statements.ts';
import { Recent } from '../lib/recent.ts';

/** The shortest time between two writes of a key's `lastUsedAt`. */
const WRITE_INTERVAL_MS = 60_000;
/** Keys that are remembered: those used last. */
const MAX_REMEMBERED = 20_000;

/** Writes `lastUsedAt` of API keys. Requests do not wait for the write: losing one loses little. */
export class KeyUse {
  readonly #db: Db;
  readonly #now: () => number;
  /** The last write, by key. */
  readonly #writtenAt = new Recent<string, number>(MAX_REMEMBERED);

  constructor(db: Db, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  note(keyId: string): void {
    const now = this.#now();
    if (now - (this.#writtenAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < WRITE_INTERVAL_MS) return;
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
