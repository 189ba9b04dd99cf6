import type { Begun } from './marks.ts';
import { MOST } from './readingCounts.ts';
import type { Replica } from './replica.ts';
import type { ChannelReading, Records, ThreadReading } from './types.ts';

/**
 * The events that a response's counts include: all events of the server up to `countedFrom`, and none after
 * `countedTo`.
 */
export type Counted = Pick<Records['ReadingInServer'], 'countedFrom' | 'countedTo'>;

/** The channel or thread of a marker. A thread also names its channel. */
export interface Spot {
  serverId: string;
  channelId: string;
  threadId: string | null;
}

type Row = ChannelReading | ThreadReading;

/** The effect of an event on the counts of a channel or thread. */
export interface Change {
  seq: number;
  messageId: string;
  unread?: number;
  mentions?: number;
}

interface Known {
  spot: Spot;
  row: Row;
  counted: Counted;
}

/** A marker that the user moved and that the server may not have yet. */
export interface Untold {
  messageId: string;
  unreadAt: number;
}

export interface CountsAround {
  replica: Replica;
  changed: (spot: Spot) => void;
  /** Asks the server to recount. */
  doubt: (spot: Spot) => void;
  untold: (id: string) => Untold | undefined;
}

const bounded = (count: number) => Math.max(0, Math.min(MOST, count));

/**
 * Markers and counts of channels and threads. Responses and events are reconciled by event number, so nothing
 * is counted twice or missed, regardless of the order of arrival.
 */
export class Counts {
  readonly #known = new Map<string, Known>();
  /** Changes from events that arrived while a response was pending, by channel or thread. */
  readonly #recent = new Map<string, Change[]>();
  readonly #of: CountsAround;

  constructor(of: CountsAround) {
    this.#of = of;
    of.replica.marks.rested = () => this.#recent.clear();
  }

  get(id: string): Known | undefined {
    return this.#known.get(id);
  }

  /**
   * Stores a response. Asks for a recount if events arrived in the meantime that the response may or may not
   * include.
   */
  answer(begun: Begun, spot: Spot, row: Row, { countedFrom, countedTo }: Counted): void {
    const id = spot.threadId ?? spot.channelId;
    const known = this.#known.get(id);
    const { marks } = this.#of.replica;
    if (marks.isNewer(`reading ${id}`, begun)) {
      this.#of.doubt(spot);
      if (known) return;
    }
    const untold = this.#of.untold(id);
    if (known && untold && row.unreadAt <= untold.unreadAt && row.messageId < untold.messageId) {
      // The user's marker is ahead of the response. The server recounts once it has the marker.
      if ('level' in row) {
        const { level, mutedUntil, favorite, hidden } = row;
        this.set(id, { ...known.row, level, mutedUntil, favorite, hidden });
      }
      return;
    }
    let [unread, mentions] = [row.unread, 'mentions' in row ? row.mentions : 0];
    let isDoubtful = false;
    for (const change of this.#recent.get(id) ?? []) {
      if (change.seq <= countedFrom || change.messageId <= row.messageId) continue;
      if (change.seq <= countedTo || (unread === MOST && (change.unread ?? 0) < 0)) isDoubtful = true;
      if (change.seq <= countedTo) continue;
      unread = bounded(unread + (change.unread ?? 0));
      mentions = bounded(mentions + (change.mentions ?? 0));
    }
    // Another pending response may be older than this one.
    marks.change(`reading ${id}`);
    const counts = 'mentions' in row ? { unread, mentions } : { unread };
    this.#known.set(id, { spot, row: { ...row, ...counts }, counted: { countedFrom, countedTo } });
    this.#of.changed(spot);
    if (isDoubtful) this.#of.doubt(spot);
  }

  /** Applies an event to the counts, unless the current response already includes it. */
  told(id: string, change: Change): void {
    const known = this.#known.get(id);
    if (known && change.seq <= known.counted.countedTo) {
      if (change.seq > known.counted.countedFrom) this.#of.doubt(known.spot);
      return;
    }
    if (this.#of.replica.marks.isReading) {
      const recent = this.#recent.get(id);
      if (recent) recent.push(change);
      else this.#recent.set(id, [change]);
    }
    if (!known || change.messageId <= known.row.messageId) return;
    const { row } = known;
    const { unread = 0, mentions = 0 } = change;
    // Counts are capped at `MOST`, so the new count is unknown. Events never decrease the mentions.
    if (unread < 0 && row.unread >= MOST) {
      this.#of.doubt(known.spot);
      return;
    }
    known.row = {
      ...row,
      unread: bounded(row.unread + unread),
      ...('mentions' in row && { mentions: bounded(row.mentions + mentions) }),
    };
    this.#of.changed(known.spot);
  }

  /** Stores a change that the user made on this or another device. Pending responses are older than the change. */
  set(id: string, row: Row): void {
    const known = this.#known.get(id);
    if (!known) return;
    this.#of.replica.marks.change(`reading ${id}`);
    known.row = row;
    this.#of.changed(known.spot);
  }

  /** Keeps pending responses, which may be older, from replacing the current value. */
  hold(id: string): void {
    this.#of.replica.marks.change(`reading ${id}`);
  }

  delete(id: string): void {
    const known = this.#known.get(id);
    this.#known.delete(id);
    if (known) this.#of.changed(known.spot);
  }

  /** The channels and threads in a server that have a marker. */
  in(serverId: string): Spot[] {
    const spots = [...this.#known.values()].map(({ spot }) => spot);
    return spots.filter((spot) => spot.serverId === serverId);
  }
}
