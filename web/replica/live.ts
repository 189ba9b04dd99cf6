import type { Around } from './around.ts';
import type { Replica } from './replica.ts';
import { Streamed } from './streamed.ts';
import type { Api, Indicator, LiveEvent, Presence } from './types.ts';

/** How long an indicator lasts unless it is renewed, in case the event that ends it was missed. */
const TYPING_MS = 12_000;
/** Throttle for the user's own typing indicator. */
const TELL_MS = 5_000;
const MOST_ASKED = 100;
/** Delay before a failed request is retried. */
const AGAIN_MS = 5_000;

const nobody: readonly Indicator[] = Object.freeze([]);
/** The indicator types that are shown, for people and for agents. */
const shown: ReadonlySet<string> = new Set(['typing', 'thinking', 'working']);

const keyOf = (serverId: string, userId: string): string => `${serverId} ${userId}`;

interface LiveOptions {
  api: Api;
  around: Around;
  changed: (key: string) => void;
  isLost: () => boolean;
  replica: Replica;
}

/**
 * Typing indicators, presence, and the text of streaming messages. All are ephemeral. Presence and text are
 * requested again after the stream was lost.
 */
export class Live {
  readonly #typing = new Map<string, readonly Indicator[]>();
  readonly #ends = new Map<string, () => void>();
  readonly #presences = new Map<string, Presence>();
  /** The number of components that show a member, by server and user. */
  readonly #watched = new Map<string, number>();
  readonly #asking = new Map<string, Set<string>>();
  /**
   * The sequence number of the event or request that last set a member's presence. Earlier ones are stale.
   */
  readonly #from = new Map<string, number>();
  #last = 0;
  readonly #told = new Map<string, number>();
  readonly #api: Api;
  readonly #around: Around;
  readonly #changed: (key: string) => void;
  readonly #isLost: () => boolean;
  readonly #streamed: Streamed;
  userId: string | undefined;
  #isStopped = false;

  constructor({ api, around, changed, isLost, replica }: LiveOptions) {
    this.#api = api;
    this.#around = around;
    this.#changed = changed;
    this.#isLost = isLost;
    this.#streamed = new Streamed(replica, api, around);
  }

  typing = (placeId: string): readonly Indicator[] => this.#typing.get(placeId) ?? nobody;

  presence = (serverId: string, userId: string): Presence | undefined =>
    this.#presences.get(keyOf(serverId, userId));

  apply(event: LiveEvent): void {
    this.#streamed.apply(event);
    if (event.type === 'presence.updated') {
      const { people, isWhole } = event.data;
      this.#put(event.serverId, people, ++this.#last);
      if (!isWhole) this.#askAnew(event.serverId);
    } else if (event.type.startsWith('indicator.')) {
      const data = event.data as Indicator;
      if (shown.has(data.type) && data.userId !== this.userId)
        this.#type(data, event.type !== 'indicator.deleted');
    } else if (event.type === 'message.created') {
      const { creatorId, channelId, threadId } = event.data;
      const place = threadId ?? channelId;
      for (const one of this.typing(place))
        if (one.userId === creatorId && one.type !== 'working') this.#type(one, false);
    }
  }

