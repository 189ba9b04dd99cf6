import type { Db } from '../db/contract.ts';
import type { LoggedEvent } from '../feed/logged.ts';
import type { Gap } from '../feed/positions.ts';
import type { Reader } from '../feed/reader.ts';
import { untilMore } from '../feed/reading.ts';

/** Number of events per read from the log. */
const BATCH_EVENTS = 20;
/**
 * Events that were read longer ago than this are read again before they are sent, because permissions may
 * have changed.
 */
const FRESH_MS = 250;

type Authority = Pick<Db, 'authorityVersion' | 'authorityHasChanged'>;

/** Reads a webhook's unsent events, in order. */
export class Backlog {
  readonly #db: Authority;
  readonly #serverId: string;
  readonly #reader: Reader;
  readonly #onGap: (gap: Gap, cursor: string) => Promise<void>;
  readonly #shown: (event: LoggedEvent) => LoggedEvent | undefined;
  #events: LoggedEvent[] = [];
  #readAt = 0;
  #version = Number.NaN;
  #cursor: string;

  /**
   * @param onGap Called when the log cannot be resumed from the cursor, before the cursor moves past the gap.
   * @param shown Converts an event to the form that the webhook gets; undefined if the webhook does not get
   * it.
   */
  constructor(
    db: Authority,
    reader: Reader,
    { serverId, cursor }: { serverId: string; cursor: string },
    {
      onGap,
      shown,
    }: {
      onGap(gap: Gap, cursor: string): Promise<void>;
      shown(event: LoggedEvent): LoggedEvent | undefined;
    },
  ) {
    this.#db = db;
    this.#reader = reader;
    this.#serverId = serverId;
    this.#cursor = cursor;
    this.#onGap = onGap;
    this.#shown = shown;
  }

  /** Moves to the webhook's cursor. Call this first. */
  open(): Promise<void> {
    return this.#seek();
  }

  /** The position up to which all events have been sent or skipped. */
  get cursor(): string {
    return this.#events.length > 0 ? this.#cursor : this.#reader.cursor;
  }

  /** Whether the next event has to be read from the log. */
  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  get isAtEnd(): boolean {
    return this.#events.length === 0 && this.#reader.isAtEnd;
  }

  /** Resolves when there are more events, after `ms` milliseconds, or when `signal` is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return untilMore(this.#reader, ms, signal);
  }

  /**
   * Returns the next event that the webhook's role may see. Undefined at the end of the log, or if many
   * events in a row are not for this webhook.
   */
  async head(): Promise<LoggedEvent | undefined> {
    if (this.#events.length > 0 && !this.#isFresh()) {
      this.#events = [];
      await this.#seek();
    }
    if (this.#events.length === 0) {
      this.#cursor = this.#reader.cursor;
      this.#version = this.#db.authorityVersion();
      this.#readAt = performance.now();
      this.#events = (await this.#reader.next(BATCH_EVENTS)).flatMap((event) => this.#shown(event) ?? []);
    }
    return this.#events[0];
  }

  /** Removes the first event after it was accepted. */
  pass(): void {
    const event = this.#events.shift();
    if (event) this.#cursor = event.id;
  }

  #isFresh(): boolean {
    const whose = { serverId: this.#serverId, userId: null };
    return performance.now() - this.#readAt < FRESH_MS && !this.#db.authorityHasChanged(this.#version, whose);
  }

  async #seek(): Promise<void> {
    const gap = await this.#reader.seek(this.#cursor);
    if (!gap) return;
    await this.#onGap(gap, this.#cursor);
    this.#cursor = gap.reason === 'expired' ? gap.oldest : gap.latest;
    await this.#reader.seek(this.#cursor);
  }
}
