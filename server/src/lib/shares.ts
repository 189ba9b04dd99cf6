import { Lines } from './lines.ts';

/** Bytes of results in a turn of the event loop: of each tenant, and of what has waited. A result may be larger. */
const TURN_BYTES = 256 * 1024;

/**
 * Makes results at once, until those of a tenant in this turn of the event loop are large. Its further ones wait for later
 * turns, in which tenants go round. So nobody else waits for more than a few of them, however many are asked for.
 */
export class Shares {
  /** Bytes made in this turn of the event loop, by tenant. */
  readonly #made = new Map<string, number>();
  readonly #waiting = new Lines<() => number>();
  #isDue = false;

  /** True if the next result of the tenant has to wait. */
  isUsed(tenant: string): boolean {
    return (this.#made.get(tenant) ?? 0) >= TURN_BYTES || this.#waiting.has(tenant);
  }

  /** The result, or a promise of it if it has to wait. Throws, or rejects, as `make` does. */
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

  /** Resolves once nothing waits. */
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
