import { Lines } from './lines.ts';

/**
 * Runs long tasks one at a time, or `width` of them, each in a turn of the event loop of its own, so that the short tasks of
 * others come between. A task that computes should take some milliseconds at most: split a longer one. Tenants go round: one
 * with many tasks delays those of another by one.
 */
export class Turns {
  readonly #width: number;
  readonly #waiting = new Lines<() => Promise<void>>();
  #running = 0;

  constructor(width = 1) {
    this.#width = width;
  }

  /** True while a task runs or waits. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** Resolves or rejects as the task does. */
  run<T>(tenant: string, task: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(tenant, () => task().then(resolve, reject));
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
