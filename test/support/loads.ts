import { createHash } from 'node:crypto';
import type { Data } from './sources.ts';

type Read = (query: { values?: object }) => Promise<unknown>;

/** Counts how often a node reads credentials, and can delay the reads. */
export class LoadCount {
  /** The number of watched keys in each read since the last `reset`. */
  statements: number[] = [];
  readonly #keys = new Map<string, string>();
  #loads = new Map<string, number>();
  #gate: Promise<void> = Promise.resolve();
  #open = (): void => {};

  constructor({ db }: Pick<Data, 'db'>) {
    const read = db.read as unknown as Record<'first' | 'all', Read>;
    for (const name of ['first', 'all'] as const) {
      const plain = read[name].bind(read);
      read[name] = async (query) => {
        const keys = this.#keysIn(query);
        const rows = plain(query);
        if (keys.length === 0) return rows;
        this.statements.push(keys.length);
        for (const key of keys) this.#loads.set(key, this.of(key) + 1);
        const gate = this.#gate;
        const found = await rows;
        await gate;
        return found;
      };
    }
  }

  /** Counts the loads of these keys. */
  watch(...keys: string[]): void {
    for (const key of keys) this.#keys.set(createHash('sha256').update(key).digest('hex'), key);
  }

  /** The number of loads of a key since the last `reset`. */
  of(key: string): number {
    return this.#loads.get(key) ?? 0;
  }

  get total(): number {
    return [...this.#loads.values()].reduce((sum, count) => sum + count, 0);
  }

  reset(): void {
    this.statements = [];
    this.#loads.clear();
  }

  /** From now on, reads of watched keys return only after `release` is called. */
  hold(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  release(): void {
    this.#gate = Promise.resolve();
    this.#open();
  }

  #keysIn({ values = {} }: { values?: object }): string[] {
    const known = Object.values(values).map((value) => this.#keys.get(value as string));
    return [...new Set(known.filter((key) => key !== undefined))];
  }
}
