import type { PalaverEvent, Records } from '../../client/src/index.ts';

/** One's own reaction or a pin, as views and events have it, with the channel and the server filled in. */
type Reaction = Records['Reaction'];

/** Every noun that the replica holds, with the shape of its rows. */
export interface Rows {
  server: Records['Server'];
  channel: Records['Channel'];
  role: Records['Role'];
  message: Records['ShownMessage'];
  user: Records['User'];
  serverMember: Records['ListedServerMember'];
  reaction: Reaction;
  thread: Records['Thread'];
  pin: Records['Pin'];
  userRole: Records['UserRole'];
  invite: Records['Invite'];
  notification: Records['Notification'];
  serverBan: Records['ServerBan'];
  webhook: Records['Webhook'];
  secret: Records['Secret'];
  app: Records['App'];
  appInstall: Records['ShownAppInstall'];
  flow: Records['Flow'];
  attachment: Records['Attachment'];
}

export type Noun = keyof Rows;

/** The indexes of each noun: fields by whose value `useRows` finds rows. */
export interface Indexes {
  server: 'all';
  channel: 'serverId';
  role: 'serverId';
  message: 'channelId' | 'threadId';
  user: 'username';
  serverMember: 'serverId' | 'userId' | 'serverId+userId';
  reaction: 'messageId';
  thread: 'channelId' | 'messageId';
  pin: 'channelId' | 'messageId';
  userRole: 'serverId' | 'userId' | 'roleId';
  invite: 'serverId';
  notification: 'serverId' | 'all';
  serverBan: 'serverId';
  webhook: 'serverId';
  secret: 'serverId';
  app: 'serverId';
  appInstall: 'serverId';
  flow: 'serverId';
  attachment: 'messageId';
}

/** An event as the stream tells it: no reset, which is a block of its own. */
export type LiveEvent = Exclude<PalaverEvent, { type: 'reset' }>;
export type { Records };

/** All of a server's snapshot but its lists. */
export type ServerState = Omit<Records['Snapshot'], 'channels' | 'roles' | 'reading' | 'cursor' | 'server'>;

/** A stretch of the messages of a channel or a thread, oldest first, without holes. The same object until it changes. */
export interface Line {
  readonly ids: readonly string[];
  /** True if the first message of all is in it. */
  readonly atStart: boolean;
  /** True if it goes to the latest message: then new ones join it by themselves. */
  readonly atEnd: boolean;
}

/** One's reading state of a channel. `unread` and `mentions` stop at 100, which stands for 100 or more. */
export type ChannelReading = Records['ChannelReading'];
/** One's reading state of a thread that is or was open. */
export type ThreadReading = Records['ThreadReading'];

export type Level = ChannelReading['level'];

/** The sums for a server: muted channels, and those of level `nothing`, count mentions alone. */
export interface Unread {
  readonly unread: number;
  readonly mentions: number;
  /** Unread notifications. */
  readonly notifications: number;
  readonly level: Level;
  readonly mutedUntil: number | null;
}

/** What one has begun to write, and whether the server has it. */
export interface Draft {
  readonly content: string;
  /** `updatedAt` of the draft that the server has; 0 for none. */
  readonly version: number;
  readonly isSaved: boolean;
  readonly replyToId?: string | undefined;
}

/** The place of a line, a draft or typing: a channel, or a thread in it. */
export type TimelineRef = string | { readonly threadId: string };

/** A message on its way out. It is stored before it is sent, and its key makes every repetition safe. */
export interface OutboxRow {
  readonly key: string;
  readonly serverId: string;
  readonly channelId: string;
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
  readonly content: string;
  readonly attachmentIds: readonly string[];
  /** When it was written, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The id of the tab that sends it, where tabs know of each other: once that is gone, another one does. */
  readonly tab?: string | undefined;
}

/** The error with which a message was refused. */
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly details?: unknown;
}

/** A message that is shown before the server has it. */
export interface Pending extends OutboxRow {
  /**
   * `waiting` for its turn, `sending`, `retrying` after a fault, `refused` (`error` says why: retry or discard), or `old`: it was
   * written so long ago that its key may be forgotten, and it is sent again only if the person says so.
   */
  readonly state: 'waiting' | 'sending' | 'retrying' | 'sent' | 'refused' | 'old';
  readonly error?: Refusal | undefined;
  /** True if the browser could not store it: it is lost if the page is closed before it is sent. */
  readonly isOnlyHere?: boolean | undefined;
}

export type Status = 'connecting' | 'live' | 'offline' | 'signedOut';

export interface Connection {
  readonly status: Status;
  /** When the next attempt is made, in milliseconds since the Unix epoch; null if one is under way, or none is needed. */
  readonly nextAt: number | null;
  /** True once the servers of the person are known. */
  readonly isBooted: boolean;
  /** True once their names were read, too: a server that is not here by then is not the person's. */
  readonly isListed: boolean;
  /** The person; undefined until the stream has said who they are. */
  readonly userId: string | undefined;
}

export type Presence = Records['Presence'];
export type Indicator = Records['Indicator'];

interface Window {
  around?: string;
  before?: string;
  after?: string;
  limit?: number;
}

interface Options {
  signal?: AbortSignal;
  idempotencyKey?: string;
}

type Target = { channelId?: string; threadId?: string };

/** The calls that the replica makes, by the names of the operations. `personIn(serverId)` of the client has them. */
export interface ReplicaCalls {
  serverSnapshot(input: { id: string }, options?: Options): PromiseLike<Records['Snapshot']>;
  channelView(
    input: { id: string; isThreadReply?: boolean } & Window,
    options?: Options,
  ): PromiseLike<Records['ChannelView']>;
  threadView(input: { id: string } & Window, options?: Options): PromiseLike<Records['ThreadView']>;
  ownServers(): AsyncIterable<Records['OwnServer']>;
  latestNotifications(input: {
    limit?: number;
    cursor?: string;
  }): PromiseLike<Records['Notification'][] & { nextCursor: string | null }>;
  notificationsRead(input: { ids?: string[] }): PromiseLike<Records['ChangedNotifications']>;
  notificationsClear(input: { ids?: string[] }): PromiseLike<Records['ChangedNotifications']>;
  personReading(input: { channelIds?: string; threadIds?: string }): PromiseLike<Records['Reading']>;
  personRead(input: {
    marks: (Target & { messageId: string; unreadAt?: number })[];
  }): PromiseLike<Records['Marks']>;
  personUnread(input: Target & { messageId: string }): PromiseLike<Records['Mark']>;
  personReadAll(input: { serverId?: string }): PromiseLike<Records['ReadServers']>;
  personLevel(input: {
    channelId?: string;
    level?: Level;
    mutedUntil?: number | null;
  }): PromiseLike<Records['NotificationLevel']>;
  draftSave(input: Target & { content: string; version?: number }): PromiseLike<Records['KeptDraft']>;
  presences(input: { userIds: string }): PromiseLike<Records['Presences']>;
  indicatorInsert(input: { type: string } & Target): PromiseLike<Records['Indicator']>;
  messageSend(
    input: {
      channelId?: string;
      threadId?: string;
      replyToId?: string;
      content: string;
      attachmentIds?: string[];
    },
    options?: Options,
  ): PromiseLike<Records['Message']>;
}

/** The API as the person acts in one server, or in none. */
export type Api = (serverId: string | 'none') => ReplicaCalls;
