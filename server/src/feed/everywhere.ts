import type { Viewer } from '../access/visibility.ts';
import { type EventPlace, logTag, placeOfEventId, tagOfEventId } from './eventId.ts';
import type { Feed } from './feed.ts';
import type { LoggedEvent } from './logged.ts';
import type { Gap } from './places.ts';
import { SeveralReaders } from './several.ts';

/** The logs of one person, and their standing in each. */
export interface Membership {
  /** The log of their own. */
  userId: string;
  /** The servers of which they are a member now. */
  servers(): Promise<string[]>;
  /** Them as a viewer of a log: in the server that they have left, or in none, with no server. */
  viewer(logId: string): Promise<Viewer>;
}

/** A server from whose cursor its log cannot go on: it goes on from the latest. */
export type Lapse = Gap & { serverId: string | null };

/** An open one, and the servers in which events are missing since the cursors that it was opened with. */
export interface Opened {
  reading: Everywhere;
  lapses: readonly Lapse[];
}

/** All servers of one person, and the log of their own, as one stream: servers that they join or leave begin or end in it. */
export class Everywhere extends SeveralReaders {
  /** Called when a server has begun: whatever happens in it from the cursor on is told. */
  tellJoined = (_serverId: string, _cursor: string): void => {};
  /** Called when a server is over: none of its events is told any more. */
  tellLeft = (_serverId: string): void => {};
  readonly #feed: Feed;
  readonly #membership: Membership;
  /** Servers that the person was found to have left: if they are a member again, something may have been missed. */
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
   * Opens the logs after the given cursors, each of which names its log; those that no cursor names, after their latest event.
   * Cursors of servers that the person has left have no effect.
   */
  static async open(feed: Feed, membership: Membership, cursors: readonly string[]): Promise<Opened> {
    const reading = new Everywhere(feed, membership);
    const logIds = [membership.userId, ...(await membership.servers())];
    const lapses = await reading.#open(logIds, placesIn(logIds, cursors));
    return { reading, lapses };
  }

  /** The person. */
  get userId(): string {
    return this.#membership.userId;
  }

  /** Looks which servers the person has joined or left. Call it when their permissions may have changed. */
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
    if (this.#isOver) return;
    for (const serverId of joined) {
      const reader = this.readers.get(serverId);
      if (reader) this.tellJoined(serverId, reader.cursor);
    }
    // Events that came while the others were opened have called nobody.
    if (!this.isAtEnd) this.onEvents();
  }

  async #open(logIds: readonly string[], places: ReadonlyMap<string, EventPlace>): Promise<Lapse[]> {
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

  /** A server that was deleted ends, before its log does. */
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

/** The places of cursors, by the ids of their logs. Where two logs end alike, which is once in billions, it has neither. */
function placesIn(logIds: readonly string[], cursors: readonly string[]): Map<string, EventPlace> {
  const byTag = Map.groupBy(logIds, logTag);
  const places = new Map<string, EventPlace>();
  for (const cursor of cursors) {
    const [logId, another] = byTag.get(tagOfEventId(cursor) ?? '') ?? [];
    const place = logId !== undefined && another === undefined && placeOfEventId(logId, cursor);
    if (place) places.set(logId, place);
  }
  return places;
}
