import type { Around } from './around.ts';
import type { Kept } from './kept.ts';
import { isPassing, refusalOf } from './refusal.ts';
import type { Replica } from './replica.ts';
import type { Api, LiveEvent, OutboxRow, Pending, Records } from './types.ts';

/** Less than the 24 hours that idempotency keys last: an older message may have been posted, so it is not retried. */
const KEY_MS = 23 * 3_600_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export interface OutboxAround {
  api: Api;
  kept: Kept;
  around: Around;
  replica: Replica;
  /** This tab's id. Undefined if tabs cannot detect each other. */
  tab?: string | undefined;
  changed: (key: string) => void;
  /** True while there is no connection: messages then wait for `wake`. */
  isLost?: () => boolean;
  /** Called when the server has returned the message. Shows it, unless it is shown already or has files. */
  arrived(row: OutboxRow, message: Records['Message'], begun: { time: number }): void;
}

interface Going {
  pending: Pending;
  faults: number;
  /** The id of the message, once an event has delivered it: it is then no longer shown as pending. */
  landed?: string;
  cancel?: AbortController;
}

const none: readonly Pending[] = Object.freeze([]);
const timelineIdOf = ({ channelId, threadId }: OutboxRow): string => threadId ?? channelId;

/** True if the server has the message. */
const hasServer = ({ pending: { state } }: Going): boolean => state === 'sent' || state === 'held';

/** True if the message is not retried automatically. */
export const isStopped = ({ state }: Pending): boolean => state === 'refused' || state === 'old';

/**
 * Outgoing messages. Each is stored in the browser, and retried with its idempotency key until the server accepts
 * or rejects it, even after a reload. Messages of one channel or thread are sent in order.
 */
export class Outbox {
  readonly #going = new Map<string, Going>();
  readonly #shown = new Map<string, readonly Pending[]>();
  readonly #sending = new Set<string>();
  readonly #pauses = new Map<string, () => void>();
  /** Keys of rows being written to the browser's storage. */
  readonly #storing = new Set<string>();
  /** Sent messages that are not in the replica yet: message id to idempotency key. */
  readonly #awaited = new Map<string, string>();
  readonly #of: OutboxAround;
  #isStopped = false;

  constructor(of: OutboxAround) {
    this.#of = of;
  }

