import type { Db } from '../db/contract.ts';
import type { LoggedEvent } from '../feed/logged.ts';
import type { Gap } from '../feed/places.ts';
import type { Reader } from '../feed/reader.ts';
import { untilMore } from '../feed/reading.ts';

/** Events that are read at once. */
const PORTION = 20;
/** How long, in milliseconds, what was read may wait to be sent: who sees it may change meanwhile. */
const FRESH = 250;

/** What one webhook has yet to send, in order. */
export class Backlog {
  readonly #db: Pick<Db, 'authorityVersion'>;
  readonly #reader: Reader;
  readonly #onGap: (gap: Gap, cursor: string) => Promise<void>;
  #events: LoggedEvent[] = [];
  #readAt = 0;
  #version = Number.NaN;
  #cursor: string;

  /** @param onGap Called where the log cannot go on from the cursor, before it goes on where it can. */
  constructor(
    db: Pick<Db, 'authorityVersion'>,
    reader: Reader,
    cursor: string,
    onGap: (gap: Gap, cursor: string) => Promise<void>,
  ) {
    this.#db = db;
    this.#reader = reader;
    this.#cursor = cursor;
    this.#onGap = onGap;
  }

  /** Goes to where the webhook has come to. */
  open(): Promise<void> {
    return this.#seek();
  }

  /** Up to where everything was dealt with. */
  get cursor(): string {
    return this.#events.length > 0 ? this.#cursor : this.#reader.cursor;
  }

  get isAtEnd(): boolean {
    return this.#events.length === 0 && this.#reader.isAtEnd;
  }

  /** Resolves once there is more, `ms` milliseconds have passed, or `signal` says so. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return untilMore(this.#reader, ms, signal);
  }

  /** The next event, by what is known now of who may see it. Undefined at the end of the log, or where much of it is not for it. */
  async head(): Promise<LoggedEvent | undefined> {
    if (this.#events.length > 0 && !this.#isFresh()) {
      this.#events = [];
      await this.#seek();
    }
    if (this.#events.length === 0) {
      this.#cursor = this.#reader.cursor;
      this.#version = this.#db.authorityVersion();
      this.#readAt = performance.now();
      this.#events = await this.#reader.next(PORTION);
    }
    return this.#events[0];
  }

  /** The event at the head was dealt with. */
  pass(): void {
    const event = this.#events.shift();
    if (event) this.#cursor = event.id;
  }

  #isFresh(): boolean {
    return performance.now() - this.#readAt < FRESH && this.#db.authorityVersion() === this.#version;
  }

  async #seek(): Promise<void> {
    const gap = await this.#reader.seek(this.#cursor);
    if (!gap) return;
    await this.#onGap(gap, this.#cursor);
    this.#cursor = gap.reason === 'expired' ? gap.oldest : gap.latest;
    await this.#reader.seek(this.#cursor);
  }
}
