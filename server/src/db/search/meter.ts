import { cpuMs } from '../../lib/cpu.ts';
import type { JsonRows, Order, Reads, Runnable } from '../contract.ts';

/**
 * The longest CPU time, in milliseconds, that a read from a distant database counts for: in the meantime, this thread also
 * works for others.
 */
const MAX_READ_MS = 1;

/** Measures a search, from `start` to `stop`, and reads for it. */
export class Meter implements Reads {
  /** Milliseconds of CPU time. The clock may have ticks of several milliseconds, so a single step may count as none. */
  spent = 0;
  /** Milliseconds, without those in which it waited for a distant database. Exact, but others may have had the core. */
  busy = 0;
  readonly dialect: Reads['dialect'];
  readonly #db: Reads;
  #cpu = 0;
  #at = 0;

  constructor(db: Reads) {
    this.#db = db;
    this.dialect = db.dialect;
  }

  start(): void {
    this.#cpu = cpuMs();
    this.#at = performance.now();
  }

  stop(): void {
    this.spent += cpuMs() - this.#cpu;
    this.busy += performance.now() - this.#at;
  }

  /** The CPU time until now. */
  lap(): number {
    this.stop();
    this.start();
    return this.spent;
  }

  first<R>(query: Runnable<R>): Promise<R | undefined> {
    return this.#read(() => this.#db.first(query));
  }

  all<R>(query: Runnable<R>): Promise<R[]> {
    return this.#read(() => this.#db.all(query));
  }

  json(
    query: Runnable<unknown>,
    key: string,
    order: Order,
    limit: number,
    maxBytes?: number,
  ): Promise<JsonRows> {
    return this.#read(() => this.#db.json(query, key, order, limit, maxBytes));
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    if (!this.dialect.isDistant) return read();
    this.stop();
    const before = cpuMs();
    try {
      return await read();
    } finally {
      this.spent += Math.min(MAX_READ_MS, cpuMs() - before);
      this.start();
    }
  }
}
