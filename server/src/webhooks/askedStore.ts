import { sql } from 'kysely';
import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { q } from '../db/statements.ts';

/**
 * Duration of the lease on a claimed delivery, longer than an attempt can take. If a node dies, another one
 * can claim its deliveries once their leases have expired.
 */
const LEASE_MS = 30_000;

/** A requested delivery with its webhook. */
export type AskedDelivery = Pick<RowOf<'webhookDelivery'>, 'id' | 'eventId' | 'type'> & {
  webhook: RowOf<'webhook'>;
};

const updated = q.updateTable('webhookDelivery');

/**
 * Requested deliveries in the database. In each, `attempt` is 0, and `nextAt` is the time from which a node
 * may claim the delivery.
 */
export class AskedStore {
  readonly #db: Db;
  readonly #now: () => number;

  /** `now` returns the time on the clock that all nodes share, in milliseconds since the Unix epoch. */
  constructor(db: Db, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Returns up to `limit` due deliveries, oldest first. Skips the servers in `except`. */
  async waiting(limit: number, except: readonly string[]): Promise<AskedDelivery[]> {
    let rows = q
      .selectFrom('webhookDelivery as delivery')
      .innerJoin('webhook', 'webhook.id', 'delivery.webhookId')
      .selectAll('webhook')
      .select(['delivery.id as deliveryId', 'delivery.eventId', 'delivery.type'])
      // The value is a literal, because SQLite would not use the partial index with a parameter.
      .where('delivery.attempt', '=', sql.lit(0))
      .where('delivery.nextAt', 'is not', null)
      .where('delivery.nextAt', '<=', this.#now())
      .orderBy('delivery.nextAt')
      .limit(limit);
    if (except.length > 0) rows = rows.where('webhook.serverId', 'not in', except);
    const found = await this.#db.read.all(rows);
    return found.map(({ deliveryId: id, eventId, type, ...webhook }) => ({ id, eventId, type, webhook }));
  }

  /** Claims deliveries for this node. Returns the ids that it claimed. */
  take(ids: readonly string[]): Promise<string[]> {
    return this.#db.write(async (tx) => {
      const now = this.#now();
      const taken: string[] = [];
      for (const id of ids) {
        const mine = updated
          .set({ nextAt: now + LEASE_MS })
          .where('id', '=', id)
          .where('attempt', '=', 0);
        if ((await tx.count(mine.where('nextAt', '<=', now))) > 0) taken.push(id);
      }
      return taken;
    });
  }

  /** Stores the outcome of a delivery. */
  async settle(
    id: string,
    outcome: Pick<RowOf<'webhookDelivery'>, 'status' | 'error' | 'ms'>,
  ): Promise<void> {
    const set = { ...outcome, attempt: 1, nextAt: null, updatedAt: this.#now() };
    await this.#db.write((tx) => tx.run(updated.set(set).where('id', '=', id).where('attempt', '=', 0)));
  }
}
