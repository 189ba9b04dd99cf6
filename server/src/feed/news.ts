import { randomUUID } from 'node:crypto';
import type { Db } from '../db/contract.ts';
import type { Valkey } from '../lib/valkey.ts';

/**
 * Tells the other processes on the same data, through Valkey, that this one has changed who may do what, and hears it
 * from them. Without it they notice too, only later (see `Db.authorityVersion`).
 */
export class News {
  readonly #valkey: Valkey;
  readonly #channel: string;
  /** All that a message says is who sent it. */
  readonly #self: string = randomUUID();
  #untold = false;
  #telling = false;

  /** `channelPrefix` begins the names of the channels that the processes share. */
  constructor(valkey: Valkey, db: Pick<Db, 'onAuthorityChange' | 'authorityChanged'>, channelPrefix: string) {
    this.#valkey = valkey;
    this.#channel = `${channelPrefix}authority`;
    const heard = (from: string) => {
      if (from !== this.#self) db.authorityChanged();
    };
    valkey.subscribe(this.#channel, heard, () => db.authorityChanged());
    valkey.onUp(() => {
      if (this.#untold) this.#tellSoon();
    });
    db.onAuthorityChange(() => {
      this.#untold = true;
      this.#tellSoon();
    });
  }

  /** One message for all changes of one turn of the event loop. */
  #tellSoon(): void {
    if (this.#telling) return;
    this.#telling = true;
    setImmediate(() => {
      this.#telling = false;
      this.#untold = false;
      this.#valkey.publish(this.#channel, this.#self).catch(() => {
        this.#untold = true;
      });
    });
  }
}
