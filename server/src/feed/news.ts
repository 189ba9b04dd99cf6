import { randomUUID } from 'node:crypto';
import type { Db } from '../db/contract.ts';
import type { Valkey } from '../lib/valkey.ts';

/** Tells the feeds of other processes what this one has appended or heard, and hears it from them. */
export interface Relay {
  /** True while what is told is heard. */
  readonly up: boolean;
  tellWake(serverIds: readonly string[]): void;
  onWake(listener: (serverIds: readonly string[]) => void): void;
  tellLive(news: object): void;
  onLive(listener: (news: object) => void): void;
  /** Sets what is called when something may have been missed. */
  onGap(listener: () => void): void;
}

/**
 * What the processes on the same data tell each other through Valkey: that one has changed who may do what, that the log of a
 * server has become longer, and what is of the moment. Without it they notice the first two as well, only later (see
 * `Db.authorityVersion` and `Feed`).
 */
export class News implements Relay {
  readonly #valkey: Valkey;
  readonly #authority: string;
  readonly #wake: string;
  readonly #live: string;
  readonly #self: string = randomUUID();
  #authorityUntold = false;
  #authoritySoon = false;
  /** Servers whose logs have become longer since that was last told. */
  readonly #longer = new Set<string>();

  /** `channelPrefix` begins the names of the channels that the processes share. */
  constructor(valkey: Valkey, db: Pick<Db, 'onAuthorityChange' | 'authorityChanged'>, channelPrefix: string) {
    this.#valkey = valkey;
    this.#authority = `${channelPrefix}authority`;
    this.#wake = `${channelPrefix}wake`;
    this.#live = `${channelPrefix}live`;
    const heard = () => db.authorityChanged();
    this.#listen(this.#authority, heard, heard);
    valkey.onUp(() => {
      if (this.#authorityUntold) this.#tellAuthoritySoon();
    });
    db.onAuthorityChange(() => {
      this.#authorityUntold = true;
      this.#tellAuthoritySoon();
    });
  }

  get up(): boolean {
    return this.#valkey.up;
  }

  tellWake(serverIds: readonly string[]): void {
    const isSoon = this.#longer.size > 0;
    for (const serverId of serverIds) this.#longer.add(serverId);
    // One message for all commits of one turn of the event loop.
    if (!isSoon) setImmediate(() => this.#tellLonger());
  }

  onWake(listener: (serverIds: readonly string[]) => void): void {
    this.#listen(this.#wake, (text) => listener(JSON.parse(text)));
  }

  tellLive(news: object): void {
    this.#tell(this.#live, JSON.stringify(news)).catch(() => {});
  }

  onLive(listener: (news: object) => void): void {
    this.#listen(this.#live, (text) => listener(JSON.parse(text)));
  }

  onGap(listener: () => void): void {
    this.#listen(this.#wake, () => {}, listener);
  }

  #tellLonger(): void {
    const serverIds = [...this.#longer];
    this.#longer.clear();
    // Who does not hear it looks by itself.
    this.#tell(this.#wake, JSON.stringify(serverIds)).catch(() => {});
  }

  #tellAuthoritySoon(): void {
    if (this.#authoritySoon) return;
    this.#authoritySoon = true;
    setImmediate(() => {
      this.#authoritySoon = false;
      this.#authorityUntold = false;
      this.#tell(this.#authority, '').catch(() => {
        this.#authorityUntold = true;
      });
    });
  }

  /** A message says who sent it, and then what. */
  #tell(channel: string, text: string): Promise<void> {
    return this.#valkey.publish(channel, `${this.#self} ${text}`);
  }

  #listen(channel: string, listener: (text: string) => void, onGap: () => void = () => {}): void {
    const heard = (message: string) => {
      const [from = ''] = message.split(' ', 1);
      if (from !== this.#self) listener(message.slice(from.length + 1));
    };
    this.#valkey.subscribe(channel, heard, onGap);
  }
}
