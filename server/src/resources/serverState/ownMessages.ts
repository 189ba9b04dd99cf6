import { latestAuthored } from '../../db/byAuthor.ts';
import type { Reader } from '../../db/contract.ts';
import { Weighted } from '../../lib/weighted.ts';

/** Maximum number of cached channels, added up over all people who have sent messages in them. */
const MAX_CHANNELS = 100_000;
/** The weight of a person, in channels. */
const OF_PERSON = 2;

/**
 * The id of a person's latest message in each channel that they have sent messages in. Ids of deleted
 * messages may remain, so each id is an upper bound.
 */
export type LatestOwn = ReadonlyMap<string, string>;

/** The cached state of a server, up to a sequence number of its log. */
interface State {
  readonly serverId: string;
  readonly seq: number;
}

interface Known {
  /** The server state that keeps this cache up to date. */
  state: State;
  latest: Map<string, string>;
}

/**
 * Caches the channels that people have sent messages in, because their own messages do not count as unread.
 */
export class OwnMessages {
  readonly #people = new Weighted<string, Known>(MAX_CHANNELS);

  /**
   * Returns the latest messages of a person. Undefined if the engine would have to read too many messages.
   */
  async of(db: Reader, state: State, userId: string): Promise<LatestOwn | undefined> {
    const key = keyOf(state, userId);
    const known = this.#people.get(key);
    if (known?.state === state) return known.latest;
    const { serverId, seq } = state;
    const rows = await db.all(latestAuthored(db.dialect, { serverId, creatorId: userId }));
    const latest = new Map<string, string>();
    for (const { channelId, own } of rows) {
      if (channelId === null) return undefined;
      if (own > (latest.get(channelId) ?? '')) latest.set(channelId, own);
    }
    // Otherwise, the result would lack messages whose events were applied in the meantime.
    if (state.seq === seq) this.#keep(key, { state, latest });
    return latest;
  }

  /** Applies the event of a new message. */
  sent(state: State, creatorId: string, channelId: string, messageId: string): void {
    const key = keyOf(state, creatorId);
    const known = this.#people.peek(key);
    if (known?.state !== state) return;
    const before = known.latest.size;
    known.latest.set(channelId, messageId);
    if (known.latest.size > before) this.#keep(key, known);
  }

  #keep(key: string, known: Known): void {
    this.#people.set(key, known, OF_PERSON + known.latest.size);
  }
}

const keyOf = ({ serverId }: State, userId: string): string => serverId + userId;
