import { setImmediate as turn } from 'node:timers/promises';
import { AGING_MS } from './channelStates.ts';
import type { LogPosition } from './eventId.ts';
import { type LiveEvent, type LoggedEvent, onlyReadersOf } from './logged.ts';

/** Number of listeners to notify per turn of the event loop. */
const LISTENERS_A_TURN = 100;
/**
 * After notifying more than `LISTENERS_A_TURN` listeners, the audience pauses for this multiple of the time
 * that the notifications took.
 */
const REST_FACTOR = 4;
/** Maximum pause, in ms. */
const MAX_REST_MS = 500;
/**
 * A pause ends once there are this many new events. This is far fewer than are cached (`kept.ts`), so streams
 * do not have to read the database.
 */
const MAX_UNTOLD = 200;

export interface Listener {
  /** The listener's user. Undefined if not known yet; null for a webhook. */
  readonly userId: string | null | undefined;
  onEvents(): void;
  /**
   * Skips the events after `from` up to `to`, which the listener's user is not allowed to see. Does nothing
   * unless the listener has read everything before them.
   */
  passOver(from: LogPosition, to: LogPosition): void;
  onLive(event: LiveEvent): void;
  /** Called when the log was replaced, for example after a failover that lost events. */
  onLost(): void;
}

/** New events between two positions in the log. */
interface Untold {
  from: LogPosition;
  to: LogPosition;
  amount: number;
  /** The only users who may see these events. Undefined if others may see some of them. */
  readers: Set<string> | undefined;
}

/**
 * Adds the users who may see these events to `readers`. Returns undefined if an event is not limited to the
 * members of a direct message.
 */
function withReadersOf(events: readonly LoggedEvent[], readers: Set<string>): Set<string> | undefined {
  for (const event of events) {
    const only = event.lostBy ? undefined : onlyReadersOf(event);
    if (!only) return undefined;
    for (const userId of only) readers.add(userId);
  }
  return readers;
}

/**
 * Returns a function that notifies one listener of new events, or moves it past them if its user is not
 * allowed to see them.
 */
function tellingOf({ readers, from, to }: Untold): (listener: Listener) => void {
  if (!readers) return (listener) => listener.onEvents();
  return (listener) => {
    const { userId } = listener;
    if (userId === undefined || (userId !== null && readers.has(userId))) listener.onEvents();
    else listener.passOver(from, to);
  };
}

/**
 * Notifies the listeners of one log, in batches per turn of the event loop, because writing to a thousand
 * streams takes a long time.
 */
export class Audience {
  readonly #listeners: ReadonlySet<Listener>;
  readonly #freshen: (after: LogPosition) => Promise<void>;
  #telling: Promise<void> = Promise.resolve();
  #tellingEvents: Promise<void> | undefined;
  /** New events not yet announced to listeners. */
  #untold: Untold | undefined;
  #endRest = (): void => {};

  /** @param freshen Prepares the events after a position for delivery from memory. May fail. */
  constructor(listeners: ReadonlySet<Listener>, freshen: (after: LogPosition) => Promise<void>) {
    this.#listeners = listeners;
    this.#freshen = freshen;
  }

  /**
   * Notifies the listeners of the new events after `before`. If all of these events are in direct messages,
   * notifies only the listeners of their members, and those whose user is not known yet. Events that arrive
   * while listeners are being notified are combined into one notification. After notifying many listeners,
   * the audience pauses, to leave most of the time for requests and to combine more events in each write.
   */
  tellEvents(before: LogPosition, events: readonly LoggedEvent[]): void {
    const untold = this.#untold ?? { from: before, to: before, amount: 0, readers: new Set() };
    untold.to = events.at(-1) ?? untold.to;
    untold.amount += events.length;
    untold.readers &&= withReadersOf(events, untold.readers);
    this.#untold = untold;
    if (untold.amount >= MAX_UNTOLD) this.#endRest();
    this.#tellingEvents ??= this.#tellUntold();
  }

  /**
   * Notifies all listeners of one event before any of them is notified of the next. `beforeBatch` is called
   * before each batch of listeners.
   */
  tell(tell: (listener: Listener) => void, beforeBatch?: () => Promise<void>): Promise<void> {
    this.#telling = this.#telling.then(() => this.#tellEach(tell, beforeBatch)).catch(() => {});
    return this.#telling;
  }

  async #tellUntold(): Promise<void> {
    for (let untold = this.#untold; untold; untold = this.#untold) {
      this.#untold = undefined;
      const start = performance.now();
      const isLarge = this.#listeners.size > LISTENERS_A_TURN;
      await this.tell(tellingOf(untold), isLarge ? this.#freshening(untold.from) : undefined);
      if (isLarge) await this.#rest((performance.now() - start) * REST_FACTOR);
    }
    this.#tellingEvents = undefined;
  }

  /**
   * Returns a function that freshens the events after a position. After a load that failed or was too slow, it
   * does nothing: the listeners then read the events themselves.
   */
  #freshening(after: LogPosition): () => Promise<void> {
    let isInTime = true;
    return async () => {
      if (!isInTime) return;
      const freshened = this.#freshen(after).then(
        () => true,
        () => false,
      );
      const { promise: late, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(resolve, AGING_MS, false).unref();
      isInTime = await Promise.race([freshened, late]);
      clearTimeout(timer);
    };
  }

  async #rest(ms: number): Promise<void> {
    if ((this.#untold?.amount ?? 0) >= MAX_UNTOLD) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endRest = resolve;
    const timer = setTimeout(resolve, Math.min(MAX_REST_MS, ms)).unref();
    await promise;
    clearTimeout(timer);
  }

  async #tellEach(tell: (listener: Listener) => void, beforeBatch?: () => Promise<void>): Promise<void> {
    let told = 0;
    for (const listener of this.#listeners) {
      if (told % LISTENERS_A_TURN === 0) {
        if (told > 0) await turn();
        if (beforeBatch) await beforeBatch();
      }
      told++;
      // It may have been closed before its batch began.
      if (this.#listeners.has(listener)) tell(listener);
    }
  }
}
