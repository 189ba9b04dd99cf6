/** The log for failures (`warn`) and recoveries (`info`). */
export interface StateLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/**
 * Logs when a repeated task starts to fail and when it succeeds again. During a long outage, one line per
 * attempt would flood the log.
 */
export class Outage {
  readonly #log: StateLog;
  readonly #name: string;
  #failures = 0;

  constructor(log: StateLog, name: string) {
    this.#log = log;
    this.#name = name;
  }

  failed(error: unknown): void {
    this.#failures++;
    if (this.#failures === 1) this.#log.warn({ err: error }, `${this.#name} failed and will be retried`);
  }

  succeeded(): void {
    if (this.#failures > 0)
      this.#log.info({ failures: this.#failures }, `${this.#name} succeeded after failures`);
    this.#failures = 0;
  }

  /** Runs the task. Never rejects. */
  async watch(task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
      this.succeeded();
    } catch (error) {
      this.failed(error);
    }
  }
}
