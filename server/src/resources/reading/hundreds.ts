import type { Reader } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import { Recent } from '../../lib/recent.ts';

/** A place in the log of a server: the number and the epoch of the latest event. Null if there is none. */
export interface ReadPosition {
  seq: number | null;
  epoch: string | null;
}

/** Servers, and channels of each, that are remembered. */
const MAX_SERVERS = 200;
const MAX_CHANNELS = 1_000;
/** Events that are looked through before all of the server is forgotten instead. */
const MAX_NEWS = 100;
/** Before all ids. */
const NONE = '';
/** After these events a channel has no fewer messages than before. */
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

/** From which messages on a hundred are known to be in the channels of a server, at a place of its log. */
export class HundredsAt {
  seq: number;
  readonly epoch: string;
  readonly #last = new Map<string, string>();

  constructor(seq: number, epoch: string) {
    this.seq = seq;
    this.epoch = epoch;
  }

  /** True if a hundred messages of the channel are known to be after the marker. */
  has(channelId: string, marker: string): boolean {
    const last = this.#last.get(channelId);
    return last !== undefined && marker < last;
  }

  /** True if somebody has looked for a hundred in the channel. Where `has` is not true, there are probably fewer. */
  isTried(channelId: string): boolean {
    return this.#last.has(channelId);
  }

  /** Notes that so many were found from a message on, it included, after the place was read; null for none. */
  add(channelId: string, messageId: string | null): void {
    const last = this.#last.get(channelId);
    const found = messageId ?? NONE;
    if (last === undefined ? this.#last.size < MAX_CHANNELS : last < found) this.#last.set(channelId, found);
  }
}

/**
 * Remembers the hundredth message of a channel, from the latest back: nobody counts again after a marker before it. New messages change
 * nothing in that. Whatever takes messages away has its event, in the same transaction: so what was found holds as long as the
 * log of the server has no other events than harmless ones since. The log is asked each time, not the news of this node: a count
 * is right whichever node has made the change.
 */
export class Hundreds {
  readonly #servers = new Recent<string, HundredsAt>(MAX_SERVERS);

  /**
   * What is known of a server at a place of its log. The place has to be read together with the channels: one that is being swept
   * says so at the place at which the sweep began.
   */
  async at(db: Reader, serverId: string, { seq, epoch }: ReadPosition): Promise<HundredsAt> {
    const place = new HundredsAt(seq ?? 0, epoch ?? '');
    const known = this.#servers.get(serverId);
    if (known?.epoch === place.epoch) {
      if (known.seq === place.seq) return known;
      // Another request has looked further meanwhile.
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

/** True if the log has nothing but harmless events from the place of `known` up to the number `last`. */
async function holds(db: Reader, logId: string, known: HundredsAt, last: number): Promise<boolean> {
  const { seq, epoch } = known;
  if (last - seq > MAX_NEWS) return false;
  const found = await db.all(news({ logId, seq, last }));
  // Fewer, if some are too old to be kept.
  return found.length === last - seq && found.every((one) => one.epoch === epoch && HARMLESS.has(one.type));
}
