import { randomUUID } from 'node:crypto';
import { expressionBuilder } from 'kysely';
import type { Db } from '../../db/contract.ts';
import type { RowOf, Tables } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import type { Deps } from '../../lib/deps.ts';

/** How long a sweep is held without a sign of life of its holder, in milliseconds. */
const LEASE_MS = 5_000;
/** How many sweeps one process holds at once. */
const MAX_HELD = 20;

const marks = expressionBuilder<Tables, 'sweep'>();

/** Marks of what is to be swept, of which each is held by one process at a time, as webhooks are (docs/decisions/0017). */
export class Marks {
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now'>;
  readonly #self = randomUUID();

  constructor(db: Db, deps: Pick<Deps, 'now'>) {
    this.#db = db;
    this.#deps = deps;
  }

  /** Takes marks of these nouns that nobody else holds, for some seconds, and gives them, oldest first. */
  async hold(nouns: readonly RowOf<'sweep'>['noun'][]): Promise<RowOf<'sweep'>[]> {
    // The time is that of the clock which all nodes share.
    const now = this.#deps.now(Date.now() + this.#db.skew());
    const isFree = marks.or([
      marks('owner', 'is', null),
      marks('owner', '=', this.#self),
      marks('ownedUntil', '<=', now),
    ]);
    const free = q.selectFrom('sweep').select('id').where('noun', 'in', nouns).where(isFree);
    const ids = (await this.#db.read.all(free.orderBy('id').limit(MAX_HELD))).map(({ id }) => id);
    if (ids.length === 0) return [];
    const held = { owner: this.#self, ownedUntil: now + LEASE_MS };
    return this.#db.write(async (tx) => {
      await tx.count(q.updateTable('sweep').set(held).where('id', 'in', ids).where(isFree));
      const mine = q.selectFrom('sweep').selectAll().where('id', 'in', ids).where('owner', '=', this.#self);
      return tx.all(mine.orderBy('id'));
    });
  }

  /** Lets go of all, so that others take over at once. */
  async release(): Promise<void> {
    const free = q.updateTable('sweep').set({ owner: null, ownedUntil: 0 }).where('owner', '=', this.#self);
    await this.#db.write((tx) => tx.run(free));
  }
}
