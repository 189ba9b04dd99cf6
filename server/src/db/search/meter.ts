import { cpuMs } from '../../lib/cpu.ts';
import type { JsonRows, Order, Reads, Runnable } from '../contract.ts';

/**
 * Maximum CPU time, in milliseconds, charged for a read from a remote database. The measured time is only an
 * upper bound, because this thread also does other work in the meantime.
 */
const MAX_READ_MS = 1;

/** Measures the time that a search takes between `start` and `stop`, and performs its reads. */
export class Meter implements Reads {
  /**
   * Milliseconds of CPU time. The clock's resolution may be several milliseconds, so a single step may count
   * as zero.
   */
  spent = 0;
  /**
   * Wall time in milliseconds, excluding waits for a remote database. It includes time in which other
   * processes used the core.
   */
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

  /** Returns the CPU time spent so far. */
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
