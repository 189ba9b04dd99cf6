import type { Reader } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import { Recent } from '../../lib/recent.ts';

/** A position in a server's log: the sequence number and epoch of the latest event. Null if there is none. */
export interface ReadPosition {
  seq: number | null;
  epoch: string | null;
}

/** Maximum cached servers, and cached channels per server. */
const MAX_SERVERS = 200;
const MAX_CHANNELS = 1_000;
/** Maximum log events to check; beyond that, a server's cache is dropped instead. */
const MAX_NEWS = 100;
/** Sorts before all ids. */
const NONE = '';
/** Events that never reduce a channel's message count. */
const HARMLESS = new Set(['message.created', 'message.updated', 'reaction.created', 'reaction.deleted']);

const news = prepare((p: { logId: string; seq: number; last: number }) =>
  q
    .selectFrom('event')
    .select(['type', 'epoch'])
    .where('logId', '=', p.logId)
    .where('seq', '>', p.seq)
    .where('seq', '<=', p.last)
    .orderBy('seq'),
);

/**
 * For each channel of a server, the message from which on it is known to have a thousand messages, at a
 * position in the server's log.
 */
export class ThousandsAt {
  seq: number;
  readonly epoch: string;
  readonly #last = new Map<string, string>();

  constructor(seq: number, epoch: string) {
    this.seq = seq;
    this.epoch = epoch;
  }

  /** Whether the channel is known to have a thousand messages after the marker. */
  has(channelId: string, marker: string): boolean {
    const last = this.#last.get(channelId);
    return last !== undefined && marker < last;
  }

  /** Whether a count was attempted in the channel. If so and `has` is false, there are probably fewer. */
  isTried(channelId: string): boolean {
    return this.#last.has(channelId);
  }

  /**
   * Records that a channel has a thousand messages from this one on, inclusive, counted after the position
   * was read; null if it has fewer.
   */
  add(channelId: string, messageId: string | null): void {
    const last = this.#last.get(channelId);
    const found = messageId ?? NONE;
    if (last === undefined ? this.#last.size < MAX_CHANNELS : last < found) this.#last.set(channelId, found);
  }
}

/**
 * Caches the thousandth-latest message of each channel, so messages after an older marker need not be
 * counted again. New messages don't invalidate it. Every change that removes messages emits an event in its
 * transaction, so an entry is valid as long as the server's log has only harmless events since. The log
 * itself is queried each time, instead of relying on this node's notifications, so counts are correct
 * whichever node made the change.
 */
export class Thousands {
  readonly #servers = new Recent<string, ThousandsAt>(MAX_SERVERS);

  /**
   * The cache of a server at a position in its log. Read the position together with the channels: a channel
   * that is being swept says so at the position where the sweep began.
   */
  async at(db: Reader, serverId: string, { seq, epoch }: ReadPosition): Promise<ThousandsAt> {
    const place = new ThousandsAt(seq ?? 0, epoch ?? '');
    const known = this.#servers.get(serverId);
    if (known?.epoch === place.epoch) {
      if (known.seq === place.seq) return known;
      // Another request has read a later position in the meantime.
      if (known.seq > place.seq) return place;
      if (await holds(db, serverId, known, place.seq)) {
        known.seq = Math.max(known.seq, place.seq);
        return known;
      }
    }
    const meanwhile = this.#servers.get(serverId);
    if (meanwhile === known) this.#servers.set(serverId, place);
    return place;
  }
}

/** Whether the log has only harmless events from the position of `known` to the sequence number `last`. */
async function holds(db: Reader, logId: string, known: ThousandsAt, last: number): Promise<boolean> {
  const { seq, epoch } = known;
  if (last - seq > MAX_NEWS) return false;
  const found = await db.all(news({ logId, seq, last }));
  // Fewer events are found if retention has deleted some.
  return found.length === last - seq && found.every((one) => one.epoch === epoch && HARMLESS.has(one.type));
}
