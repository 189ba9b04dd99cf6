import type { Db } from '../db/contract.ts';
import { q } from '../db/statements.ts';

/** How often at most a key's `lastUsedAt` is written, in milliseconds. */
const PERIOD_MS = 60_000;
const MAX_REMEMBERED = 20_000;

/** Notes when keys are used, off the path of the request: a write that is lost with the process loses little. */
export class KeyUse {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #noted = new Map<string, number>();

  constructor(db: Db, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  note(keyId: string): void {
    const now = this.#now();
    if (now - (this.#noted.get(keyId) ?? Number.NEGATIVE_INFINITY) < PERIOD_MS) return;
    if (this.#noted.size >= MAX_REMEMBERED) this.#noted.clear();
    this.#noted.set(keyId, now);
    const noted = q
      .insertInto('keyUse')
      .columns(['id', 'lastUsedAt'])
      // Selecting from the key's row writes nothing for a key that was revoked meanwhile.
      .expression((eb) =>
        eb
          .selectFrom('secret')
          .select((s) => ['id', s.val(now).as('lastUsedAt')])
          .where('id', '=', keyId),
      )
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ lastUsedAt: now }));
    this.#db.write((tx) => tx.run(noted)).catch(() => this.#noted.delete(keyId));
  }
}
