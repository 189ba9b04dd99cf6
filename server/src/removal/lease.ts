import { randomUUID } from 'node:crypto';
import { expressionBuilder } from 'kysely';
import type { Db, Tx } from '../db/contract.ts';
import type { RowOf, Tables } from '../db/schema.ts';
import { find, q } from '../db/statements.ts';
import type { Deps } from '../lib/deps.ts';

const leases = expressionBuilder<Tables, 'lease'>();

const unowned = (name: RowOf<'lease'>['name']) =>
  q
    .insertInto('lease')
    .values({ name, owner: null, ownedUntil: 0, progress: null })
    .onConflict((conflict) => conflict.column('name').doNothing());

/**
 * A lease in the database. At most one process holds it at a time, until it expires according to the
 * database's clock. Used for leader election (docs/decisions/0035).
 */
export class Lease {
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now'>;
  readonly #name: RowOf<'lease'>['name'];
  readonly #ms: number;
  readonly #self = randomUUID();
  /** When the lease ends, on the clock of `performance.now()`. */
  #heldUntil = Number.NEGATIVE_INFINITY;

  /** @param ms How long the lease lasts unless it is renewed. */
  constructor(db: Db, deps: Pick<Deps, 'now'>, name: RowOf<'lease'>['name'], ms: number) {
    this.#db = db;
    this.#deps = deps;
    this.#name = name;
    this.#ms = ms;
  }

  /**
   * The time, in milliseconds, for which this process is certain to hold the lease; 0 or less if it may have
   * lost the lease.
   */
  get left(): number {
    return this.#heldUntil - performance.now();
  }

  /**
   * Acquires or renews the lease, and returns its row. If another process holds the lease, returns
   * undefined after a single read.
   */
  async take(): Promise<RowOf<'lease'> | undefined> {
    const row = await this.#db.read.first(find('lease', { name: this.#name }));
    const now = this.#deps.now();
    if (row && row.owner !== null && row.owner !== this.#self && row.ownedUntil > now) return undefined;
    const asked = performance.now();
    const taken = await this.#db.write((tx) => this.#takeIn(tx));
    if (taken) this.#heldUntil = asked + this.#ms;
    return taken;
  }

  async #takeIn(tx: Tx): Promise<RowOf<'lease'> | undefined> {
    // The transaction's time is only available after its first read.
    const row = await tx.first(find('lease', { name: this.#name }));
    if (!row) await tx.run(unowned(this.#name));
    const now = this.#deps.now(tx.time());
    const held = { owner: this.#self, ownedUntil: now + this.#ms };
    const isFree = leases.or([
      leases('owner', 'is', null),
      leases('owner', '=', this.#self),
      leases('ownedUntil', '<=', now),
    ]);
    const taken = q.updateTable('lease').set(held).where('name', '=', this.#name).where(isFree);
    if ((await tx.count(taken)) === 0) return undefined;
    return { name: this.#name, progress: row?.progress ?? null, ...held };
  }

  /** Stores progress, unless another process has acquired the lease. */
  async note(progress: object): Promise<void> {
    const mine = this.#mine({ progress: JSON.stringify(progress) });
    await this.#db.write((tx) => tx.run(mine));
  }

  /** Releases the lease, so that other processes can take it immediately. */
  async release(): Promise<void> {
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    await this.#db.write((tx) => tx.run(this.#mine({ owner: null, ownedUntil: 0 })));
  }

  #mine = (set: Partial<RowOf<'lease'>>) =>
    q.updateTable('lease').set(set).where('name', '=', this.#name).where('owner', '=', this.#self);
}
