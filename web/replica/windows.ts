import { type Ahead, PAGE } from './ahead.ts';
import type { Around } from './around.ts';
import type { Lines, Window } from './lines.ts';
import type { Replica } from './replica.ts';
import type { Api, Records, TimelineRef } from './types.ts';

const RETRY_MS = 2_000;
/** How many channels may be prefetched at once. */
const MOST_PREFETCHED = 2;

interface Query {
  around?: string;
  before?: string;
  after?: string;
}

type AheadView = NonNullable<Ahead['channel']>['view'];
type View = Records['ChannelView'] | Records['ThreadView'];

const threadIn = (view: View) => ('thread' in view ? view.thread : undefined);

/** The channel, the thread if there is one, and the server if it is known before the snapshot arrives. */
interface Where {
  threadId: string | undefined;
  channelId: string | undefined;
  serverId: string | undefined;
}

export interface WindowsAround {
  replica: Replica;
  lines: Lines;
  api: Api;
  around: Around;
  subscribe(key: string, listen: () => void): () => void;
  /** Resolves once the key changes. */
  next(key: string): Promise<void>;
}

/**
 * Reads windows of messages in channels and threads, and merges them into the lines. Runs only one read of each kind
 * at a time per channel or thread.
 */
export class Windows {
  readonly #of: WindowsAround;
  readonly #where = new Map<string, Where>();
  readonly #underWay = new Map<string, Promise<void>>();
  /** Open channels and threads whose read was rejected. Kept until they become visible. */
  readonly #hidden = new Set<string>();
  #prefetching = 0;

