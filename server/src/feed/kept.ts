import type { LoggedEvent } from './logged.ts';

/** Maximum number of events cached in memory for readers that are slightly behind. */
const MAX_KEPT_EVENTS = 1_000;
/** Maximum size of the cached events, in characters of JSON. */
const MAX_KEPT_CHARACTERS = 4 * 1024 * 1024;

/** The latest events of a log in memory, without gaps. */
export class Kept {
  #events: LoggedEvent[] = [];
  #characters = 0;

  /** Adds the next events of the log. */
  add(events: readonly LoggedEvent[]): void {
    this.#dropChangedBy(events);
    for (const event of events) {
      this.#events.push(event);
      this.#characters += event.json.length;
    }
    let surplus = Math.max(0, this.#events.length - MAX_KEPT_EVENTS);
    let characters = this.#characters;
    for (let index = 0; index < this.#events.length; index++) {
      if (index >= surplus && characters <= MAX_KEPT_CHARACTERS) break;
      characters -= (this.#events[index] as LoggedEvent).json.length;
      surplus = Math.max(surplus, index + 1);
    }
    if (surplus > 0) this.#events = this.#events.slice(surplus);
    this.#characters = characters;
  }

  /** Returns all events after a sequence number; undefined if some of them are not in memory. */
  after(seq: number): readonly LoggedEvent[] | undefined {
    const first = this.#events[0];
    const last = this.#events.at(-1);
    if (!first || !last || seq < first.seq - 1 || seq > last.seq) return undefined;
    // Returns a copy, because streams cache rendered text by array, and this list keeps growing.
    return this.#events.slice(seq - first.seq + 1);
  }

  /**
   * Drops cached events up to the last one whose text these new events change, for example because its
   * message was edited or deleted. Readers that are behind read them from the database again.
   */
  #dropChangedBy(events: readonly LoggedEvent[]): void {
    const states = new Map<string, string>();
    const hidden = new Set<string | null>();
    let hasNewSettings = false;
    for (const { type, subject, channelId } of events) {
      if (subject && type !== 'message.created') states.set(subject.id, subject.state);
      // The messages of a deleted channel or thread are deleted without separate events.
      if (type === 'channel.deleted' || type === 'thread.deleted') hidden.add(channelId);
      if (type === 'server.updated') hasNewSettings = true;
    }
    if (states.size + hidden.size === 0 && !hasNewSettings) return;
    const last = this.#events.findLastIndex(({ subject, earlier, channelId }) => {
      if (!subject) return false;
      const state = states.get(subject.id) ?? subject.state;
      return state !== subject.state || hidden.has(channelId) || (hasNewSettings && earlier !== undefined);
    });
    for (const { json } of this.#events.slice(0, last + 1)) this.#characters -= json.length;
    this.#events = this.#events.slice(last + 1);
  }
}
