import type { FastifyBaseLogger } from 'fastify';
import type { Clock, ClockOptions } from './clock.ts';

/** Delay after startup, in ms, during which the node serves its first requests. */
const DELAY_MS = 500;

/** A clock that starts after a delay, or on the first `look`. */
export class LaterClock {
  readonly #options: ClockOptions;
  readonly #log: FastifyBaseLogger;
  readonly #start: NodeJS.Timeout;
  #clock: Promise<Clock> | undefined;

  constructor(options: ClockOptions, log: FastifyBaseLogger) {
    this.#options = options;
    this.#log = log;
    this.#start = setTimeout(() => void this.look(), DELAY_MS).unref();
  }

  /** Runs all due timers. */
  async look(): Promise<void> {
    this.#clock ??= import('./clock.ts').then(({ Clock }) => new Clock(this.#options, this.#log));
    await (await this.#clock).look();
  }

  /** Waits for running timers. */
  async stop(): Promise<void> {
    clearTimeout(this.#start);
    await (await this.#clock)?.stop();
  }
}
