import type { PageCache } from '../pageCache.ts';
import type { SqliteConnection } from './connection.ts';

/** The name of the function that the triggers call. */
const NOTICE = 'palaver_message_changed';

/**
 * Drops cached pages when this process changes messages. Triggers detect the changes of every statement and
 * cascade. `Authority` detects changes by other processes.
 */
export class MessageChanges {
  readonly #connection: SqliteConnection;
  readonly #pages: PageCache;
  /** The channels whose messages the batch has changed. */
  readonly #changed = new Set<string>();
  #isWatching = false;

  constructor(connection: SqliteConnection, pages: PageCache) {
    this.#connection = connection;
    this.#pages = pages;
  }

  /**
   * Whether changes are tracked, so that pages may be cached. The first call outside a batch creates the
   * triggers.
   */
  watch(): boolean {
    const { db } = this.#connection;
    // Inside a batch, a rollback would remove the triggers again.
    if (this.#isWatching || db.isTransaction) return this.#isWatching;
    db.function(NOTICE, (channelId) => this.#notice(channelId as string));
    for (const [verb, ...rows] of [
      ['insert', 'new'],
      ['update', 'old', 'new'],
      ['delete', 'old'],
    ]) {
      const notices = rows.map((row) => `${NOTICE}(${row}."channelId")`);
      this.#connection.exec(
        `create temp trigger palaver_message_${verb} after ${verb} on main.message begin select ${notices.join()}; end`,
      );
    }
    this.#isWatching = true;
    return true;
  }

  /**
   * Call this after a batch's commit or rollback. Until then, readers see the previous state and may cache
   * it.
   */
  endBatch(): void {
    if (this.#changed.size === 0) return;
    for (const channelId of this.#changed) this.#pages.changed(channelId);
    this.#changed.clear();
  }

  #notice(channelId: string): null {
    this.#changed.add(channelId);
    // Statements outside of a batch, as in tests, take effect immediately.
    this.#pages.changed(channelId);
    return null;
  }
}
