import { randomUUID } from 'node:crypto';
import { type AuthorityChanges, MAX_CHANGES } from '../db/authorityVersions.ts';
import type { Db } from '../db/contract.ts';
import type { Valkey } from '../lib/valkey.ts';

/**
 * `personal` carries live events for one person; `presence`, changed presence; `delta`, text appended to
 * messages; `question` and `answer`, the messages of `Asking`. Each topic has its own Valkey channel, because
 * earlier versions treat every live event as an indicator that everybody may see.
 */
type Topic = 'personal' | 'presence' | 'delta' | 'question' | 'answer';

/** Connects the feeds of processes that share the data. */
export interface Relay {
  /** Whether messages currently reach the other processes. */
  readonly up: boolean;
  /** Publishes the ids of logs that grew. */
  tellWake(logIds: readonly string[]): void;
  onWake(listener: (logIds: readonly string[]) => void): void;
  /** Publishes a live event. */
  tellLive(news: object): void;
  onLive(listener: (news: object) => void): void;
  /** Publishes a message on a topic. All messages from the same turn of the event loop are batched. */
  tellOf(topic: Topic, news: object): void;
  onNewsOf(topic: Topic, listener: (all: object[]) => void): void;
  /** Calls `listener` when messages may have been missed. */
  onGap(listener: () => void): void;
}

/**
 * Notifies the other processes that share the data, over Valkey, that permissions changed, a log grew, or a
 * live event happened. Without Valkey, processes notice changed permissions and logs by polling
 * (`Db.authorityVersion`, `Feed`), and live events stay within their process. Delivery is best effort, so
 * nothing may depend on it for correctness.
 */
export class ValkeyRelay implements Relay {
  readonly #valkey: Valkey;
  readonly #authority: string;
  readonly #wake: string;
  readonly #live: string;
  readonly #prefix: string;
  readonly #self: string = randomUUID();
  /** Permission changes that have not been published yet. */
  readonly #unsent = new Map<string, number>();
  #authorityScheduled = false;
  /** Messages that have not been published yet, by topic. */
  readonly #untold = new Map<Topic, object[]>();
  /** Logs whose growth has not been published yet. */
  readonly #grown = new Set<string>();

  /** `channelPrefix` is the prefix of all Valkey channels. */
  constructor(valkey: Valkey, db: Pick<Db, 'onAuthorityChange' | 'authorityChanged'>, channelPrefix: string) {
    this.#valkey = valkey;
    this.#authority = `${channelPrefix}authority`;
    this.#wake = `${channelPrefix}wake`;
    this.#live = `${channelPrefix}live`;
    this.#prefix = channelPrefix;
    // An empty text means that any permissions may have changed. Earlier versions always send an empty
    // text.
    const changed = (text = '') => db.authorityChanged(text === '' ? undefined : JSON.parse(text));
    this.#listen(this.#authority, changed, changed);
    valkey.onUp(() => {
      if (this.#unsent.size > 0) this.#tellAuthoritySoon();
    });
    db.onAuthorityChange((changes) => {
      this.#keepUnsent(changes);
      this.#tellAuthoritySoon();
    });
  }

  get up(): boolean {
    return this.#valkey.up;
  }

  tellWake(logIds: readonly string[]): void {
    const isScheduled = this.#grown.size > 0;
    for (const logId of logIds) this.#grown.add(logId);
    // All commits in one turn of the event loop share a message.
    if (!isScheduled) setImmediate(() => this.#tellGrown());
  }

  onWake(listener: (logIds: readonly string[]) => void): void {
    this.#listen(this.#wake, (text) => listener(JSON.parse(text)));
  }

  tellLive(news: object): void {
    this.#tell(this.#live, JSON.stringify(news)).catch(() => {});
  }

  onLive(listener: (news: object) => void): void {
    this.#listen(this.#live, (text) => listener(JSON.parse(text)));
  }

  tellOf(topic: Topic, news: object): void {
    const waiting = this.#untold.get(topic);
    if (waiting) {
      waiting.push(news);
      return;
    }
    this.#untold.set(topic, [news]);
    setImmediate(() => {
      const all = this.#untold.get(topic);
      this.#untold.delete(topic);
      this.#tell(this.#prefix + topic, JSON.stringify(all)).catch(() => {});
    });
  }

  onNewsOf(topic: Topic, listener: (all: object[]) => void): void {
    this.#listen(this.#prefix + topic, (text) => listener(JSON.parse(text)));
  }

  onGap(listener: () => void): void {
    this.#listen(this.#wake, () => {}, listener);
  }

  #tellGrown(): void {
    const logIds = [...this.#grown];
    this.#grown.clear();
    // A lost message only causes a delay, because every process polls.
    this.#tell(this.#wake, JSON.stringify(logIds)).catch(() => {});
  }

  #tellAuthoritySoon(): void {
    if (this.#authorityScheduled) return;
    this.#authorityScheduled = true;
    setImmediate(() => {
      this.#authorityScheduled = false;
      const changes = [...this.#unsent];
      this.#unsent.clear();
      const text = changes.length > MAX_CHANGES ? '' : JSON.stringify(changes);
      this.#tell(this.#authority, text).catch(() => this.#keepUnsent(changes));
    });
  }

  #keepUnsent(changes: AuthorityChanges): void {
    for (const [id, version] of changes) {
      const isUnknown = version === 0 || this.#unsent.get(id) === 0;
      this.#unsent.set(id, isUnknown ? 0 : Math.max(version, this.#unsent.get(id) ?? 0));
    }
  }

  /** Publishes a text. The wire format is the sender's id, a space, and the text. */
  #tell(channel: string, text: string): Promise<void> {
    return this.#valkey.publish(channel, `${this.#self} ${text}`);
  }

  #listen(channel: string, listener: (text: string) => void, onGap: () => void = () => {}): void {
    const onMessage = (message: string) => {
      const [from = ''] = message.split(' ', 1);
      if (from !== this.#self) listener(message.slice(from.length + 1));
    };
    this.#valkey.subscribe(channel, onMessage, onGap);
  }
}
