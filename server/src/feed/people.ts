import type { LiveEvent } from './logged.ts';
import type { Reader } from './reader.ts';

/** The open readers of people who are signed in, for events that are for one person alone: nobody else's reader is looked at. */
export class People {
  readonly #readers = new Map<string, Set<Reader>>();

  add(userId: string, reader: Reader): void {
    const readers = this.#readers.get(userId);
    if (readers) readers.add(reader);
    else this.#readers.set(userId, new Set([reader]));
  }

  remove(userId: string, reader: Reader): void {
    const readers = this.#readers.get(userId);
    if (readers?.delete(reader) && readers.size === 0) this.#readers.delete(userId);
  }

  /** Passes a live event to a person's readers of the server that it is about. */
  tell(userId: string, event: LiveEvent): void {
    for (const reader of this.#readers.get(userId) ?? [])
      if (reader.logId === event.serverId) reader.onLive(event);
  }
}
