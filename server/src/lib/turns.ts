/**
 * Runs long tasks one at a time, each in a turn of the event loop of its own, so that the short tasks of others come
 * between. A task should take some milliseconds at most: split a longer one.
 */
export class Turns {
  readonly #waiting: (() => Promise<void>)[] = [];
  #isRunning = false;

  /** Resolves or rejects as the task does. */
  run<T>(task: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(() => task().then(resolve, reject));
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    for (let task = this.#waiting.shift(); task; task = this.#waiting.shift()) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      await task();
    }
    this.#isRunning = false;
  }
}
