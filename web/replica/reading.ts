import type { Around } from './around.ts';
import { type Change, Counts, type Spot, type Untold } from './counts.ts';
import type { Begun } from './marks.ts';
import { afterMark, totalOf } from './readingCounts.ts';
import { Recount } from './recount.ts';
import type { Replica } from './replica.ts';
import { isSame } from './same.ts';
import { ServerCounts } from './serverCounts.ts';
import type { Api, ChannelReading, Line, LiveEvent, Records, ThreadReading, Unread } from './types.ts';

/** The dependencies of the reading state. */
export interface ReadingAround {
  replica: Replica;
  api: Api;
  around: Around;
  changed: (key: string) => void;
  lineOf: (id: string) => Line | undefined;
  /** Stores the drafts included in a response. */
  drafts: (serverId: string, drafts: Records['Reading']['drafts'], begun: Begun) => void;
  /** A marker that the user moved and the server may not have yet. */
  untold: (id: string) => Untold | undefined;
}

const nothing: Unread = Object.freeze({
  ...{ unread: 0, mentions: 0, direct: 0, notifications: 0 },
  ...{ level: null, mutedUntil: null },
});

/** The user's read markers and unread counts. If an event leaves a count uncertain, the server recounts. */
export class Reading {
  readonly #counts: Counts;
  readonly #servers: ServerCounts;
  readonly #sums = new Map<string, { sums: Unread; isStale: boolean }>();
  /** The largest known message id by channel, including replies in threads. */
  readonly #latest = new Map<string, string>();
  readonly #of: ReadingAround;
  readonly #recount: Recount;

