import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../../access/authenticator.ts';

/** The time between two reports. */
const REPORT_INTERVAL_MS = 60_000;
/** Keys that are counted one by one between two reports; all further ones are counted together. */
const MAX_KEYS = 1_000;

/** Counts the requests that permissions refused, and reports them once a minute with a line for each key. */
export class Refusals {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>;
  readonly #counts = new Map<string, { userId: string; refused: number }>();
  #further = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#log = log;
    this.#timer = setInterval(() => this.#report(), REPORT_INTERVAL_MS);
    this.#timer.unref();
  }

  note({ credential: { id }, principal: { userId } }: Caller): void {
    const count = this.#counts.get(id);
    if (count) count.refused++;
    else if (this.#counts.size < MAX_KEYS) this.#counts.set(id, { userId, refused: 1 });
    else this.#further++;
  }

  /** Reports what was counted since the last report. */
  end(): void {
    clearInterval(this.#timer);
    this.#report();
  }

  #report(): void {
    for (const [keyId, { userId, refused }] of this.#counts)
      this.#log.warn({ keyId, userId, refused }, 'permissions refused requests of this key');
    if (this.#further > 0)
      this.#log.warn({ refused: this.#further }, 'permissions refused requests of further keys');
    this.#counts.clear();
    this.#further = 0;
  }
}
