import type { LiveEvent } from './logged.ts';
import type { Reader } from './reader.ts';

/**
 * The open readers of signed-in people, by user. Events for one person go directly to that person's
 * readers.
 */
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

  /** Delivers a live event to a person's readers of the server that it is about. */
  tell(userId: string, event: LiveEvent): void {
    for (const reader of this.#readers.get(userId) ?? [])
      if (reader.logId === event.serverId) reader.onLive(event);
  }
}
