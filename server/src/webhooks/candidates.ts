import type { Db } from '../db/contract.ts';
import type { Store } from './store.ts';

/** For this long, new events do not cause another attempt to claim a busy webhook. */
const BUSY_MS = 5_000;
/** Maximum cached servers. */
const MAX_KNOWN_SERVERS = 50_000;
/** Number of servers per query. */
const READ_AT_ONCE = 200;

/** The webhooks that may have something to send: those in servers with new events, and postponed ones. */
export class Candidates {
  readonly #db: Pick<Db, 'authorityVersion'>;
  readonly #store: Pick<Store, 'enabledOf'>;
  /** The cached ids of each server's enabled webhooks. */
  readonly #known = new Map<string, readonly string[]>();
  /** The `authorityVersion` for which the cache is valid. */
  #version = Number.NaN;
  /** Servers with new events. */
  readonly #woken = new Set<string>();
  /**
   * The time until which new events do not cause a claim, by webhook, on the clock of `performance.now()`.
   */
  readonly #busyUntil = new Map<string, number>();
  readonly #postponed = new Set<string>();

  constructor(db: Pick<Db, 'authorityVersion'>, store: Pick<Store, 'enabledOf'>) {
    this.#db = db;
    this.#store = store;
  }

  /** Whether there are servers with new events that have not been taken yet. */
  get isWoken(): boolean {
    return this.#woken.size > 0;
  }

  /** Marks a server as having new events, unless it is known to have no webhooks. */
  wake(serverId: string): void {
    if (this.#version === this.#db.authorityVersion() && this.#known.get(serverId)?.length === 0) return;
    this.#woken.add(serverId);
  }

  /** Returns the webhooks of servers with new events. Busy webhooks are postponed. */
  async takeWoken(): Promise<string[]> {
    const servers = [...this.#woken];
    this.#woken.clear();
    try {
      await this.#read(servers);
    } catch (error) {
      for (const serverId of servers) this.#woken.add(serverId);
      throw error;
    }
    const ids = servers.flatMap((serverId) => this.#known.get(serverId) ?? []);
    const busy = new Set(ids.filter((id) => this.#isBusy(id)));
    this.postpone(busy);
    return ids.filter((id) => !busy.has(id));
  }

  /** Requeues webhooks after a failure, or if there was no capacity. */
  postpone(ids: Iterable<string>): void {
    for (const id of ids) this.#postponed.add(id);
  }

  isPostponed(id: string): boolean {
    return this.#postponed.has(id);
  }

  takePostponed(): string[] {
    const ids = [...this.#postponed];
    this.#postponed.clear();
    return ids;
  }

  /** Marks a webhook as claimed by another node or waiting for a retry. */
  noteBusy(id: string): void {
    this.#busyUntil.set(id, performance.now() + BUSY_MS);
  }

  #isBusy(id: string): boolean {
    const until = this.#busyUntil.get(id);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#busyUntil.delete(id);
    return false;
  }

  async #read(servers: readonly string[]): Promise<void> {
    const version = this.#db.authorityVersion();
    if (version !== this.#version || this.#known.size > MAX_KNOWN_SERVERS) {
      this.#known.clear();
      this.#busyUntil.clear();
      this.#version = version;
    }
    const unknown = servers.filter((serverId) => !this.#known.has(serverId));
    for (let first = 0; first < unknown.length; first += READ_AT_ONCE) {
      const some = unknown.slice(first, first + READ_AT_ONCE);
      const found = Map.groupBy(await this.#store.enabledOf(some), ({ serverId }) => serverId);
      for (const serverId of some) {
        this.#known.set(
          serverId,
          (found.get(serverId) ?? []).map(({ id }) => id),
        );
      }
    }
  }
}
