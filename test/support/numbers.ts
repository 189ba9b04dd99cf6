/** Pseudo-random numbers from 0 to 9,999, the same for each seed. */
export function* numbers(from: number): Generator<number> {
  for (let state = from * 2_654_435_761; ; ) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    yield state % 10_000;
  }
}
