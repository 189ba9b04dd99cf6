import type { Begun } from './marks.ts';
import { MOST } from './readingCounts.ts';
import type { Replica } from './replica.ts';
import type { Level, Records } from './types.ts';

interface OfServer {
  level: Level;
  mutedUntil: number | null;
  notifications: number;
  /** The sequence number of the latest event that the notification count may include. */
  countedTo: number;
}

interface ServerCountsAround {
  replica: Replica;
  changed: (serverId: string) => void;
  doubt: (serverId: string) => void;
}

/** The notification level and unread notification count of each server. */
export class ServerCounts {
  readonly #rows = new Map<string, OfServer>();
  readonly #of: ServerCountsAround;

  constructor(of: ServerCountsAround) {
    this.#of = of;
  }

  get(serverId: string): OfServer | undefined {
    return this.#rows.get(serverId);
  }

  ids(): Iterable<string> {
    return this.#rows.keys();
  }

  /** Stores a response. A response about only some channels has no notification count. */
  answer(
    begun: Begun,
    answer: Pick<
      Records['ReadingInServer'],
      'serverId' | 'level' | 'mutedUntil' | 'notifications' | 'countedTo'
    >,
  ): void {
    const { serverId, level, mutedUntil, notifications, countedTo } = answer;
    const { marks } = this.#of.replica;
    const old = this.#rows.get(serverId);
    const isNewer = (key: string) => marks.isNewer(`${key} ${serverId}`, begun);
    const levels = old && isNewer('level') ? {} : { level, mutedUntil };
    const isCounted = notifications !== null && !(old && isNewer('notifications'));
    const counts = isCounted ? { notifications: notifications ?? 0, countedTo } : {};
    if (isNewer('level') || (notifications !== null && isNewer('notifications'))) this.#of.doubt(serverId);
    if (notifications !== null) marks.change(`notifications ${serverId}`);
    const none = { level: null, mutedUntil: null, notifications: 0, countedTo: -1 };
    this.#rows.set(serverId, { ...none, ...old, ...levels, ...counts });
    this.#of.changed(serverId);
  }

  /** Counts one more unread notification. */
  notified(serverId: string, seq: number): void {
    const row = this.#rows.get(serverId);
    this.#of.replica.marks.change(`notifications ${serverId}`);
    if (!row) return;
    if (seq <= row.countedTo) {
      this.#of.doubt(serverId);
      return;
    }
    this.#rows.set(serverId, { ...row, notifications: Math.min(MOST, row.notifications + 1) });
    this.#of.changed(serverId);
  }

  level(serverId: string, level: Level, mutedUntil: number | null): void {
    const row = this.#rows.get(serverId);
    this.#of.replica.marks.change(`level ${serverId}`);
    if (!row) return;
    this.#rows.set(serverId, { ...row, level, mutedUntil });
    this.#of.changed(serverId);
  }

  delete(serverId: string): void {
    this.#rows.delete(serverId);
    this.#of.changed(serverId);
  }
}
