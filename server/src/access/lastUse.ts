import { sql } from 'kysely';
import type { Db, Tx } from '../db/contract.ts';
import { prepareKnown } from '../db/known.ts';
import { q } from '../db/statements.ts';
import { MAX_SESSION_MS, SESSION_MS } from '../db/tables/session.ts';
import { Recent } from '../lib/recent.ts';
import type { ApiKey } from './credentials/apiKey.ts';
import type { Grant } from './credentials/grant.ts';
import type { Session } from './credentials/session.ts';

/** Minimum interval between two writes of a credential's `lastUsedAt`. */
const WRITE_INTERVAL_MS = 60_000;
/**
 * Uses of sessions are batched for this long. On SQLite, reads wait while a commit is synced to disk. Without
 * the delay, the first images of a page would wait for the write that the page's first request caused.
 */
const GATHER_MS = 5_000;
/** Maximum uses per statement. Other writes wait for the statement. */
const MAX_ROWS = 500;
/** Maximum cached credentials; the least recently used are evicted. */
const MAX_REMEMBERED = 20_000;
/** A session that is in use is extended once this much of its lifetime has passed. */
const EXTEND_AFTER_MS = 24 * 60 * 60_000;

/** A use of a credential, at a time in milliseconds since the Unix epoch. */
interface Use<C> {
  credential: C;
  usedAt: number;
}

type WriteUses<C> = (tx: Tx, uses: readonly Use<C>[]) => Promise<void>;

/**
 * Writes `lastUsedAt` for one kind of credential. Requests do not wait for the write, because losing a use is
 * harmless.
 */
export class LastUse<C extends { readonly id: string }> {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #writeUses: WriteUses<C>;
  readonly #gatherMs: number;
  /** The last use that was written or is queued, by credential id. */
  readonly #notedAt = new Recent<string, number>(MAX_REMEMBERED);
  #waiting: Use<C>[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(db: Db, now: () => number, gatherMs: number, writeUses: WriteUses<C>) {
    this.#db = db;
    this.#now = now;
    this.#gatherMs = gatherMs;
    this.#writeUses = writeUses;
  }

  note(credential: C): void {
    const usedAt = this.#now();
    if (usedAt - (this.#notedAt.get(credential.id) ?? Number.NEGATIVE_INFINITY) < WRITE_INTERVAL_MS) return;
    this.#notedAt.set(credential.id, usedAt);
    this.#waiting.push({ credential, usedAt });
    if (this.#gatherMs === 0) void this.write();
    else this.#timer ??= setTimeout(() => void this.write(), this.#gatherMs).unref();
  }

  /**
   * Writes the queued uses in sequential transactions. Concurrent ones could commit in either order, so an
   * earlier use could overwrite a later one. Never rejects: a failed write is harmless, because the next use
   * is written anyway.
   */
  write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const uses = this.#waiting.splice(0, MAX_ROWS);
      await this.#db
        .write((tx) => this.#writeUses(tx, uses))
        .catch(() => {
          for (const { credential } of uses) this.#notedAt.delete(credential.id);
        });
    }
  }
}

interface Known {
  id: string;
  usedAt: number;
}

const columns = { id: 'uuid', usedAt: 'bigint' } as const;
const usedAt = sql<number>`known."usedAt"`;
const knownOf = ({ credential: { id }, usedAt }: Use<{ readonly id: string }>): Known => ({ id, usedAt });

// Selects from the keys' rows, so nothing is written for a key that was revoked in the meantime.
const usesOfKeys = prepareKnown<Known, unknown>(columns, (known) =>
  q
    .insertInto('keyUse')
    .columns(['id', 'lastUsedAt'])
    .expression((eb) =>
      eb
        .selectFrom([known.as('known'), 'secret'])
        .select(['secret.id', usedAt.as('lastUsedAt')])
        .whereRef('secret.id', '=', 'known.id'),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ lastUsedAt: sql<number>`excluded."lastUsedAt"` }),
    ),
);

const usesOfSessions = prepareKnown<Known, unknown>(columns, (known) =>
  q
    .updateTable('session')
    .from(known.as('known'))
    .set({ lastUsedAt: usedAt })
    .whereRef('session.id', '=', 'known.id'),
);

const usesOfGrants = prepareKnown<Known, unknown>(columns, (known) =>
  q
    .updateTable('grant')
    .from(known.as('known'))
    .set({ lastUsedAt: usedAt })
    .whereRef('grant.id', '=', 'known.id'),
);

/** The session is extended to `SESSION_MS` after the use, but at most to `MAX_SESSION_MS` after the sign-in. */
const extended = sql<number>`case when known."usedAt" + ${sql.lit(SESSION_MS)} < session."createdAt" + ${sql.lit(MAX_SESSION_MS)}
  then known."usedAt" + ${sql.lit(SESSION_MS)} else session."createdAt" + ${sql.lit(MAX_SESSION_MS)} end`;

/** This is a separate statement, because it invalidates the nodes' caches of these sessions. */
const extensions = prepareKnown<Known, unknown>(columns, (known) =>
  q
    .updateTable('session')
    .from(known.as('known'))
    .set({ lastUsedAt: usedAt, expiresAt: extended })
    .whereRef('session.id', '=', 'known.id'),
);

/** Records uses of API keys. */
export const keyUse = (db: Db, now: () => number): LastUse<ApiKey> =>
  new LastUse(db, now, 0, (tx, uses) => tx.run(usesOfKeys(tx.dialect, uses.map(knownOf))));

/** Records uses of grants. */
export const grantUse = (db: Db, now: () => number): LastUse<Grant> =>
  new LastUse(db, now, 0, (tx, uses) => tx.run(usesOfGrants(tx.dialect, uses.map(knownOf))));

/** Records uses of sessions, and extends sessions that are in use. */
export const sessionUse = (db: Db, now: () => number): LastUse<Session> =>
  new LastUse(db, now, GATHER_MS, async (tx, uses) => {
    const isDue = ({ credential, usedAt }: Use<Session>) =>
      Math.min(usedAt + SESSION_MS, credential.endsAt) - credential.expiresAt > EXTEND_AFTER_MS;
    const { due = [], others = [] } = Object.groupBy(uses, (use) => (isDue(use) ? 'due' : 'others'));
    if (due.length > 0) await tx.run(extensions(tx.dialect, due.map(knownOf)));
    if (others.length > 0) await tx.run(usesOfSessions(tx.dialect, others.map(knownOf)));
  });
