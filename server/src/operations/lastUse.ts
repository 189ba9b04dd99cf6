import type { ApiKey } from '../access/credentials/apiKey.ts';
import type { Session } from '../access/credentials/session.ts';
import type { Db, Tx } from '../db/contract.ts';
import { q, update } from '../db/statements.ts';
import { SESSION_MS } from '../db/tables/session.ts';
import { Recent } from '../lib/recent.ts';

/** The shortest time between two writes of a credential's `lastUsedAt`. */
const WRITE_INTERVAL_MS = 60_000;
/** Credentials that are remembered: those used last. */
const MAX_REMEMBERED = 20_000;
/** A session that has been used is extended once this much of its time is over. */
const EXTEND_AFTER_MS = 24 * 60 * 60_000;

/** Makes the statement that writes a use at a time, in milliseconds since the Unix epoch. */
type WriteUse<C> = (credential: C, now: number) => Parameters<Tx['run']>[0];

/** Writes `lastUsedAt` of one kind of credential. Requests do not wait for the write: losing one loses little. */
export class LastUse<C extends { readonly id: string }> {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #writeUse: WriteUse<C>;
  /** The last write, by the credential's id. */
  readonly #writtenAt = new Recent<string, number>(MAX_REMEMBERED);

  constructor(db: Db, now: () => number, writeUse: WriteUse<C>) {
    this.#db = db;
    this.#now = now;
    this.#writeUse = writeUse;
  }

  note(credential: C): void {
    const { id } = credential;
    const now = this.#now();
    if (now - (this.#writtenAt.get(id) ?? Number.NEGATIVE_INFINITY) < WRITE_INTERVAL_MS) return;
    this.#writtenAt.set(id, now);
    const statement = this.#writeUse(credential, now);
    this.#db.write((tx) => tx.run(statement)).catch(() => this.#writtenAt.delete(id));
  }
}

/** The uses of API keys. */
export const keyUse = (db: Db, now: () => number): LastUse<ApiKey> =>
  new LastUse(db, now, ({ id }, usedAt) =>
    q
      .insertInto('keyUse')
      .columns(['id', 'lastUsedAt'])
      // A select from the key's row, so that nothing is written for a key that was revoked meanwhile.
      .expression((eb) =>
        eb
          .selectFrom('secret')
          .select((s) => ['id', s.val(usedAt).as('lastUsedAt')])
          .where('id', '=', id),
      )
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ lastUsedAt: usedAt })),
  );

/** The uses of sessions, which extend them. */
export const sessionUse = (db: Db, now: () => number): LastUse<Session> =>
  new LastUse(db, now, ({ id, expiresAt }, usedAt) => {
    const isDue = expiresAt - usedAt < SESSION_MS - EXTEND_AFTER_MS;
    return update('session', id, {
      lastUsedAt: usedAt,
      ...(isDue && { expiresAt: usedAt + SESSION_MS }),
    });
  });