  /** Sends a typing indicator, at most once every five seconds, and none while there is no connection. */
  tell(serverId: string, place: { channelId?: string; threadId?: string }): void {
    if (this.#isLost()) return;
    const id = place.threadId ?? place.channelId ?? '';
    const now = this.#around.now();
    if (now - (this.#told.get(id) ?? 0) < TELL_MS) return;
    this.#told.set(id, now);
    // Best effort: typing indicators are not retried.
    Promise.resolve(this.#api(serverId).indicatorInsert({ type: 'typing', ...place })).catch(() => undefined);
  }

  /**
   * Called when a message was sent to the channel or thread. Resets the throttle, so the next key sends an indicator at
   * once.
   */
  sent(placeId: string): void {
    this.#told.delete(placeId);
  }

  watch(serverId: string, userIds: readonly string[]): () => void {
    for (const userId of userIds) {
      const key = keyOf(serverId, userId);
      this.#watched.set(key, (this.#watched.get(key) ?? 0) + 1);
      if (!this.#presences.has(key)) this.#ask(serverId, userId);
    }
    return () => {
      for (const userId of userIds) {
        const key = keyOf(serverId, userId);
        const left = (this.#watched.get(key) ?? 1) - 1;
        if (left > 0) this.#watched.set(key, left);
        else {
          this.#watched.delete(key);
          this.#presences.delete(key);
          this.#from.delete(key);
        }
      }
    };
  }

  /** Called when events may have been missed: requests presence and text again, and clears typing indicators. */
  renew(): void {
    this.#streamed.renew();
    for (const [id, rows] of [...this.#typing]) for (const row of rows) this.#type(row, false, id);
    for (const serverId of new Set([...this.#watched.keys()].map((key) => key.split(' ')[0] as string)))
      this.#askAnew(serverId);
  }

  stop(): void {
    this.#isStopped = true;
    for (const end of this.#ends.values()) end();
  }

  /** Stores presence from an event or response, unless a later one is already stored. */
  #put(serverId: string, people: readonly Presence[], from: number): void {
    for (const one of people) {
      const key = keyOf(serverId, one.userId);
      if (!this.#watched.has(key) || (this.#from.get(key) ?? 0) > from) continue;
      this.#presences.set(key, one);
      this.#from.set(key, from);
      this.#changed(`presence:${key}`);
    }
  }

  #askStill(serverId: string, userIds: readonly string[]): void {
    if (this.#isStopped) return;
    for (const userId of userIds) if (this.#watched.has(keyOf(serverId, userId))) this.#ask(serverId, userId);
  }

  #askAnew(serverId: string): void {
    for (const key of this.#watched.keys()) {
      const [of, userId] = key.split(' ') as [string, string];
      if (of === serverId) this.#ask(serverId, userId);
    }
  }

  /** Requests the presence of a user, batched with others that are requested within 50 ms. */
  #ask(serverId: string, userId: string): void {
    const asked = this.#asking.get(serverId);
    if (asked) return void asked.add(userId);
    this.#asking.set(serverId, new Set([userId]));
    this.#around.after(50, () => {
      const userIds = [...(this.#asking.get(serverId) ?? [])];
      this.#asking.delete(serverId);
      for (let from = 0; from < userIds.length; from += MOST_ASKED) {
        const some = userIds.slice(from, from + MOST_ASKED);
        const question = ++this.#last;
        Promise.resolve(this.#api(serverId).presences({ userIds: some.join(',') })).then(
          ({ people }) => this.#put(serverId, people, question),
          ({ status = 0 }: { status?: number }) => {
            // A final failure, as for a member who left. The last known presence stays until the next
            // event.
            if (status >= 400 && status < 500 && status !== 429) return;
            this.#around.after(AGAIN_MS, () => this.#askStill(serverId, some));
          },
        );
      }
    });
  }

  #type(row: Indicator, isTyping: boolean, place = row.threadId ?? row.channelId ?? row.serverId): void {
    // A user's latest indicator replaces one of another type. Deleting the replaced one then has no effect.
    const isOther = ({ userId, type }: Indicator) =>
      userId !== row.userId || (!isTyping && type !== row.type);
    const others = this.typing(place).filter(isOther);
    if (!isTyping && others.some(({ userId }) => userId === row.userId)) return;
    const key = `${place} ${row.userId}`;
    this.#ends.get(key)?.();
    this.#ends.delete(key);
    if (isTyping)
      this.#ends.set(
        key,
        this.#around.after(TYPING_MS, () => this.#type(row, false)),
      );
    const rows = isTyping ? [...others, row] : others;
    if (rows.length > 0) this.#typing.set(place, rows);
    else this.#typing.delete(place);
    this.#changed(`typing:${place}`);
  }
}
