import { randomUUID } from 'node:crypto';
import { type AuthorityChanges, MAX_CHANGES } from '../db/authorityVersions.ts';
import type { Db } from '../db/contract.ts';
import type { Valkey } from '../lib/valkey.ts';

/**
 * `personal`: live events for one person. `presence`: how people are shown. They have channels of their own: earlier versions take
 * all live events for indicators, which everybody sees.
 */
type Topic = 'personal' | 'presence';

/** Connects the feeds of the processes on the same data. */
export interface Relay {
  /** True while messages reach the other processes. */
  readonly up: boolean;
  /** Tells the others that logs have grown, by the ids of the logs. */
  tellWake(logIds: readonly string[]): void;
  onWake(listener: (logIds: readonly string[]) => void): void;
  /** Sends a live event to the others. */
  tellLive(news: object): void;
  onLive(listener: (news: object) => void): void;
  /** Sends news of a topic to the others, with all of the same turn of the event loop. */
  tellOf(topic: Topic, news: object): void;
  onNewsOf(topic: Topic, listener: (all: object[]) => void): void;
  /** Calls `listener` when messages may have been missed. */
  onGap(listener: () => void): void;
}

/**
 * News between the processes on the same data, through Valkey: permissions have changed, a log has grown, a live event.
 * Without Valkey, processes find out about permissions and logs by polling (`Db.authorityVersion`, `Feed`), and live
 * events stay in their process.
 */
export class News implements Relay {
  readonly #valkey: Valkey;
  readonly #authority: string;
  readonly #wake: string;
  readonly #live: string;
  readonly #prefix: string;
  readonly #self: string = randomUUID();
  /** The changes of permissions that have yet to be published. */
  readonly #unsent = new Map<string, number>();
  #authorityScheduled = false;
  /** The news that are not published yet, by topic. */
  readonly #untold = new Map<Topic, object[]>();
  /** The logs that have grown and are not published yet. */
  readonly #grown = new Set<string>();

  /** `channelPrefix` is the prefix of the names of the Valkey channels. */
  constructor(valkey: Valkey, db: Pick<Db, 'onAuthorityChange' | 'authorityChanged'>, channelPrefix: string) {
    this.#valkey = valkey;
    this.#authority = `${channelPrefix}authority`;
    this.#wake = `${channelPrefix}wake`;
    this.#live = `${channelPrefix}live`;
    this.#prefix = channelPrefix;
    // Without a text, all permissions may have changed: earlier versions send none.
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
    // One message for all commits of one turn of the event loop.
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
    // A lost message only means delay: every process polls.
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

  /** A message is the id of its sender, a space, and the text. */
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