  constructor(of: ReadingAround) {
    const { replica, untold } = of;
    this.#of = of;
    this.#recount = new Recount({ ...of, put: (...answer) => this.#put(...answer) });
    this.#counts = new Counts({
      ...{ replica, untold },
      changed: ({ serverId, channelId, threadId }) => {
        of.changed(`reading:${threadId ?? channelId}`);
        if (threadId === null) this.#touch(serverId);
      },
      doubt: (spot) => this.#doubt(spot),
    });
    this.#servers = new ServerCounts({
      replica,
      changed: (serverId) => this.#touch(serverId),
      doubt: (serverId) => this.#recount.doubt(serverId, null),
    });
  }

  channel = (id: string): ChannelReading | undefined => {
    const known = this.#counts.get(id);
    return known?.spot.threadId === null ? (known.row as ChannelReading) : undefined;
  };

  thread = (id: string): ThreadReading | undefined => {
    const known = this.#counts.get(id);
    return known && known.spot.threadId !== null ? (known.row as ThreadReading) : undefined;
  };

  latest = (channelId: string): string | undefined => this.#latest.get(channelId);

  /** A server's unread totals; direct messages count as mentions. The same object until they change. */
  server(id: string): Unread {
    const known = this.#sums.get(id);
    if (known?.isStale === false) return known.sums;
    const own = this.#servers.get(id);
    if (!own) return nothing;
    const { replica, around } = this.#of;
    const rows = replica.channelIds(id).flatMap((channelId) => this.channel(channelId) ?? []);
    const isDirect = (channelId: string) => replica.row('channel', channelId)?.kind === 'dm';
    const next = totalOf(rows, isDirect, own, around.now());
    const sums = known && isSame(known.sums, next) ? known.sums : next;
    this.#sums.set(id, { sums, isStale: false });
    return sums;
  }

  /** Stores a server's reading state from a snapshot. Drops channels that are missing from it and from the replica. */
  snapshot(begun: Begun, answer: Records['ReadingInServer']): void {
    const { serverId, channels } = answer;
    const shown = new Set(channels.map(({ channelId }) => channelId));
    for (const { channelId, threadId } of this.#counts.in(serverId))
      if (!shown.has(channelId) && !this.#of.replica.row('channel', channelId))
        this.#counts.delete(threadId ?? channelId);
    this.#servers.answer(begun, answer);
    for (const row of channels)
      this.#counts.answer(begun, { serverId, channelId: row.channelId, threadId: null }, row, answer);
    // The snapshot lacks this channel, for example because an event added it afterwards.
    for (const id of this.#of.replica.channelIds(serverId))
      if (!this.channel(id)) this.#recount.doubt(serverId, id);
    this.#recount.ready();
  }

  /** Stores the reading state of a channel's threads. */
  threads(begun: Begun, channelId: string, { serverId, threads, ...counted }: Records['Reading']): void {
    for (const row of threads)
      this.#counts.answer(begun, { serverId, channelId, threadId: row.threadId }, row, counted);
  }

  /** Records that a message with this id exists in the channel. */
  see(channelId: string, messageId: string): void {
    if (messageId <= (this.#latest.get(channelId) ?? '')) return;
    this.#latest.set(channelId, messageId);
    const { kind, serverId } = this.#of.replica.row('channel', channelId) ?? {};
    if (kind === 'dm') this.#of.changed(`channel@direct=${serverId}`);
  }

  apply(event: LiveEvent): void {
    switch (event.type) {
      case 'message.created':
        this.see(event.data.channelId, event.data.id);
        this.#count(event.data, event.seq, 1);
        return;
      case 'message.deleted':
        this.#count(event.data, event.seq, -1);
        return;
      case 'thread.deleted':
        this.#counts.delete(event.data.id);
        this.#recount.doubt(event.serverId, event.data.channelId);
        return;
      case 'channel.created':
      case 'channel.updated':
        if (!this.channel(event.data.id)) this.#recount.doubt(event.serverId, event.data.id);
        return;
      case 'channel.deleted':
        this.#counts.delete(event.data.id);
        return;
      case 'notification.created':
        this.#notified(event.data, event.seq);
        return;
      case 'notification.updated':
      case 'notification.deleted':
        this.#recount.doubt(event.serverId, null);
        return;
      case 'mark.updated':
        this.mark(event.data);
        return;
      case 'reading.updated':
        this.readUpTo(event.data);
        return;
      case 'notificationLevel.updated':
        this.level(event.data);
        return;
      case 'channelPlacement.updated':
        this.place(event.data);
        return;
    }
  }

  /** Applies a marker from an event or from the response to a mark. It may be stale. */
  mark({ threadId, channelId, messageId, unreadAt }: Records['Mark']): void {
    const id = threadId ?? channelId ?? '';
    const known = this.#counts.get(id);
    this.#counts.hold(id);
    if (!known) return;
    const { row, spot } = known;
    if (row.messageId === messageId && row.unreadAt === unreadAt) return;
    // Markers only move forward, until something is marked as unread, which sets a later `unreadAt`. That makes any
    // two markers comparable.
    const isAhead = unreadAt > row.unreadAt || (unreadAt === row.unreadAt && messageId > row.messageId);
    if (!isAhead) {
      if (!this.#of.untold(id)) this.#doubt(spot);
      return;
    }
    this.#counts.set(id, { ...row, messageId, unreadAt, ...this.#leftAfter(spot, messageId) });
    this.#doubtAll(spot);
  }

  /** Moves a marker optimistically to a message that the user has read, and counts using the cached messages. */
  moved(id: string, messageId: string): void {
    const known = this.#counts.get(id);
    if (!known || messageId <= known.row.messageId) return;
    this.#counts.set(id, { ...known.row, messageId, ...this.#leftAfter(known.spot, messageId) });
  }

  /** Marks everything in a server as read up to a message. */
  readUpTo({ serverId, messageId }: Records['ReadServer']): void {
    for (const { channelId, threadId } of this.#counts.in(serverId)) {
      const id = threadId ?? channelId;
      const { row } = this.#counts.get(id) as { row: ChannelReading | ThreadReading };
      if (row.messageId >= messageId) continue;
      this.#counts.set(id, { ...row, messageId, unread: 0, ...('mentions' in row && { mentions: 0 }) });
    }
    this.#recount.doubt(serverId, null);
  }

  level({ serverId, channelId, level, mutedUntil }: Omit<Records['NotificationLevel'], 'userId'>): void {
    if (channelId === null) {
      this.#servers.level(serverId, level, mutedUntil);
      return;
    }
    const row = this.channel(channelId);
    this.#counts.hold(channelId);
    if (row) this.#counts.set(channelId, { ...row, level, mutedUntil });
  }

  place({ channelId, favorite, hidden }: Omit<Records['ChannelPlacement'], 'userId' | 'serverId'>): void {
    const row = this.channel(channelId);
    this.#counts.hold(channelId);
    if (row) this.#counts.set(channelId, { ...row, favorite, hidden });
  }

  /** Called after the stream was interrupted. Changes to markers and levels on other devices are only sent live. */
  renew(): void {
    for (const serverId of this.#servers.ids()) {
      this.#recount.doubt(serverId, null);
      for (const spot of this.#counts.in(serverId)) if (spot.threadId !== null) this.#doubt(spot);
    }
  }

  /** Requests a recount of a channel. Null means all channels and the notifications. */
  doubt(serverId: string, channelId: string | null): void {
    this.#recount.doubt(serverId, channelId);
  }

  /** The server has the marker: requests a recount of its channel or thread, and of any unread notifications. */
  told(id: string): void {
    const known = this.#counts.get(id);
    if (known) this.#doubtAll(known.spot);
  }

  /** Called when the user has left the server. */
  drop(serverId: string): void {
    for (const { channelId, threadId } of this.#counts.in(serverId))
      this.#counts.delete(threadId ?? channelId);
    this.#servers.delete(serverId);
    this.#sums.delete(serverId);
    this.#recount.drop(serverId);
  }

  stop(): void {
    this.#recount.stop();
  }

  #count({ id, channelId, threadId, creatorId }: Records['ShownMessage'], seq: number, unread: number): void {
    if (creatorId === this.#of.replica.userId) return;
    const change: Change = { seq, messageId: id, unread };
    if (threadId !== null) this.#counts.told(threadId, change);
    this.#counts.told(channelId, change);
  }

  #notified(notification: Records['Notification'], seq: number): void {
    const { serverId, channelId, messageId, type, readAt } = notification;
    if (readAt !== null || type === 'reaction') return;
    if (type === 'mention') this.#counts.told(channelId, { seq, messageId, mentions: 1 });
    const row = this.channel(channelId);
    if (row && messageId > row.messageId) this.#servers.notified(serverId, seq);
    else this.#recount.doubt(serverId, null);
  }

  /** The unread count after a marker, from the cached messages. The server recounts. */
  #leftAfter({ channelId, threadId }: Spot, messageId: string) {
    const row = this.#counts.get(threadId ?? channelId)?.row;
    if (!row) return {};
    const left = afterMark(this.#of.lineOf(threadId ?? channelId), messageId, this.#of.replica);
    if (threadId !== null) return { unread: left ?? row.unread };
    const isAll = messageId >= (this.#latest.get(channelId) ?? '~') && (left ?? 0) === 0;
    if (isAll) return { unread: 0, mentions: 0 };
    // The marker moved back, because something was marked as unread: there are more unread messages than before.
    if (messageId < row.messageId) return { unread: Math.max(row.unread, left ?? 0) };
    return { unread: Math.min(row.unread, left ?? row.unread) };
  }

  #doubt(spot: Spot): void {
    if (spot.threadId === null) this.#recount.doubt(spot.serverId, spot.channelId);
    else this.#recount.doubtThread(spot);
  }

  #doubtAll(spot: Spot): void {
    this.#doubt(spot);
    if ((this.#servers.get(spot.serverId)?.notifications ?? 0) > 0) this.#recount.doubt(spot.serverId, null);
  }

  #touch(serverId: string): void {
    const known = this.#sums.get(serverId);
    if (known) known.isStale = true;
    this.#of.changed(`unread:${serverId}`);
  }

  /** Stores the counts that `Recount` requested. */
  #put(serverId: string, answer: Records['Reading'], begun: Begun): void {
    // The user has left the server in the meantime.
    if (!this.#of.replica.states.has(serverId)) return;
    this.#servers.answer(begun, answer);
    for (const row of answer.channels)
      this.#counts.answer(begun, { serverId, channelId: row.channelId, threadId: null }, row, answer);
    for (const row of answer.threads) {
      const known = this.#counts.get(row.threadId);
      if (known) this.#counts.answer(begun, known.spot, row, answer);
    }
    this.#of.drafts(serverId, answer.drafts, begun);
  }
}