  /** The pending messages of a channel or thread. The same list until it changes. */
  at(placeId: string): readonly Pending[] {
    const known = this.#shown.get(placeId);
    if (known) return known;
    const rows = [...this.#going.values()]
      .filter(({ pending, landed }) => landed === undefined && timelineIdOf(pending) === placeId)
      .map(({ pending }) => pending);
    this.#shown.set(placeId, rows.length > 0 ? rows : none);
    return this.#shown.get(placeId) as readonly Pending[];
  }

  /** True if closing the page would lose a message, so it must warn. */
  get isUnsafe(): boolean {
    const isOpen = this.#of.kept.isOpen();
    const isKept = ({ pending }: Going) => !pending.isOnlyHere && (isOpen || !this.#storing.has(pending.key));
    return [...this.#going.values()].some((going) => !hasServer(going) && !isKept(going));
  }

  /** True if a message to the channel or one of its threads needs attention: it was rejected, or is too old. */
  hasStopped(channelId: string): boolean {
    return [...this.#going.values()].some(
      ({ pending }) => pending.channelId === channelId && isStopped(pending),
    );
  }

  /** The number of unsent messages that would be lost if this browser's data were deleted. */
  get unsent(): number {
    return [...this.#going.values()].filter((going) => !hasServer(going)).length;
  }

  /** The ids of the tabs, open or closed, that have messages stored in the browser. */
  async owners(): Promise<string[]> {
    const rows = (await this.#of.kept.all('outbox')) as Pending[];
    return [...new Set(rows.flatMap(({ tab }) => tab ?? []))];
  }

  /** Takes over messages left behind by a closed page: those of `tab`, or those without a tab if it is omitted. */
  async load(tab?: string): Promise<void> {
    const { kept, around } = this.#of;
    const rows = ((await kept.all('outbox')) as Pending[]).filter((row) => row.tab === tab);
    const now = around.now();
    for (const row of rows.toSorted((one, other) => one.at - other.at)) {
      if (this.#going.has(row.key)) continue;
      const state = row.state === 'refused' ? row.state : now - row.at > KEY_MS ? 'old' : 'waiting';
      const pending: Pending = { ...row, state, tab: this.#of.tab };
      if (pending.tab !== row.tab) await kept.put('outbox', row.key, pending);
      this.#set({ pending, faults: 0 });
    }
    this.wake();
  }

  /**
   * Stores a message and sends it: both start in the current task. Resolves with its key once it is stored. The write
   * starts first: if the page closes right after, a sent message is stored, too, and its key prevents duplicates.
   */
  async send(message: Omit<OutboxRow, 'key' | 'at'>): Promise<string> {
    const { around, kept } = this.#of;
    const row: OutboxRow = { ...message, key: around.id(), at: around.now(), tab: this.#of.tab };
    const going: Going = { pending: { ...row, state: 'waiting' }, faults: 0 };
    this.#set(going);
    this.#storing.add(row.key);
    const stored = kept.put('outbox', row.key, row).catch(() => false);
    void this.#pump(timelineIdOf(row));
    const isStored = await stored;
    this.#storing.delete(row.key);
    if (!isStored) {
      going.pending = { ...going.pending, isOnlyHere: true };
      this.#touch(row);
    }
    return row.key;
  }

  /** Retries a message at once, even one that was rejected or is too old. */
  retry(key: string): void {
    const going = this.#going.get(key);
    if (!going || going.pending.state === 'sending' || going.pending.state === 'sent') return;
    const isFresh = isStopped(going.pending);
    // The server stores only successful responses, so a rejected message can reuse its key, even an expired one.
    const { error: _error, ...pending } = going.pending;
    this.#set({ pending: { ...pending, state: 'waiting' }, faults: 0 });
    if (isFresh) void this.#of.kept.put('outbox', key, { ...pending, state: undefined });
    this.#pauses.get(timelineIdOf(pending))?.();
    void this.#pump(timelineIdOf(pending));
  }

  /** Discards a message. If it is being sent, it may still arrive. */
  discard(key: string): void {
    this.#going.get(key)?.cancel?.abort();
    this.#remove(key);
  }

  /** Skips the backoff, because the network is back or the user has signed in again. */
  wake(): void {
    for (const cut of [...this.#pauses.values()]) cut();
    for (const { pending } of this.#going.values()) void this.#pump(timelineIdOf(pending));
  }

  stop(): void {
    this.#isStopped = true;
    for (const cut of [...this.#pauses.values()]) cut();
    for (const { cancel } of this.#going.values()) cancel?.abort();
  }

  /** An event may deliver a message before the response arrives: the message is then no longer shown as pending. */
  apply(event: LiveEvent): void {
    if (event.type !== 'message.created') return;
    const { id, creatorId, channelId, threadId, content } = event.data;
    if (this.has(id) || creatorId !== this.#of.replica.userId) return;
    for (const going of this.#going.values()) {
      const { pending } = going;
      if (going.landed !== undefined || pending.state === 'waiting' || isStopped(pending)) continue;
      if (timelineIdOf(pending) !== (threadId ?? channelId) || pending.content.trim() !== content.trim())
        continue;
      going.landed = id;
      if (pending.state === 'held') this.#remove(pending.key);
      else this.#touch(pending);
      return;
    }
  }

  /** Removes the pending message that is now in the replica with this id. Returns false if there is none. */
  has(messageId: string): boolean {
    const key = this.#awaited.get(messageId);
    if (key === undefined) return false;
    this.#awaited.delete(messageId);
    this.#remove(key);
    return true;
  }

  async #pump(placeId: string): Promise<void> {
    if (this.#sending.has(placeId)) return;
    this.#sending.add(placeId);
    try {
      for (let going = this.#next(placeId); going && !this.#isStopped; going = this.#next(placeId))
        if (this.#of.isLost?.()) await this.#pause(placeId);
        else if (!(await this.#attempt(going))) await this.#pause(placeId, going.faults);
    } finally {
      this.#sending.delete(placeId);
    }
  }

  #next(placeId: string): Going | undefined {
    for (const going of this.#going.values()) {
      const { state } = going.pending;
      if (timelineIdOf(going.pending) === placeId && (state === 'waiting' || state === 'retrying'))
        return going;
    }
    return undefined;
  }

  /** Makes one attempt. Returns false if the message has to be retried after a pause. */
  async #attempt(going: Going): Promise<boolean> {
    const { replica, api, kept } = this.#of;
    const { key, serverId, channelId, threadId, replyToId, content, attachmentIds } = going.pending;
    const body = {
      ...(threadId === undefined ? { channelId } : { threadId }),
      ...(replyToId !== undefined && { replyToId }),
      ...(attachmentIds.length > 0 && { attachmentIds: [...attachmentIds] }),
      content,
    };
    going.cancel = new AbortController();
    this.#state(going, { state: 'sending' });
    const begun = replica.marks.begin();
    try {
      const options = { idempotencyKey: key, signal: going.cancel.signal };
      const message = await api(serverId).messageSend(body, options);
      if (!this.#going.has(key)) return true;
      void kept.delete('outbox', key);
      if (message.held) this.#state(going, { state: 'held', heldId: message.id });
      else this.#of.arrived(going.pending, message, begun);
      if (message.held) return true;
      if (replica.row('message', message.id) !== undefined) this.#remove(key);
      else {
        this.#awaited.set(message.id, key);
        this.#state(going, { state: 'sent' });
      }
      return true;
    } catch (cause) {
      if (!this.#going.has(key) || this.#isStopped) return true;
      const error = refusalOf(cause);
      const again = isPassing(error) || error.status === 401;
      if (!again) {
        this.#state(going, { state: 'refused', error });
        await kept.put('outbox', key, going.pending);
        return true;
      }
      going.faults++;
      this.#state(going, { state: 'retrying', error });
      return false;
    } finally {
      replica.marks.end(begun);
    }
  }

  /** Backs off before the next attempt, longer after each failure. `wake` ends the pause. */
  #pause(placeId: string, faults = Number.POSITIVE_INFINITY): Promise<void> {
    const { around } = this.#of;
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (faults - 1));
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        this.#pauses.delete(placeId);
        resolve();
      };
      const cancel = around.after(longest * (0.5 + around.random() / 2), end);
      this.#pauses.set(placeId, end);
    });
  }

  #set(going: Going): void {
    this.#going.set(going.pending.key, going);
    this.#touch(going.pending);
  }

  #state(going: Going, change: Pick<Pending, 'state' | 'error' | 'heldId'>): void {
    const { error: _error, ...row } = going.pending;
    going.pending = { ...row, ...change };
    this.#touch(row);
  }

  #remove(key: string): void {
    const going = this.#going.get(key);
    if (!going) return;
    this.#going.delete(key);
    void this.#of.kept.delete('outbox', key);
    this.#touch(going.pending);
  }

  #touch(row: OutboxRow): void {
    const placeId = timelineIdOf(row);
    this.#shown.delete(placeId);
    this.#of.changed(`pending:${placeId}`);
    this.#of.changed(`stopped:${row.channelId}`);
  }
}
