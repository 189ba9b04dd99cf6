import { randomUUID } from 'node:crypto';
import { expressionBuilder, sql } from 'kysely';
import type { Db } from '../db/contract.ts';
import { Failures } from '../db/failures.ts';
import type { RowOf, Tables } from '../db/schema.ts';
import { q } from '../db/statements.ts';
import type { Deps } from '../lib/deps.ts';

/** Duration of the lease on a mark, unless it is renewed. */
const LEASE_MS = 5_000;
/** Maximum sweeps claimed by one process. */
const MAX_HELD_SWEEPS = 20;

const marks = expressionBuilder<Tables, 'sweep'>();

/**
 * The marks on rows to sweep. One process at a time holds a mark under a lease, as with webhooks
 * (docs/decisions/0017).
 */
export class Marks {
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now'>;
  readonly #failures: Failures;
  readonly #self = randomUUID();

  constructor(db: Db, deps: Pick<Deps, 'now' | 'randomBytes'>) {
    this.#db = db;
    this.#deps = deps;
    this.#failures = new Failures({ db, deps }, 'sweeps');
  }

  /**
   * Claims or renews marks of these nouns for `LEASE_MS`, unless another process holds them or they are
   * backing off. Returns them ordered by id.
   */
  async hold(nouns: readonly RowOf<'sweep'>['noun'][]): Promise<RowOf<'sweep'>[]> {
    const now = this.#deps.now();
    const isFree = marks.or([
      marks('owner', 'is', null),
      marks('owner', '=', this.#self),
      marks('ownedUntil', '<=', now),
    ]);
    const due = this.#failures.isDue('sweep.id');
    const free = q.selectFrom('sweep').select('id').where('noun', 'in', nouns).where(isFree).where(due);
    // Servers come last, because their sweeps take long and would delay quick ones.
    const inTurn = free.orderBy(sql`case when noun = 'server' then 1 else 0 end`).orderBy('id');
    const ids = (await this.#db.read.all(inTurn.limit(MAX_HELD_SWEEPS))).map(({ id }) => id);
    if (ids.length === 0) return [];
    const held = { owner: this.#self, ownedUntil: now + LEASE_MS };
    return this.#db.write(async (tx) => {
      await tx.count(q.updateTable('sweep').set(held).where('id', 'in', ids).where(isFree));
      const mine = q.selectFrom('sweep').selectAll().where('id', 'in', ids).where('owner', '=', this.#self);
      return tx.all(mine.orderBy('id'));
    });
  }

  /** Releases all marks that this process holds, so that other processes can take them immediately. */
  async release(): Promise<void> {
    const free = q.updateTable('sweep').set({ owner: null, ownedUntil: 0 }).where('owner', '=', this.#self);
    await this.#db.write((tx) => tx.run(free));
  }
}
