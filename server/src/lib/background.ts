import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Tracks background tasks: handlers of requests whose client has disconnected, and jobs that no request waits
 * for. A node waits for them before it closes its database.
 */
export class Background {
  readonly #stopping = new AbortController();
  #running = 0;
  #onEnd: (() => void) | undefined;

  /**
   * Aborted when the node stops. Long tasks then end early and continue on another node, or after a restart.
   */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Adds a running task. Ignores the task's errors. */
  add(task: Promise<unknown>): void {
    this.#running++;
    task.then(this.#end, this.#end);
  }

  readonly #end = (): void => {
    if (--this.#running === 0) this.#onEnd?.();
  };

  /** Asks the tasks to end. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Waits until no task is running, for at most `ms` milliseconds. */
  async ended(ms: number): Promise<void> {
    const until = new AbortController();
    const late = sleep(ms, undefined, { signal: until.signal }).catch(() => {});
    if (this.#running > 0) {
      const end = new Promise<void>((resolve) => {
        this.#onEnd = resolve;
      });
      await Promise.race([end, late]);
    }
    until.abort();
  }
}
