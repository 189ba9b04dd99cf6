import { Ticker } from '../lib/ticker.ts';
import { Asking } from './asking.ts';
import type { NewLiveEvent } from './logged.ts';
import type { Relay } from './valkeyRelay.ts';

/** The live event for text that is appended to a message. */
const APPENDED = 'messageDelta.appended';
/** Maximum streams whose latest text is cached. Each text can be as long as a message. */
const MAX_STREAMS = 2_000;
/** TTL of cached text. It is longer than the silence after which a stream ends. */
const KEPT_MS = 90_000;
const EXPIRY_CHECK_MS = 10_000;

interface Delta {
  messageId: string;
  offset: number;
  text: string;
}

/** The end of a stream's text, from `start`. */
interface Recent {
  start: number;
  text: string;
  /** When this node received the text. */
  at: number;
}

/**
 * Caches the text that this and other nodes have appended to streaming messages. Text is broadcast
 * immediately but committed only twice a second, so every node caches what it has received and adds it to the
 * committed text for readers.
 */
export class Deltas {
  readonly asking: Asking;
  /** The streaming messages that this process writes (`OpenStreams`). Undefined until the first one. */
  holder: { close(): Promise<void> } | undefined;
  readonly #now: () => number;
  readonly #relay: Relay | undefined;
  readonly #tellServer: (news: NewLiveEvent) => void;
  /** The streams, ordered by the time of their latest text. */
  readonly #recent = new Map<string, Recent>();
  readonly #ticker = new Ticker(() => this.#expire(), EXPIRY_CHECK_MS);

  constructor(now: () => number, relay: Relay | undefined, tellServer: (news: NewLiveEvent) => void) {
    this.#now = now;
    this.asking = new Asking(relay);
    this.#relay = relay;
    this.#tellServer = tellServer;
    relay?.onNewsOf('delta', (all) => {
      for (const news of all as NewLiveEvent[]) this.#hear(news);
    });
  }

  /** Broadcasts text to all streams of its server, on every node. */
  tell(news: Omit<NewLiveEvent, 'type' | 'data'> & { data: Delta & object }): void {
    const delta = { ...news, type: APPENDED };
    this.#hear(delta);
    this.#relay?.tellOf('delta', delta);
  }

  /** Returns the text of a message, given the part that is committed. */
  continued(messageId: string, committed: string): string {
    const recent = this.#recent.get(messageId);
    if (!recent || recent.start > committed.length) return committed;
    const whole = committed.slice(0, recent.start) + recent.text;
    return whole.length > committed.length && whole.startsWith(committed) ? whole : committed;
  }

  /** Returns the time since the last append, in ms; Infinity if this node has received none. */
  silenceOf(messageId: string): number {
    const recent = this.#recent.get(messageId);
    return recent ? this.#now() - recent.at : Number.POSITIVE_INFINITY;
  }

  forget(messageId: string): void {
    this.#recent.delete(messageId);
  }

  close(): void {
    this.#ticker.stop();
  }

  #hear(news: NewLiveEvent): void {
    const { messageId, offset, text } = news.data as Delta;
    const at = this.#now();
    const known = this.#recent.get(messageId);
    this.#recent.delete(messageId);
    const place = known ? offset - known.start : -1;
    this.#recent.set(
      messageId,
      known && place >= 0 && place <= known.text.length
        ? { start: known.start, text: known.text.slice(0, place) + text, at }
        : { start: offset, text, at },
    );
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > MAX_STREAMS && oldest !== undefined) this.#recent.delete(oldest);
    this.#ticker.start();
    this.#tellServer(news);
  }

  #expire(): void {
    const end = this.#now() - KEPT_MS;
    for (const [id, { at }] of this.#recent) {
      if (at > end) return;
      this.#recent.delete(id);
    }
    this.#ticker.stop();
  }
}
