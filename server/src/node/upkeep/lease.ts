import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../../db/contract.ts';
import { expressionBuilder } from '../../db/kysely.ts';
import type { RowOf, Tables } from '../../db/schema.ts';
import { find, q } from '../../db/statements.ts';
import type { Deps } from '../../lib/deps.ts';

const leases = expressionBuilder<Tables, 'lease'>();

const unowned = (name: RowOf<'lease'>['name']) =>
  q
    .insertInto('lease')
    .values({ name, owner: null, ownedUntil: 0, progress: null })
    .onConflict((conflict) => conflict.column('name').doNothing());

/** The right of one process at a time to a duty, until its end by the database's clock (docs/decisions/0035). */
export class Lease {
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now'>;
  readonly #name: RowOf<'lease'>['name'];
  readonly #ms: number;
  readonly #self = randomUUID();
  /** By `performance.now()`. */
  #heldUntil = Number.NEGATIVE_INFINITY;

  /** @param ms The time that it is held without being taken again. */
  constructor(db: Db, deps: Pick<Deps, 'now'>, name: RowOf<'lease'>['name'], ms: number) {
    this.#db = db;
    this.#deps = deps;
    this.#name = name;
    this.#ms = ms;
  }

  /** The milliseconds for which this process surely has the lease; 0 or less if it may have lost it. */
  get left(): number {
    return this.#heldUntil - performance.now();
  }

  /** Takes or renews the lease. Returns its row; undefined if another process has it. Costs one read in that case. */
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
    // A transaction knows its time only after a first read.
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

  /** Stores how far the duty was done, unless another process has it by now. */
  async note(progress: object): Promise<void> {
    const mine = this.#mine({ progress: JSON.stringify(progress) });
    await this.#db.write((tx) => tx.run(mine));
  }

  /** Gives the lease up, so that others can take it at once. */
  async release(): Promise<void> {
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    await this.#db.write((tx) => tx.run(this.#mine({ owner: null, ownedUntil: 0 })));
  }

  #mine = (set: Partial<RowOf<'lease'>>) =>
    q.updateTable('lease').set(set).where('name', '=', this.#name).where('owner', '=', this.#self);
}
