import type { Db } from '../db/contract.ts';
import { q } from '../db/statements.ts';
import { type Backoff, backoffMs } from '../lib/backoff.ts';
import type { Deps } from '../lib/deps.ts';
import type { StateLog } from '../lib/outage.ts';
import { Recent } from '../lib/recent.ts';

const BACKOFF: Backoff = { first: 10_000, most: 60 * 60_000 };
/**
 * Maximum number of webhooks whose failures are counted. Further webhooks start again with the shortest
 * delay.
 */
const MAX_COUNTED = 1_000;

interface Options {
  db: Pick<Db, 'write'>;
  deps: Pick<Deps, 'now' | 'randomBytes'>;
  log: StateLog;
}

/**
 * Webhooks whose deliveries fail in Palaver itself before anything is sent, for example because a secret
 * cannot be decrypted. Unlike a receiver's failure, the attempt is not counted, and the webhook stays
 * enabled.
 */
export class SetBack {
  readonly #options: Options;
  readonly #failures = new Recent<string, number>(MAX_COUNTED);

  constructor(options: Options) {
    this.#options = options;
  }

  /** Releases a claimed webhook and postpones it. Logs only the first of several consecutive failures. */
  async add(id: string, error: unknown): Promise<void> {
    const { db, deps, log } = this.#options;
    const failures = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, failures);
    if (failures === 1) log.warn({ err: error, webhookId: id }, 'a delivery failed and will be retried');
    const nextAt = deps.now() + backoffMs(failures, BACKOFF, deps);
    const postponed = q
      .updateTable('webhookState')
      .set({ nextAt, owner: null, ownedUntil: 0 })
      .where('id', '=', id);
    await db.write((tx) => tx.run(postponed));
  }

  clear(id: string): void {
    if (this.#failures.get(id) === undefined) return;
    this.#failures.delete(id);
    this.#options.log.info({ webhookId: id }, 'deliveries to a webhook succeeded after failures');
  }
}
