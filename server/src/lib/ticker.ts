/** A timer that runs a task periodically while it is started. It does not keep the process alive. */
export class Ticker {
  readonly #run: () => void;
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param ms The period. */
  constructor(run: () => void, ms: number) {
    this.#run = run;
    this.#ms = ms;
  }

  /** Starts the timer if it is not running. */
  start(): void {
    this.#timer ??= setInterval(this.#run, this.#ms).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
