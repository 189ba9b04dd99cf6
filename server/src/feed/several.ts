import { MAX_PAGE_BYTES } from '../db/contract.ts';
import { CURSOR_SEPARATOR } from './eventId.ts';
import type { LiveEvent, LoggedEvent } from './logged.ts';
import type { Reader } from './reader.ts';
import type { Reading } from './reading.ts';

/**
 * Combines several logs in one stream. Each event contains the cursor of its log, so a client with one cursor
 * per log resumes without gaps or duplicates. Events from one log stay in order; there is no order across
 * logs. Readers are served round-robin, so a busy log does not starve the others. Idle logs cause no work.
 */
export class SeveralReaders implements Reading {
  onEvents = (): void => {};
  tellLive = (_event: LiveEvent): void => {};
  tellSight = (_event: LiveEvent): void => {};
  onLost = (): void => {};
  /** Keyed by log id. */
  protected readonly readers = new Map<string, Reader>();
  /** Readers that may have events, in round-robin order. */
  readonly #behind = new Set<Reader>();
  /** Readers whose cursors have moved since the last `takeMoved`. */
  readonly #moved = new Set<Reader>();
  #hasMore = false;
  // All readers share one closure, because there may be hundreds of thousands of readers.
  readonly #onLive = (event: LiveEvent): void => this.tellLive(event);
  readonly #onSight = (event: LiveEvent): void => this.tellSight(event);
  readonly #onLost = (): void => this.onLost();

  /** @param readers One reader per log, already positioned. */
  constructor(readers: readonly Reader[]) {
    for (const reader of readers) this.add(reader);
  }

  /** The cursors of all logs, separated by commas. */
  get cursor(): string {
    return [...this.readers.values()].map(({ cursor }) => cursor).join(CURSOR_SEPARATOR);
  }

  /** The cursor of each log, by log id. */
  get cursors(): Record<string, string> {
    return cursorsOf(this.readers.values());
  }

  /** The number of logs. */
  get amount(): number {
    return this.readers.size;
  }

  get isAtEnd(): boolean {
    return this.#behind.size === 0;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Returns the cursors that moved since the last call, by log id. */
  takeMoved(): Record<string, string> {
    const cursors = cursorsOf(this.#moved);
    this.#moved.clear();
    return cursors;
  }

  async next(limit: number): Promise<LoggedEvent[]> {
    const all: { reader: Reader; events: LoggedEvent[] }[] = [];
    let room = limit;
    let bytes = MAX_PAGE_BYTES;
    const behind = [...this.#behind];
    let visited = 0;
    for (const reader of behind) {
      if (room <= 0 || bytes <= 0) break;
      visited++;
      this.#behind.delete(reader);
      const events = await reader.next(room);
      if (!this.#has(reader)) continue;
      all.push({ reader, events });
      room -= events.length;
      for (const { json } of events) bytes -= Buffer.byteLength(json);
      this.#moved.add(reader);
      if (!reader.isAtEnd) this.#behind.add(reader);
    }
    this.#hasMore = visited < behind.length || all.some(({ reader }) => reader.hasMore);
    // Drops the events of a reader that was removed while it or another one was being read.
    return all.flatMap(({ reader, events }) => (this.#has(reader) ? events : []));
  }

  recent(): readonly LoggedEvent[] | undefined {
    const [only] = this.#behind;
    if (!only) return [];
    // With several readers, the first might return events and the second undefined. The first one's events
    // would then be lost.
    const events = this.#behind.size === 1 ? only.recent() : undefined;
    if (events) {
      this.#behind.delete(only);
      this.#moved.add(only);
    }
    return events;
  }

  close(): void {
    for (const reader of this.readers.values()) reader.close();
    this.readers.clear();
    this.#behind.clear();
  }

  protected add(reader: Reader): void {
    reader.onEvents = () => {
      this.#behind.add(reader);
      this.onEvents();
    };
    reader.tellLive = this.#onLive;
    reader.tellSight = this.#onSight;
    reader.onLost = this.#onLost;
    this.readers.set(reader.logId, reader);
    if (!reader.isAtEnd) this.#behind.add(reader);
  }

  protected remove(logId: string): void {
    const reader = this.readers.get(logId);
    if (!reader) return;
    reader.close();
    this.readers.delete(logId);
    this.#behind.delete(reader);
    this.#moved.delete(reader);
  }

  #has(reader: Reader): boolean {
    return this.readers.get(reader.logId) === reader;
  }
}

function cursorsOf(readers: Iterable<Reader>): Record<string, string> {
  const cursors: Record<string, string> = {};
  for (const { logId, cursor } of readers) cursors[logId] = cursor;
  return cursors;
}
