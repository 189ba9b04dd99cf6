import { type Around, soon } from './around.ts';
import type { Untold } from './counts.ts';
import type { Reading } from './reading.ts';
import { afterMark } from './readingCounts.ts';
import type { Replica } from './replica.ts';
import type { Api, Line, Records } from './types.ts';

/** Marks of so much time go in one request. */
const REST_MS = 1_500;
const MOST_MOVED = 100;

interface Moved {
  serverId: string;
  channelId: string;
  threadId?: string | undefined;
  messageId: string;
  /** Of the marker as it was known then: what is marked as unread later stays so. */
  unreadAt: number;
  /** The channel has unread replies in threads that were not told here: the mark has to go beyond them. */
  isBeyond?: boolean;
}

export interface MarkingAround {
  api: Api;
  around: Around;
  replica: Replica;
  reading: Reading;
  lineOf: (id: string) => Line | undefined;
}

/** Tells the server what the person has read: forward only, and many marks at once. */
export class Marking {
  readonly #moved = new Map<string, Moved>();
  /** Marks that are being told, by place. */
  readonly #telling = new Map<string, Moved>();
  /** Places that are open, by id, each with what tells whether the person has its end before them. */
  readonly #attended = new Map<string, () => boolean>();
  readonly #of: MarkingAround;
  readonly #send: ReturnType<typeof soon>;

  constructor(of: MarkingAround) {
    this.#of = of;
    this.#send = soon(of.around, REST_MS, REST_MS, () => void this.#tell());
  }

  /** Everything there is read up to this message. */
  read(place: Omit<Moved, 'messageId' | 'unreadAt'>, messageId: string): void {
    const { reading, lineOf, replica } = this.#of;
    const id = place.threadId ?? place.channelId;
    const line = lineOf(id);
    const isEnd = line?.atEnd === true && messageId >= (line.ids.at(-1) ?? '');
    // Replies in threads count as unread in their channel: who has come to its end has nothing left to read in it.
    const latest = isEnd && place.threadId === undefined ? reading.latest(place.channelId) : undefined;
    const upTo = latest !== undefined && latest > messageId ? latest : messageId;
    const known = place.threadId === undefined ? reading.channel(id) : reading.thread(id);
    if ((known?.messageId ?? '') >= upTo || (this.#moved.get(id)?.messageId ?? '') >= upTo) return;
    const own = place.threadId === undefined ? reading.channel(id) : undefined;
    const isBeyond =
      isEnd && own !== undefined && own.unread > (afterMark(line, own.messageId, replica) ?? 0);
    this.#moved.set(id, { ...place, messageId: upTo, unreadAt: known?.unreadAt ?? 0, isBeyond });
    reading.moved(id, upTo);
    this.#send();
  }

  /** Marks what comes to a place as read at once, while `isBefore` says that its end is before the person. Returns what ends it. */
  attend(placeId: string, isBefore: () => boolean): () => void {
    this.#attended.set(placeId, isBefore);
    return () => {
      if (this.#attended.get(placeId) === isBefore) this.#attended.delete(placeId);
    };
  }

  /** A message has come by an event, and is counted by now: who sees it come has read it, and is never told that it is unread. */
  came({ id, serverId, channelId, threadId }: Records['ShownMessage']): void {
    if (this.#attended.get(threadId ?? channelId)?.())
      this.read({ serverId, channelId, threadId: threadId ?? undefined }, id);
  }

  /** Where the person is, while the server may not have it. */
  untold = (id: string): Untold | undefined => this.#moved.get(id) ?? this.#telling.get(id);

  /** What was to be told of this place does not count any more: something there was marked as unread. */
  forget(id: string): void {
    this.#moved.delete(id);
  }

  /** Everything in a channel is read, also one that is not open. Tells it at once. Rejects as the read of its latest message does. */
  async readAll(serverId: string, channelId: string): Promise<void> {
    await this.#see(serverId, channelId);
    const latest = this.#of.reading.latest(channelId);
    if (latest !== undefined) this.read({ serverId, channelId }, latest);
    this.flush();
  }

  /** Tells at once: the page is about to be hidden. */
  flush(): void {
    this.#send.now();
  }

  stop(): void {
    this.#send.stop();
  }

  async #tell(): Promise<void> {
    const moved = [...this.#moved.values()];
    this.#moved.clear();
    const servers = new Set(moved.map(({ serverId }) => serverId));
    await Promise.all(
      [...servers].map((id) =>
        this.#tellOf(
          id,
          moved.filter(({ serverId }) => serverId === id),
        ),
      ),
    );
  }

  async #tellOf(serverId: string, moved: readonly Moved[]): Promise<void> {
    for (let from = 0; from < moved.length; from += MOST_MOVED) {
      const some = moved.slice(from, from + MOST_MOVED);
      for (const one of some) this.#telling.set(idOf(one), one);
      const isTold = await this.#post(serverId, some);
      for (const one of some) {
        const id = idOf(one);
        if (this.#telling.get(id) === one) this.#telling.delete(id);
        if (isTold === true) this.#of.reading.told(id);
        // Out of reach: the same marks again, unless the person has read on.
        if (isTold === undefined && !this.#moved.has(id)) this.#moved.set(id, one);
      }
      // All or none: one of a place that is gone, or out of sight by now, keeps the others out.
      if (isTold === false)
        if (some.length > 1) for (const one of some) await this.#tellOf(serverId, [one]);
        else this.#of.reading.told(idOf(some[0] as Moved));
      if (isTold === undefined) this.#of.around.after(REST_MS * 4, () => this.#send());
    }
  }

  /** True if the server has the marks, false if it refuses them, undefined if it is out of reach. */
  async #post(serverId: string, some: readonly Moved[]): Promise<boolean | undefined> {
    const { api, reading } = this.#of;
    try {
      const marks = await Promise.all(some.map((one) => this.#markOf(one)));
      const answer = await api(serverId).personRead({ marks });
      for (const mark of answer.marks) reading.mark(mark);
      return true;
    } catch (error) {
      const { status = 0 } = error as { status?: number };
      return status >= 400 && status < 500 && status !== 429 ? false : undefined;
    }
  }

  /** Asks for the latest message of a channel, which may be a reply in a thread that is not here. */
  async #see(serverId: string, channelId: string): Promise<void> {
    const { api, reading } = this.#of;
    const { messages } = await api(serverId).channelView({ id: channelId, limit: 1 });
    for (const { id } of messages) reading.see(channelId, id);
  }

  async #markOf({ serverId, channelId, threadId, messageId, unreadAt, isBeyond }: Moved) {
    if (threadId !== undefined) return { threadId, messageId, unreadAt };
    if (isBeyond) await this.#see(serverId, channelId);
    const latest = this.#of.reading.latest(channelId) ?? '';
    const upTo = isBeyond && latest > messageId ? latest : messageId;
    return { channelId, messageId: upTo, unreadAt };
  }
}

const idOf = ({ channelId, threadId }: Pick<Moved, 'channelId' | 'threadId'>): string =>
  threadId ?? channelId;
