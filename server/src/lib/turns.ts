import { FairQueue } from './fairQueue.ts';

/**
 * A fair scheduler for long tasks. It runs one task (or `width` tasks) at a time, each in its own turn of the
 * event loop. Short requests run in between. It is round-robin over tenants: a tenant with many tasks delays
 * another tenant's next task by at most one task. A CPU-bound task should take a few milliseconds; split
 * longer ones.
 */
export class Turns {
  readonly #width: number;
  readonly #waiting = new FairQueue<() => Promise<void>>();
  #running = 0;

  constructor(width = 1) {
    this.#width = width;
  }

  /** Whether a task is running or queued. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** Runs the task in its turn. Settles like the task. */
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
