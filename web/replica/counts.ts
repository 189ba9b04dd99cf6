import type { Begun } from './marks.ts';
import { MOST } from './readingCounts.ts';
import type { Replica } from './replica.ts';
import type { ChannelReading, Records, ThreadReading } from './types.ts';

/** As answers tell it: they have all events of the server up to `countedFrom`, and none after `countedTo`. */
export type Counted = Pick<Records['ReadingInServer'], 'countedFrom' | 'countedTo'>;

/** Where a marker is: a thread names its channel, too. */
export interface Spot {
  serverId: string;
  channelId: string;
  threadId: string | null;
}

type Row = ChannelReading | ThreadReading;

/** By how much an event changes the numbers of a place. */
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

/** A marker that the person has moved, and that the server may not have yet. */
export interface Untold {
  messageId: string;
  unreadAt: number;
}

export interface CountsAround {
  replica: Replica;
  changed: (spot: Spot) => void;
  /** The server has to count again. */
  doubt: (spot: Spot) => void;
  untold: (id: string) => Untold | undefined;
}

const bounded = (count: number) => Math.max(0, Math.min(MOST, count));

/**
 * Markers and numbers of channels and threads. An answer and the events since are put together by the numbers of the events, so
 * nothing is counted twice or left out, in whatever order they come.
 */
export class Counts {
  readonly #known = new Map<string, Known>();
  /** What events have changed while an answer was under way, by place. */
  readonly #recent = new Map<string, Change[]>();
  readonly #of: CountsAround;

  constructor(of: CountsAround) {
    this.#of = of;
    of.replica.marks.rested = () => this.#recent.clear();
  }

  get(id: string): Known | undefined {
    return this.#known.get(id);
  }

  /** Puts what the server has answered. It is asked again if the answer may lack, or have, what was told meanwhile. */
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
      // The person is ahead of the answer. They are counted again when the server knows.
      if ('level' in row) this.set(id, { ...known.row, level: row.level, mutedUntil: row.mutedUntil });
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
    // Another answer that is under way may be older than this one.
    marks.change(`reading ${id}`);
    const counts = 'mentions' in row ? { unread, mentions } : { unread };
    this.#known.set(id, { spot, row: { ...row, ...counts }, counted: { countedFrom, countedTo } });
    this.#of.changed(spot);
    if (isDoubtful) this.#of.doubt(spot);
  }

  /** An event changes the numbers, unless the answer that is here has it. */
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
    // Of a hundred or more it is not known how many are left.
    if ((unread < 0 && row.unread >= MOST) || (mentions < 0 && 'mentions' in row && row.mentions >= MOST)) {
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

  /** Puts what the person, or another device of theirs, has changed: answers that are under way are older. */
  set(id: string, row: Row): void {
    const known = this.#known.get(id);
    if (!known) return;
    this.#of.replica.marks.change(`reading ${id}`);
    known.row = row;
    this.#of.changed(known.spot);
  }

  /** An answer that is under way may be older than what is known. */
  hold(id: string): void {
    this.#of.replica.marks.change(`reading ${id}`);
  }

  delete(id: string): void {
    const known = this.#known.get(id);
    this.#known.delete(id);
    if (known) this.#of.changed(known.spot);
  }

  /** The spots of a server. */
  in(serverId: string): Spot[] {
    const spots = [...this.#known.values()].map(({ spot }) => spot);
    return spots.filter((spot) => spot.serverId === serverId);
  }
}
