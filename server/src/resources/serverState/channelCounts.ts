/** Counts stop at this number, which means "this many or more". Clients show `999+`. */
export const MOST = 1_000;
/** Maximum ids to cache at the end of a channel, and maximum ranges of markers before them. */
const MAX_TAIL = 64;
const MAX_RANGES = 8;
/**
 * Maximum channels of a server with cached counts, including direct messages. Beyond this number, the cache
 * is cleared.
 */
const MAX_CHANNELS = 10_000;
/** A text that sorts before all ids. */
const NONE = '';

/**
 * A range of markers between two adjacent messages. The same number of messages follows each of these
 * markers.
 */
interface Range {
  /** The message before the markers, which can also be a marker; `NONE` if there is none. */
  from: string;
  /** The first message after the markers. */
  before: string;
  /** The number of messages after the markers, without those in `added`. */
  base: number;
}

/** The cached state of one channel. */
interface Known {
  /** The latest messages, oldest first, without gaps. */
  tail: string[];
  /** The message before the tail; `NONE` if there is none. */
  tailFrom: string;
  /** Messages sent since the first count. */
  added: number;
  /** At least `MOST` messages follow any marker before this id. */
  full: string;
  /** At least `farCount` messages, which may be more than `MOST`, follow any marker up to `far`. */
  far: string;
  farCount: number;
  ranges: Range[];
  /** The range to replace next. */
  next: number;
}

/** The messages of a channel after a marker, read from the database. */
export interface CountedAfter {
  channelId: string;
  /** The channel's latest message; null if there is none. */
  latest: string | null;
  /** Messages after the marker, up to `MOST`. */
  count: number;
  /** If there are fewer than `MOST`, the messages directly before and after the marker. */
  from: string | null;
  before: string | null;
  /** If there are `MOST`, the `MOST`th-latest message. */
  last: string | null;
}

const latestOf = ({ tail, tailFrom }: Known): string => tail.at(-1) ?? tailFrom;

/**
 * The numbers of messages after read markers in a server's channels, derived from earlier counts and the
 * messages that were sent afterwards. A number is either exact or unknown.
 */
export class ChannelCounts {
  readonly #channels = new Map<string, Known>();

  /**
   * Returns the number of messages after a marker; undefined if they have to be counted. A result of `MOST`
   * or more means that there are at least as many.
   */
  after(channelId: string, marker: string): number | undefined {
    const known = this.#channels.get(channelId);
    if (!known) return undefined;
    const { tail, tailFrom, added, full, far, farCount, ranges } = known;
    if (marker <= far) return farCount;
    if (marker < full) return MOST;
    if (marker >= tailFrom) return marker >= latestOf(known) ? 0 : tail.length - placeIn(tail, marker);
    for (let at = 0; at < ranges.length; at++) {
      const { from, before, base } = ranges[at] as Range;
      if (marker < before && marker >= from) return Math.min(MOST, base + added);
    }
    return undefined;
  }

  /** Caches a count. Call this only if no events have been applied since the statement began. */
  learn({ channelId, latest, count, from, before, last }: CountedAfter): void {
    const known = this.#channels.get(channelId) ?? {
      ...{ tail: [], tailFrom: latest ?? NONE, added: 0, full: NONE, far: NONE, farCount: MOST },
      ...{ ranges: [], next: 0 },
    };
    // If the latest message differs, the statement saw messages whose events have not been applied yet.
    if (latestOf(known) !== (latest ?? NONE)) {
      this.drop(channelId);
      return;
    }
    if (this.#channels.size >= MAX_CHANNELS && !this.#channels.has(channelId)) this.#channels.clear();
    this.#channels.set(channelId, known);
    if (last !== null) {
      if (last > known.full) known.full = last;
    } else if (before !== null) {
      known.ranges[known.next] = { from: from ?? NONE, before, base: count - known.added };
      known.next = (known.next + 1) % MAX_RANGES;
    }
  }

  /**
   * Caches that at least this many messages, more than `MOST`, follow a marker. Events must not have been
   * applied since the statement began.
   */
  learnFar(channelId: string, marker: string, count: number): void {
    const known = this.#channels.get(channelId);
    if (!known || count < known.farCount || (count === known.farCount && marker <= known.far)) return;
    known.far = marker;
    known.farCount = count;
  }

  /** Applies the event of a new message. */
  sent(channelId: string, messageId: string): void {
    const known = this.#channels.get(channelId);
    if (!known) return;
    // The message was counted before its event was applied.
    if (messageId <= latestOf(known)) {
      this.drop(channelId);
      return;
    }
    known.added++;
    known.tail.push(messageId);
    if (known.tail.length <= MAX_TAIL) return;
    known.tailFrom = known.tail[MAX_TAIL / 2 - 1] as string;
    known.tail = known.tail.slice(MAX_TAIL / 2);
  }

  /** Drops a channel, because messages may have been removed from it. */
  drop(channelId: string): void {
    this.#channels.delete(channelId);
  }
}

/** Returns the number of ids up to and including the marker. */
function placeIn(ids: readonly string[], marker: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as string) <= marker) low = middle + 1;
    else high = middle;
  }
  return low;
}
