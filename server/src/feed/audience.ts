import { setImmediate as turn } from 'node:timers/promises';
import type { LiveEvent } from './logged.ts';

/** Listeners notified per turn of the event loop. */
const LISTENERS_A_TURN = 100;
/** After notifying more listeners than that, the audience rests for this many times as long as it took. */
const REST_FACTOR = 4;
/** The longest rest, in ms. */
const MAX_REST_MS = 500;
/** This many new events end a rest: far fewer than are cached (`kept.ts`), so that no stream reads the database. */
const MAX_UNTOLD = 200;

export interface Listener {
  onEvents(): void;
  onLive(event: LiveEvent): void;
  /** Called when the log was replaced, for example after a failover that lost events. */
  onLost(): void;
}

/** The listeners of one log, notified in batches per turn of the event loop: writing to a thousand streams takes a while. */
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
   * Notifies all listeners of new events. Events that arrive meanwhile are notified together. A large audience
   * rests afterwards, which leaves most of the time to requests and combines more events in each write.
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
