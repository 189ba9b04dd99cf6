import { FairQueue } from './fairQueue.ts';

/**
 * Budget per turn of the event loop, in bytes of results, for each tenant and for the queue. A single result
 * may exceed the budget.
 */
const TURN_BYTES = 256 * 1024;

/**
 * Fair sharing of synchronous work that produces large results. A tenant's results are computed immediately
 * until they exceed the budget for this turn of the event loop. Further results are queued and served in
 * later turns, round-robin over tenants. A tenant therefore waits for at most a few of another tenant's
 * results.
 */
export class Shares {
  /** The number of bytes produced in this turn of the event loop, by tenant. */
  readonly #made = new Map<string, number>();
  readonly #waiting = new FairQueue<() => number>();
  #isDue = false;

  /** Whether the tenant's next result has to be queued. */
  isUsed(tenant: string): boolean {
    return (this.#made.get(tenant) ?? 0) >= TURN_BYTES || this.#waiting.has(tenant);
  }

  /** Returns the result, or a promise for it if it is queued. Throws or rejects like `make`. */
  take<T>(tenant: string, make: () => T, bytesOf: (result: T) => number): T | Promise<T> {
    const makeNow = () => {
      const result = make();
      this.#count(tenant, bytesOf(result));
      return result;
    };
    if (!this.isUsed(tenant)) return makeNow();
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(tenant, () => {
        try {
          const result = makeNow();
          resolve(result);
          return bytesOf(result);
        } catch (error) {
          reject(error);
          return 0;
        }
      });
      this.#comeBack();
    });
  }

  /** Resolves once the queue is empty. */
  async idle(): Promise<void> {
    while (!this.#waiting.isEmpty) await new Promise((resolve) => setImmediate(resolve));
  }

  #count(tenant: string, bytes: number): void {
    this.#made.set(tenant, (this.#made.get(tenant) ?? 0) + bytes);
    this.#comeBack();
  }

  #comeBack(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#made.clear();
      for (let bytes = 0; bytes < TURN_BYTES && !this.#waiting.isEmpty; )
        bytes += this.#waiting.shift()?.() ?? 0;
      if (!this.#waiting.isEmpty) this.#comeBack();
    });
  }
}
