/** A seeded pseudo-random number generator (mulberry32). The same seed produces the same sequence. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('nothing to pick from');
    return values[this.below(values.length)] as T;
  }
}

/** The seed for all random draws in a process. PALAVER_TEST_SEED repeats the draws of a failed run. */
export const seed = Number(process.env.PALAVER_TEST_SEED ?? Math.floor(Math.random() * 2 ** 32));

let isPrinted = false;

/** Random draws based on the seed, which a failing process prints when it ends. */
export function seeded(): Random {
  if (!isPrinted)
    process.once(
      'exit',
      (code) => code !== 0 && console.error(`its random draws: PALAVER_TEST_SEED=${seed}`),
    );
  isPrinted = true;
  return new Random(seed);
}
