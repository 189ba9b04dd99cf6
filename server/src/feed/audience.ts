import { setImmediate as turn } from 'node:timers/promises';
import type { LiveEvent } from './logged.ts';

/** Listeners notified per turn of the event loop. */
const LISTENERS_A_TURN = 100;
/**
 * After notifying more listeners than that, the audience pauses for this many times as long as the
 * notification took.
 */
const REST_FACTOR = 4;
/** The longest pause, in ms. */
const MAX_REST_MS = 500;
/**
 * This many new events end a pause. The number is far below the number of cached events (`kept.ts`), so that
 * no stream has to read the database.
 */
const MAX_UNTOLD = 200;

export interface Listener {
  onEvents(): void;
  onLive(event: LiveEvent): void;
  /** Called when the log was replaced, for example after a failover that lost events. */
  onLost(): void;
}

/**
 * Notifies the listeners of one log, in batches per turn of the event loop, because writing to a thousand
 * streams takes long.
 */
export class Audience {
  readonly #listeners: ReadonlySet<Listener>;
  #telling: Promise<void> = Promise.resolve();
  #tellingEvents: Promise<void> | undefined;
  /** New events that listeners have to be notified of. */
  #untold = 0;
  #endRest = (): void => {};

  constructor(listeners: ReadonlySet<Listener>) {
    this.#listeners = listeners;
  }

  /**
   * Notifies all listeners of new events. Events that arrive in the meantime are combined. After notifying
   * many listeners, it pauses, which leaves most of the time to requests and combines more events in each
   * write.
   */
  tellEvents(amount: number): void {
    this.#untold += amount;
    if (this.#untold >= MAX_UNTOLD) this.#endRest();
    this.#tellingEvents ??= this.#tellUntold();
  }

  /** Notifies all listeners of one event before the next. */
  tell(tell: (listener: Listener) => void): Promise<void> {
    this.#telling = this.#telling.then(() => this.#tellEach(tell)).catch(() => {});
    return this.#telling;
  }

  async #tellUntold(): Promise<void> {
    while (this.#untold > 0) {
      this.#untold = 0;
      const start = performance.now();
      await this.tell((listener) => listener.onEvents());
      if (this.#listeners.size > LISTENERS_A_TURN)
        await this.#rest((performance.now() - start) * REST_FACTOR);
    }
    this.#tellingEvents = undefined;
  }

  async #rest(ms: number): Promise<void> {
    if (this.#untold >= MAX_UNTOLD) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endRest = resolve;
    const timer = setTimeout(resolve, Math.min(MAX_REST_MS, ms)).unref();
    await promise;
    clearTimeout(timer);
  }

  async #tellEach(tell: (listener: Listener) => void): Promise<void> {
    let told = 0;
    for (const listener of this.#listeners) {
      if (told > 0 && told % LISTENERS_A_TURN === 0) await turn();
      told++;
      tell(listener);
    }
  }
}
