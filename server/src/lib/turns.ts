/**
 * Runs long tasks one at a time, or `width` of them, each in a turn of the event loop of its own, so that the short tasks of
 * others come between. A task that computes should take some milliseconds at most: split a longer one.
 */
export class Turns {
  readonly #width: number;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;

  constructor(width = 1) {
    this.#width = width;
  }

  /** Resolves or rejects as the task does. */
  run<T>(task: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(() => task().then(resolve, reject));
      if (this.#running < this.#width) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#running++;
    for (let task = this.#waiting.shift(); task; task = this.#waiting.shift()) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      await task();
    }
    this.#running--;
  }
}
