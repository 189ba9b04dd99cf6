import type { Viewer } from '../access/visibility.ts';
import { type LogPosition, logTag, positionOfEventId, tagOfEventId } from './eventId.ts';
import type { Feed } from './feed.ts';
import type { LoggedEvent } from './logged.ts';
import type { Gap } from './positions.ts';
import { SeveralReaders } from './several.ts';

/** A person's logs, and their permissions in each log. */
export interface Membership {
  /** The person. Their id also identifies their own log. */
  userId: string;
  /** Returns the servers that the person currently belongs to. */
  servers(): Promise<string[]>;
  /**
   * Returns the person as the viewer of a log. The viewer's `serverId` is null for their own log, and for a
   * server they have left.
   */
  viewer(logId: string): Promise<Viewer>;
}

/**
 * A log that cannot be resumed from the given cursor, and continues after its latest event. `serverId` is
 * null for the person's own log.
 */
export type Lapse = Gap & { serverId: string | null };

/** A new subscription, and the logs that cannot be resumed from their cursors. */
export interface Opened {
  reading: Everywhere;
  lapses: readonly Lapse[];
}

/**
 * One person's subscription to all their servers and their own log, as a single stream. Servers they join or
 * leave are added or removed while it is open.
 */
export class Everywhere extends SeveralReaders {
  /** Called when a server was added. All its events after the cursor will be delivered. */
  tellJoined = (_serverId: string, _cursor: string): void => {};
  /** Called when a server was removed. None of its events will be delivered from then on. */
  tellLeft = (_serverId: string): void => {};
  readonly #feed: Feed;
  readonly #membership: Membership;
  /**
   * Servers that the person was found to have left when events were about to be delivered. They are removed
   * from the stream even if the person is a member again, because the events in between were skipped.
   */
  readonly #left = new Set<string>();
  #isOver = false;
  #isRefreshing = false;
  #again = false;

  private constructor(feed: Feed, membership: Membership) {
    super([]);
    this.#feed = feed;
    this.#membership = membership;
  }

  /**
   * Opens all logs. Each cursor identifies its log. A log without a cursor starts after its latest event.
   * Cursors of servers that the person has left are ignored.
   */
  static async open(feed: Feed, membership: Membership, cursors: readonly string[]): Promise<Opened> {
    const reading = new Everywhere(feed, membership);
    const logIds = [membership.userId, ...(await membership.servers())];
    const lapses = await reading.#open(logIds, placesIn(logIds, cursors));
    return { reading, lapses };
  }

  get userId(): string {
    return this.#membership.userId;
  }

  /**
   * Adds and removes servers to match the person's memberships. Call this when their permissions may have
   * changed.
   */
  async refresh(): Promise<void> {
    this.#again = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      while (this.#again && !this.#isOver) {
        this.#again = false;
        await this.#refresh();
      }
    } finally {
      this.#isRefreshing = false;
    }
  }

  override async next(limit: number): Promise<LoggedEvent[]> {
    return this.#looked(await super.next(limit));
  }

  override recent(): readonly LoggedEvent[] | undefined {
    const events = super.recent();
    return events && this.#looked(events);
  }

  override close(): void {
    this.#isOver = true;
    super.close();
  }

  async #refresh(): Promise<void> {
    const { userId } = this.#membership;
    const left = [...this.#left];
    this.#left.clear();
    const servers = new Set(await this.#membership.servers());
    if (this.#isOver) return;
    for (const serverId of [...this.readers.keys()]) {
      if (serverId === userId || (servers.has(serverId) && !left.includes(serverId))) continue;
      this.remove(serverId);
      this.tellLeft(serverId);
    }
    const joined = [...servers].filter((serverId) => !this.readers.has(serverId));
    if (joined.length === 0) return;
    await this.#open(joined, new Map());
    for (const serverId of joined) {
      const reader = this.readers.get(serverId);
      if (reader) this.tellJoined(serverId, reader.cursor);
    }
    // `onEvents` was not called for events that arrived while the logs were being opened.
    if (!this.isAtEnd) this.onEvents();
  }

  async #open(logIds: readonly string[], places: ReadonlyMap<string, LogPosition>): Promise<Lapse[]> {
    const { userId } = this.#membership;
    const asked = logIds.map((logId) => ({ logId, after: places.get(logId) }));
    const opened = await this.#feed.readers(asked, (logId) => this.#viewer(logId), userId);
    const lapses: Lapse[] = [];
    for (const { reader, gap } of opened) {
      if (this.#isOver) reader.close();
      else this.add(reader);
      if (gap) lapses.push({ serverId: reader.logId === userId ? null : reader.logId, ...gap });
    }
    return lapses;
  }

  /** Removes deleted servers from the stream immediately, although their logs are kept for longer. */
  #looked<T extends readonly LoggedEvent[]>(events: T): T {
    if (events.some(({ type }) => type === 'server.deleted')) this.refresh().catch(() => this.onLost());
    return events;
  }

  async #viewer(logId: string): Promise<Viewer> {
    const viewer = await this.#membership.viewer(logId);
    if (logId !== this.#membership.userId && viewer.serverId !== logId) {
      this.#left.add(logId);
      this.refresh().catch(() => this.onLost());
    }
    return viewer;
  }
}

/**
 * Decodes cursors, by log id. If two logs have the same tag, neither is resumed. The odds of that are one in
 * billions.
 */
function placesIn(logIds: readonly string[], cursors: readonly string[]): Map<string, LogPosition> {
  const byTag = Map.groupBy(logIds, logTag);
  const places = new Map<string, LogPosition>();
  for (const cursor of cursors) {
    const [logId, another] = byTag.get(tagOfEventId(cursor) ?? '') ?? [];
    const place = logId !== undefined && another === undefined && positionOfEventId(logId, cursor);
    if (place) places.set(logId, place);
  }
  return places;
}
