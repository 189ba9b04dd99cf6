import type { Db } from '../../db/contract.ts';
import { type Deps, newRow } from '../../lib/deps.ts';
import type { From } from '../../operations/from.ts';
import { transactOnAccount } from '../../operations/work.ts';
import { clientOf, type Failure, recordFailures } from './record.ts';

/**
 * Failures are batched for this long, so that the response time does not reveal whether an account exists.
 */
const GATHER_MS = 1_000;
/** Maximum entries in a batch, one per account, type and address. Further failures are not recorded. */
const MAX_WAITING = 10_000;

interface Failed {
  userId: string;
  type: Failure;
  device: string | null;
  address: string | null;
  count: number;
}

/** Records failed attempts in the histories of accounts. Responses do not wait for the write. */
export class FailedAttempts {
  readonly #data: { db: Db; deps: Deps };
  #waiting = new Map<string, Failed>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(data: { db: Db; deps: Deps }) {
    this.#data = data;
  }

  note(userId: string, type: Failure, from: Pick<From, 'device' | 'address'>): void {
    const key = `${userId} ${type} ${from.address}`;
    const known = this.#waiting.get(key);
    if (known) known.count++;
    else if (this.#waiting.size < MAX_WAITING)
      this.#waiting.set(key, { userId, type, ...clientOf(from), count: 1 });
    this.#timer ??= setTimeout(() => void this.write(), GATHER_MS).unref();
  }

  /** Writes the batch. Never rejects: a failure that cannot be written is lost. */
  write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const failed = [...this.#waiting.values()];
    this.#waiting = new Map();
    this.#writing = this.#writing.then(async () => {
      for (const one of failed) await this.#record(one).catch(() => undefined);
    });
    return this.#writing;
  }

  #record(failed: Failed): Promise<void> {
    const { deps } = this.#data;
    return transactOnAccount(this.#data, failed.userId, async (tx) => {
      const work = { db: tx, now: deps.now(tx.time()), newRow: () => newRow(deps, tx.time()) };
      await recordFailures(work, failed);
    });
  }
}
