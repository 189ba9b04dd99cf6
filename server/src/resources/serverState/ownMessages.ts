import { type Authored, allAuthored, canReadAll, latestAuthored } from '../../db/byAuthor.ts';
import type { Reader } from '../../db/contract.ts';
import { anySweptMessages } from '../../db/sweep.ts';
import { latestPosition } from '../../feed/positions.ts';
import { Weighted } from '../../lib/weighted.ts';

/** Maximum number of cached messages, of all people together. */
const MAX_MESSAGES = 200_000;
/** The weight of a person in the cache, in messages, in addition to their messages. */
const OF_PERSON = 2;

/** The cached state of a server, up to a sequence number of its log. */
interface State {
  readonly serverId: string;
  readonly seq: number;
  /** The sequence number of the last event that may have removed messages of a channel; 0 for none. */
  removedAt(channelId: string): number;
}

/** A message whose event was applied while its author's messages were being read. */
interface Sent {
  seq: number;
  channelId: string;
  messageId: string;
}

/** The messages of a person as read from the database. */
interface Found {
  /** The sequence number of an event before the read; if `isWhole`, of the log's last event. */
  seq: number;
  rows: readonly Authored[];
  /** Whether `rows` are all messages up to `seq`, rather than the latest of each channel. */
  isWhole: boolean;
  isSweeping: boolean;
}

/** The messages of a person in a server, by channel. */
export class Own {
  readonly #state: State;
  /** As in `Found`. */
  readonly #seq: number;
  /** Whether all messages are known, rather than the latest of each channel. */
  readonly #isWhole: boolean;
  /** Messages by channel, sorted. Deleted messages may still be listed. */
  readonly #channels = new Map<string, string[]>();
  #size = 0;

  constructor(state: State, { seq, rows, isWhole }: Found) {
    this.#state = state;
    this.#seq = seq;
    this.#isWhole = isWhole;
    for (const { channelId, own } of rows) if (channelId !== null) this.#add(channelId, own);
    for (const messages of this.#channels.values()) messages.sort();
  }

  get state(): State {
    return this.#state;
  }

  /** The number of cached messages. */
  get size(): number {
    return this.#size;
  }

  /** Applies the event of a new message. */
  sent(seq: number, channelId: string, messageId: string): void {
    // The message was read, or it was deleted before it could be read.
    if (seq <= this.#seq) return;
    const last = this.#channels.get(channelId)?.at(-1);
    // The message was read before its event was applied.
    if (last === undefined || messageId > last) this.#add(channelId, messageId);
  }

  /** Returns the number of messages after a marker, at the position of the state; undefined if unknown. */
  after(channelId: string, marker: string): number | undefined {
    const messages = this.#channels.get(channelId);
    if (messages === undefined || (messages.at(-1) as string) <= marker) return 0;
    const isExact =
      this.#isWhole && this.#state.seq >= this.#seq && this.#state.removedAt(channelId) <= this.#seq;
    if (!isExact) return undefined;
    let count = 0;
    while (count < messages.length && (messages[messages.length - 1 - count] as string) > marker) count++;
    return count;
  }

  #add(channelId: string, messageId: string): void {
    const messages = this.#channels.get(channelId);
    if (!messages) this.#channels.set(channelId, [messageId]);
    else if (this.#isWhole) messages.push(messageId);
    else if (messageId > (messages[0] as string)) messages[0] = messageId;
    else return;
    if (!messages || this.#isWhole) this.#size++;
  }
}

/** Caches the messages that people have sent, because their own messages do not count as unread. */
export class OwnMessages {
  readonly #people = new Weighted<string, Own>(MAX_MESSAGES);
  /** New messages of people whose messages are being read. */
  readonly #reading = new Map<string, Set<Sent[]>>();

  /**
   * Returns the messages of a person. Undefined if the engine would have to read too many messages.
   */
  async of(db: Reader, state: State, userId: string): Promise<Own | undefined> {
    const key = keyOf(state, userId);
    const known = this.#people.get(key);
    if (known?.state === state) return known;
    const sent: Sent[] = [];
    const reading = this.#reading.get(key) ?? new Set();
    this.#reading.set(key, reading.add(sent));
    try {
      return await this.#read(db, state, userId, sent);
    } finally {
      reading.delete(sent);
      if (reading.size === 0) this.#reading.delete(key);
    }
  }

  async #read(db: Reader, state: State, userId: string, sent: readonly Sent[]): Promise<Own | undefined> {
    const found = await foundFor(db, state, userId);
    // A row without a channel means that there are too many messages to read.
    if (found.rows.some(({ channelId }) => channelId === null)) return undefined;
    const own = new Own(state, found);
    for (const { seq, channelId, messageId } of sent) own.sent(seq, channelId, messageId);
    // During a sweep, the result is not cached, because all messages can be read afterwards.
    if (!found.isSweeping) this.#keep(keyOf(state, userId), own);
    return own;
  }

  /** Applies the event of a new message. */
  sent(state: State, creatorId: string, channelId: string, messageId: string): void {
    const key = keyOf(state, creatorId);
    for (const sent of this.#reading.get(key) ?? []) sent.push({ seq: state.seq, channelId, messageId });
    const known = this.#people.peek(key);
    if (known?.state !== state) return;
    known.sent(state.seq, channelId, messageId);
    this.#keep(key, known);
  }

  #keep(key: string, own: Own): void {
    this.#people.set(key, own, OF_PERSON + own.size);
  }
}

const keyOf = ({ serverId }: State, userId: string): string => serverId + userId;

/** Reads all messages of a person, or the latest in each channel if the engine would have to read too many. */
async function foundFor(db: Reader, { serverId, seq }: State, userId: string): Promise<Found> {
  const of = { serverId, creatorId: userId };
  if (canReadAll(db.dialect)) {
    // The embedded engine runs these statements one directly after another.
    const [before, swept, rows, end] = await Promise.all([
      latestPosition(db, serverId),
      db.first(anySweptMessages({})),
      allAuthored(db, of),
      latestPosition(db, serverId),
    ]);
    // If the log has advanced, it is unknown which of the new messages were read. Sweeps delete messages without
    // emitting an event for each.
    const isSweeping = swept !== undefined;
    const isWhole = before.seq === end.seq && !isSweeping;
    if (rows) return { seq: before.seq, rows, isWhole, isSweeping };
  }
  const rows = await db.all(latestAuthored(db.dialect, of));
  return { seq, rows, isWhole: false, isSweeping: false };
}
