import type { LiveEvent, LoggedEvent } from './logged.ts';
import type { Reading } from './reading.ts';

/**
 * Several logs read as one: each event carries the cursor of its own log, so that a client which keeps one cursor for each log goes on
 * without a gap and without a repetition. Within a log the order is that of the log; between logs there is none. Readers are asked in
 * turn, so that a busy log does not keep the others waiting.
 */
export class SeveralReaders implements Reading {
  onEvents = (): void => {};
  tellLive = (_event: LiveEvent): void => {};
  tellSight = (_event: LiveEvent): void => {};
  onLost = (): void => {};
  readonly #readers: readonly Reading[];
  /** The reader that is asked first the next time. */
  #next = 0;

  /** @param readers One for each log, each at the place from which it goes on. At least one. */
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

  /** The next events of all logs, at most `limit`. */
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

  /** The same for all that is new, at once; undefined where something has to be looked up first: then nothing was taken. */
  recent(): readonly LoggedEvent[] | undefined {
    const behind = this.#readers.filter(({ isAtEnd }) => !isAtEnd);
    const [only] = behind;
    // A second reader that has to look something up would make the events of the first wait, or be lost.
    return behind.length > 1 ? undefined : only ? only.recent() : [];
  }

  close(): void {
    for (const reader of this.#readers) reader.close();
  }
}
