import type { LiveEvent, LoggedEvent } from './logged.ts';
import type { Reading } from './reading.ts';

/**
 * Several logs read as one stream. Each event carries the cursor of its own log: a client that keeps one cursor for
 * each log resumes without gaps or repetitions. Events of one log stay in order; those of different logs are in no
 * order. Readers take turns, so that a busy log does not delay the others.
 */
export class SeveralReaders implements Reading {
  onEvents = (): void => {};
  tellLive = (_event: LiveEvent): void => {};
  tellSight = (_event: LiveEvent): void => {};
  onLost = (): void => {};
  readonly #readers: readonly Reading[];
  /** The index of the reader that comes first in the next call of `next`. */
  #next = 0;

  /** @param readers At least one; one for each log, already at its place. */
  constructor(readers: readonly Reading[]) {
    this.#readers = readers;
    for (const reader of readers) {
      reader.onEvents = () => this.onEvents();
      reader.tellLive = (event) => this.tellLive(event);
      reader.tellSight = (event) => this.tellSight(event);
      reader.onLost = () => this.onLost();
    }
  }

  /** The cursors of all logs, separated by commas. */
  get cursor(): string {
    return this.#readers.map(({ cursor }) => cursor).join(',');
  }

  get isAtEnd(): boolean {
    return this.#readers.every(({ isAtEnd }) => isAtEnd);
  }

  async next(limit: number): Promise<LoggedEvent[]> {
    const events: LoggedEvent[] = [];
    const { length } = this.#readers;
    const first = this.#next;
    this.#next = (first + 1) % length;
    for (let turn = 0; turn < length && events.length < limit; turn++) {
      const reader = this.#readers[(first + turn) % length] as Reading;
      if (!reader.isAtEnd) events.push(...(await reader.next(limit - events.length)));
    }
    return events;
  }

  recent(): readonly LoggedEvent[] | undefined {
    const behind = this.#readers.filter(({ isAtEnd }) => !isAtEnd);
    const [only] = behind;
    // With two readers, the first could give its events, and the second none: then those of the first would be lost.
    return behind.length > 1 ? undefined : only ? only.recent() : [];
  }

  close(): void {
    for (const reader of this.#readers) reader.close();
  }
}
