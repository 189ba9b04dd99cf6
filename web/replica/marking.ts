import { type Around, soon } from './around.ts';
import type { Untold } from './counts.ts';
import type { Reading } from './reading.ts';
import { afterMark } from './readingCounts.ts';
import type { Replica } from './replica.ts';
import type { Api, Line, Records } from './types.ts';

/** Marks made within this time are sent as a batch. */
const REST_MS = 1_500;
const MOST_MOVED = 100;

interface Moved {
  serverId: string;
  channelId: string;
  threadId?: string | undefined;
  messageId: string;
  /**
   * The marker's `unreadAt` when it moved. If something was marked as unread after that, the later mark wins.
   */
  unreadAt: number;
  /**
   * True if the channel has unread replies in threads that are not cached here: the mark has to go beyond
   * them.
   */
  isBeyond?: boolean;
}

interface Attended {
  /** Checks whether the latest messages are in view. */
  isBefore: () => boolean;
  seenAt: number;
}

export interface MarkingAround {
  api: Api;
  around: Around;
  replica: Replica;
  reading: Reading;
  lineOf: (id: string) => Line | undefined;
}

/** Sends read markers to the server, in batches and only forward. */
export class Marking {
  readonly #moved = new Map<string, Moved>();
  /** Marks in flight, by channel or thread. */
  readonly #telling = new Map<string, Moved>();
  /** Open channels and threads by id. */
  readonly #attended = new Map<string, Attended>();
  readonly #of: MarkingAround;
  readonly #send: ReturnType<typeof soon>;

  constructor(of: MarkingAround) {
    this.#of = of;
    this.#send = soon(of.around, REST_MS, REST_MS, () => void this.#tell());
  }

  /**
   * Marks everything in the channel or thread up to this message as read, unless something there was marked
   * as unread after `seenAt`. Compares with the store, because a caller may not have rendered the latest
   * state yet.
   */
  read(
    place: Omit<Moved, 'messageId' | 'unreadAt'>,
    messageId: string,
    seenAt = Number.POSITIVE_INFINITY,
  ): void {
    const { reading, lineOf, replica } = this.#of;
    const id = place.threadId ?? place.channelId;
    const isChannel = place.threadId === undefined;
    const known = isChannel ? reading.channel(id) : reading.thread(id);
    const unreadAt = known?.unreadAt ?? 0;
    if (unreadAt > seenAt) return;
    const line = lineOf(id);
    const isEnd = line?.atEnd === true && messageId >= (line.ids.at(-1) ?? '');
    // Replies in threads count as unread in their channel. A user who reaches the channel's end has read
    // those, too.
    const latest = isEnd && isChannel ? reading.latest(place.channelId) : undefined;
    const upTo = latest !== undefined && latest > messageId ? latest : messageId;
    const moved = this.#moved.get(id);
    if ((known?.messageId ?? '') >= upTo) return;
    // The server ignores a pending mark with an earlier `unreadAt`.
    if (moved && moved.unreadAt >= unreadAt && moved.messageId >= upTo) return;
    const isBeyond =
      isEnd && isChannel && !!known && known.unread > (afterMark(line, known.messageId, replica) ?? 0);
    this.#moved.set(id, { ...place, messageId: upTo, unreadAt, isBeyond });
    reading.moved(id, upTo);
    this.#send();
  }

  /**
   * Marks new messages in a channel or thread as read on arrival while `isBefore` returns true, which means that the
   * latest messages are in view, and nothing was marked as unread after `seenAt`. Returns a function that stops this.
   */
  attend(placeId: string, isBefore: () => boolean, seenAt: number): () => void {
    const attended = { isBefore, seenAt };
    this.#attended.set(placeId, attended);
    return () => {
      if (this.#attended.get(placeId) === attended) this.#attended.delete(placeId);
    };
  }

  /**
   * Called when an event delivered a message that is already counted. If the latest messages are in view, the message
   * is marked as read at once and never shown as unread.
   */
  came({ id, serverId, channelId, threadId }: Records['ShownMessage']): void {
    const attended = this.#attended.get(threadId ?? channelId);
    if (attended?.isBefore())
      this.read({ serverId, channelId, threadId: threadId ?? undefined }, id, attended.seenAt);
  }

  /** The user's marker, as long as the server may not have it. */
  untold = (id: string): Untold | undefined => this.#moved.get(id) ?? this.#telling.get(id);

  /** Discards the pending mark of a channel or thread, because something there was marked as unread. */
  forget(id: string): void {
    this.#moved.delete(id);
  }

  /**
   * Marks a whole channel as read at once, whether it is open or not. Rejects if its latest message cannot
   * be loaded.
   */
  async readAll(serverId: string, channelId: string): Promise<void> {
    await this.#see(serverId, channelId);
    const latest = this.#of.reading.latest(channelId);
    if (latest !== undefined) this.read({ serverId, channelId }, latest);
    this.flush();
  }

  /** Sends pending marks now, for example because the page is about to be hidden. */
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
        // After a temporary failure, retry the same marks, unless the user has read on.
        if (isTold === undefined && !this.#moved.has(id)) this.#moved.set(id, one);
      }
      // A batch is all or nothing: one channel or thread that is deleted or no longer visible fails the whole batch, so
      // send each mark on its own.
      if (isTold === false)
        if (some.length > 1) for (const one of some) await this.#tellOf(serverId, [one]);
        else this.#of.reading.told(idOf(some[0] as Moved));
      if (isTold === undefined) this.#of.around.after(REST_MS * 4, () => this.#send());
    }
  }

  /** True if the server has stored the marks, false if it rejects them, undefined after a temporary failure. */
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

  /** Loads the latest message of a channel, which may be a reply in a thread that is not cached. */
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