  constructor(of: WindowsAround) {
    this.#of = of;
    of.lines.lost = (id) => void of.around.after(0, () => this.#again(id));
  }

  /** The server and channel that a channel or thread is in. Undefined if unknown. */
  whereIs(place: TimelineRef): { serverId: string; channelId: string; threadId?: string } | undefined {
    const { replica } = this.#of;
    const threadId = typeof place === 'string' ? undefined : place.threadId;
    const thread = threadId === undefined ? undefined : replica.row('thread', threadId);
    const known = threadId === undefined ? undefined : this.#where.get(threadId);
    const channelId = typeof place === 'string' ? place : (thread?.channelId ?? known?.channelId);
    const serverId =
      thread?.serverId ??
      (channelId
        ? (replica.row('channel', channelId)?.serverId ?? this.#where.get(channelId)?.serverId)
        : undefined);
    if (channelId === undefined || serverId === undefined) return undefined;
    return { serverId, channelId, ...(threadId !== undefined && { threadId }) };
  }

  /** Loads the latest messages, or those around a message, unless they are cached. */
  open(place: TimelineRef, { around, serverId }: { around?: string; serverId?: string } = {}): Promise<void> {
    const { lines } = this.#of;
    const id = idOf(place);
    const where = this.whereIs(place);
    this.#where.set(id, {
      threadId: typeof place === 'string' ? undefined : place.threadId,
      channelId: where?.channelId,
      serverId: where?.serverId ?? serverId,
    });
    lines.open(id);
    if (around === undefined ? lines.get(id) : lines.show(id, around)) return Promise.resolve();
    return this.#once(id, around ?? 'open', around === undefined ? {} : { around }, true).catch((error) => {
      this.#later(id, error);
      throw error;
    });
  }

  /**
   * Uses a window that was requested before the session began. If that read failed or is unusable, `open`
   * reads it again.
   */
  ahead({ id, around, view }: NonNullable<Ahead['channel']>, serverId: string): Promise<void> {
    this.#where.set(id, { threadId: undefined, channelId: undefined, serverId });
    const query = around === undefined ? {} : { around };
    return this.#once(id, around ?? 'open', query, true, view).catch(() => undefined);
  }

  /** Loads the latest messages of a channel that is not open, or those around a message, unless they are cached. */
  prefetch(id: string, around?: string): void {
    const { replica, lines } = this.#of;
    const serverId = replica.row('channel', id)?.serverId;
    if (serverId === undefined || lines.isOpen(id) || this.#prefetching >= MOST_PREFETCHED) return;
    if (around === undefined ? lines.get(id) : lines.isAt(id, around)) return;
    if (!this.#where.has(id)) this.#where.set(id, { threadId: undefined, channelId: id, serverId });
    this.#prefetching++;
    this.#once(id, around ?? 'open', around === undefined ? {} : { around }, true)
      .catch(() => undefined)
      .finally(() => this.#prefetching--);
  }

  close(place: TimelineRef): void {
    this.#of.lines.close(idOf(place));
  }

  async older(place: TimelineRef): Promise<void> {
    const id = idOf(place);
    const reach = this.#of.lines.reach(id);
    if (!reach || reach.from === '') return;
    this.#of.lines.look(id, this.#of.lines.get(id)?.ids[0]);
    await this.#once(id, 'older', { before: reach.from }, false);
  }

  async newer(place: TimelineRef): Promise<void> {
    const id = idOf(place);
    const reach = this.#of.lines.reach(id);
    if (!reach || reach.to === null) return;
    this.#of.lines.look(id, this.#of.lines.get(id)?.ids.at(-1));
    await this.#once(id, 'newer', { after: reach.to }, false);
  }

  async toPresent(place: TimelineRef): Promise<void> {
    const id = idOf(place);
    if (!this.#of.lines.show(id)) await this.#once(id, 'open', {}, true);
  }

  #once(id: string, kind: string, query: Query, isShown: boolean, ahead?: AheadView): Promise<void> {
    const key = `${id} ${kind}`;
    const known = this.#underWay.get(key);
    if (known) return known;
    const reading = this.#read(id, query, isShown, ahead).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, reading);
    return reading;
  }

  async #read(id: string, query: Query, isShown: boolean, ahead?: AheadView): Promise<void> {
    const { replica, lines } = this.#of;
    let channelId: string | undefined;
    const ask = async (): Promise<View> => {
      const where = this.#where.get(id) as Where;
      // If the URL names the server, the read does not have to wait for the snapshot.
      if (where.serverId === undefined && where.threadId === undefined) await this.#here(id);
      const view = (await ahead) ?? (await this.#ask(id, query));
      const thread = threadIn(view);
      channelId = thread?.channelId ?? where.channelId ?? id;
      this.#where.set(id, { ...where, channelId, serverId: where.serverId ?? thread?.serverId });
      await this.#here(channelId);
      return view;
    };
    let isUsed = false;
    await replica.read(ask, (view, begun) => {
      if (!isShown && !lines.get(id)) return;
      if (!replica.view(begun, channelId as string, view)) return;
      isUsed = true;
      lines.put(id, reachOf(view, query), isShown);
    });
    // The window was unusable, because messages were dropped during the read. Reads again if the channel or thread is
    // still open.
    if (!isUsed && isShown) this.#of.around.after(0, () => this.#again(id));
  }

  async #ask(id: string, query: Query): Promise<View> {
    const { api } = this.#of;
    const { threadId } = this.#where.get(id) as Where;
    const { serverId } = this.whereIs(threadId === undefined ? id : { threadId }) ?? {
      serverId: this.#where.get(id)?.serverId,
    };
    const calls = api(serverId ?? 'none');
    if (threadId === undefined) return calls.channelView({ id, isThreadReply: false, limit: PAGE, ...query });
    return calls.threadView({ id: threadId, limit: PAGE, ...query });
  }

  /** Resolves once the replica has the channel. */
  async #here(channelId: string): Promise<void> {
    const { replica, next } = this.#of;
    while (replica.row('channel', channelId) === undefined) await next(`channel:${channelId}`);
  }

  /** Rereads an open channel or thread whose messages were dropped, until the read succeeds or is rejected. */
  #again(id: string): void {
    const { lines } = this.#of;
    const where = this.#where.get(id);
    if (!where || !lines.isOpen(id) || lines.get(id)) return;
    const place = where.threadId === undefined ? id : { threadId: where.threadId };
    // `open` handles its own failures.
    this.open(place).catch(() => undefined);
  }

  /**
   * Retries an open channel or thread that could not be read: after a pause or, if the read was rejected, when it
   * becomes visible.
   */
  #later(id: string, { status = 0 }: { status?: number }): void {
    const { around, replica, subscribe } = this.#of;
    const { threadId, channelId = id } = this.#where.get(id) ?? {};
    // The refusal may be stale, because the channel or thread may have become visible since.
    const isHere = replica.row('channel', channelId) && (!threadId || replica.row('thread', threadId));
    if (status === 0 || status === 429 || status >= 500 || (isHere && status !== 401)) {
      around.after(RETRY_MS, () => this.#again(id));
      return;
    }
    if (status === 401 || this.#hidden.has(id)) return;
    this.#hidden.add(id);
    const end = subscribe(`channel:${channelId}`, () => {
      if (replica.row('channel', channelId) === undefined) return;
      end();
      this.#hidden.delete(id);
      this.#again(id);
    });
  }
}

export const idOf = (place: TimelineRef): string => (typeof place === 'string' ? place : place.threadId);

/** The range of a window. It includes at least the position it was requested for. */
function reachOf({ before, after }: View, query: Query): Window {
  const from = before ?? '';
  return {
    from: query.after !== undefined && query.after < from ? query.after : from,
    to: after !== null && query.before !== undefined && query.before > after ? query.before : after,
  };
}
