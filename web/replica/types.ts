import type { PalaverEvent, Records } from '../../client/src/index.ts';

/** One of the user's own reactions. */
type Reaction = Records['Reaction'];

/** Every noun in the replica, with the type of its rows. */
export interface Rows {
  server: Records['Server'];
  channel: Records['Channel'];
  category: Records['Category'];
  emoji: Records['Emoji'];
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
  command: Records['Command'];
  /** Only the user's own interactions. */
  interaction: Records['ShownInteraction'];
  block: Records['Block'];
  /** Lists contain the message; events do not. */
  saved: Records['Saved'] & Partial<Pick<Records['ShownSaved'], 'message'>>;
  scheduledMessage: Records['ShownScheduledMessage'];
}

export type Noun = keyof Rows;

/** The indexes of each noun: fields that `useRows` looks up. */
export interface Indexes {
  server: 'all';
  /** `serverId` contains a server's channels, `direct` its direct messages. */
  channel: 'serverId' | 'direct';
  category: 'serverId';
  emoji: 'serverId';
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
  command: 'serverId';
  /** `command` contains the uses of commands in a channel or thread. */
  interaction: 'messageId' | 'command';
  block: 'blockedId' | 'all';
  saved: 'messageId' | 'all';
  scheduledMessage: 'channelId' | 'all';
}

/** Nouns that belong to the user, across all servers. Their events are only sent live. */
export type OwnNoun = 'block' | 'saved' | 'scheduledMessage';

/** An event of the stream, except resets, which are separate blocks. */
export type LiveEvent = Exclude<PalaverEvent, { type: 'reset' }>;
export type { Records };

/** A server's snapshot without its lists. */
export type ServerState = Omit<
  Records['Snapshot'],
  'channels' | 'conversations' | 'categories' | 'emoji' | 'roles' | 'reading' | 'cursor' | 'server'
>;

/** A contiguous range of a channel's or thread's messages, oldest first. The same object until it changes. */
export interface Line {
  readonly ids: readonly string[];
  /** True if the range starts at the very first message. */
  readonly atStart: boolean;
  /** True if the range reaches the latest message. New messages are then appended. */
  readonly atEnd: boolean;
}

/** The user's reading state of a channel. `unread` and `mentions` stop at 1,000, which means 1,000 or more. */
export type ChannelReading = Records['ChannelReading'];
/** The user's reading state of a thread. */
export type ThreadReading = Records['ThreadReading'];

export type Level = ChannelReading['level'];

/**
 * The unread totals of a server. Channels that are muted, have the level `nothing` or were left only count mentions.
 */
export interface Unread {
  readonly unread: number;
  /** Unread mentions, and unread direct messages. */
  readonly mentions: number;
  /** Unread direct messages, which `unread` and `mentions` include. */
  readonly direct: number;
  /** Unread notifications. */
  readonly notifications: number;
  readonly level: Level;
  readonly mutedUntil: number | null;
}

/** A draft, and whether the server has saved it. */
export interface Draft {
  readonly content: string;
  /** `updatedAt` of the draft on the server; 0 if there is none. */
  readonly version: number;
  readonly isSaved: boolean;
  readonly replyToId?: string | undefined;
}

/** Identifies what a line, a draft or a typing indicator belongs to: a channel, or a thread in it. */
export type TimelineRef = string | { readonly threadId: string };

/** An outgoing message. The browser stores it, and its idempotency key makes retries safe. */
export interface OutboxRow {
  readonly key: string;
  readonly serverId: string;
  readonly channelId: string;
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
  readonly content: string;
  readonly attachmentIds: readonly string[];
  /** When the message was written, in milliseconds since the Unix epoch. */
  readonly at: number;
  /**
   * The id of the tab that sends the message, if tabs can detect each other. When that tab closes, another
   * one takes over.
   */
  readonly tab?: string | undefined;
}

/** Callbacks for the lists of messages. */
export interface Followers {
  /** An event stored a message. */
  messagePut(row: Rows['message']): void;
  /** A message was removed. */
  messageTaken(row: Rows['message']): void;
  /** The contents of a channel or thread were dropped. */
  placeTaken(id: string): void;
}

/** The error of a rejected message. */
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly details?: unknown;
}

/** An outgoing message, shown before it is in the replica. */
export interface Pending extends OutboxRow {
  /**
   * - `waiting`: queued.
   * - `sending`: a request is in flight.
   * - `retrying`: an attempt failed, and another one follows.
   * - `sent`: the server has the message, and the replica does not have it yet.
   * - `refused`: rejected, see `error`. The user can retry or discard the message.
   * - `old`: the idempotency key may have expired. The message is sent again only if the user asks for it.
   * - `held`: the server holds the message until a moderator decides.
   */
  readonly state: 'waiting' | 'sending' | 'retrying' | 'sent' | 'refused' | 'old' | 'held';
  /** The id of the held message, if it is `held`. */
  readonly heldId?: string | undefined;
  readonly error?: Refusal | undefined;
  /** True if the browser could not store the message. It is lost if the page closes before it is sent. */
  readonly isOnlyHere?: boolean | undefined;
}

export type Status = 'connecting' | 'live' | 'offline' | 'signedOut';

export interface Connection {
  readonly status: Status;
  /**
   * The time of the next attempt, in milliseconds since the Unix epoch. Null if an attempt is in flight or
   * none is needed.
   */
  readonly nextAt: number | null;
  /** True once the user's servers are known. */
  readonly isBooted: boolean;
  /**
   * True once the names of the user's servers are loaded, too. From then on, the user is not a member of any
   * server that is not in the replica.
   */
  readonly isListed: boolean;
  /** The user's id. Undefined until the stream has opened. */
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

/** The API calls that the replica makes, named by operation. The client's `personIn` provides them. */
export interface ReplicaCalls {
  channelById(input: { channelId: string }, options?: Options): PromiseLike<Records['Channel']>;
  messageById(input: { messageId: string }): PromiseLike<Records['ShownMessage']>;
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
  personChannel(input: {
    channelId: string;
    favorite?: boolean;
    hidden?: boolean;
  }): PromiseLike<Records['ChannelPlacement']>;
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

/** The API on behalf of the user, in one server or in none. */
export type Api = (serverId: string | 'none') => ReplicaCalls;
