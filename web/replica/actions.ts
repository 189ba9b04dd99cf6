import type { SomeRows } from './replica.ts';
import type { Level, TimelineRef } from './types.ts';

/** A message to be sent. */
export interface Outgoing {
  serverId: string;
  channelId: string;
  threadId?: string | undefined;
  replyToId?: string | undefined;
  content: string;
  attachmentIds?: readonly string[];
}

/** All that the person does with what the replica holds. Those that return a promise reject with PalaverError. */
export interface Actions {
  /** Reads a server before the others: the person looks at it. */
  openServer(serverId: string): void;
  /** Brings the latest messages of a channel, or those around a message, unless they are held. */
  openChannel(channelId: string, options?: { around?: string; serverId?: string }): Promise<void>;
  openThread(threadId: string, options?: { around?: string; serverId?: string }): Promise<void>;
  /** The person no longer looks at it: its messages may be let go. */
  close(place: TimelineRef): void;
  /** Brings the messages before or after those that are shown. Nothing if there are none, or they are under way. */
  older(place: TimelineRef): Promise<void>;
  newer(place: TimelineRef): Promise<void>;
  /** Shows the messages around one; it may be deleted. */
  jump(place: TimelineRef, messageId: string): Promise<void>;
  /** Shows the latest messages. */
  toPresent(place: TimelineRef): Promise<void>;
  /** Stores a message and sends it; resolves with its key once it is stored. */
  send(message: Outgoing): Promise<string>;
  retry(key: string): void;
  discard(key: string): void;
  /** Everything in the place is read up to this message. Told to the server within two seconds. */
  markRead(place: TimelineRef, messageId: string): void;
  /** Marks what comes to a place as read at once, while `isBefore` says that its end is before the person. Returns what ends it. */
  attend(place: TimelineRef, isBefore: () => boolean): () => void;
  /** Everything in a channel is read, also one that is not open. */
  readChannel(channelId: string): Promise<void>;
  /** Makes this message unread, and those after it. */
  markUnread(place: TimelineRef, messageId: string): Promise<void>;
  /** Everything is read: in a server, or in all. */
  readAll(serverId?: string): Promise<void>;
  setLevel(
    serverId: string,
    wish: { channelId?: string; level?: Level; mutedUntil?: number | null },
  ): Promise<void>;
  /** Brings the next page of notifications of a server. False at the end. */
  moreNotifications(serverId: string): Promise<boolean>;
  readNotifications(serverId: string, ids?: readonly string[]): Promise<void>;
  clearNotifications(serverId: string, ids?: readonly string[]): Promise<void>;
  /** Keeps what is being written: at once in the browser, soon at the server. Empty removes it. */
  saveDraft(place: TimelineRef, content: string, replyToId?: string): void;
  /** The person is typing there: told at most every five seconds. */
  type(place: TimelineRef): void;
  /** Keeps the presence of these members up to date while they are shown. Call what it returns to end that. */
  watchPresence(serverId: string, userIds: readonly string[]): () => void;
  /** Brings one's reading state of these threads of a channel: `useThreadReading` has it then. */
  readThreads(serverId: string, channelId: string, threadIds: readonly string[]): Promise<void>;
  /** Reads by any call and puts the rows that `rowsOf` finds in its answer: for pages of members, pins, invites and the like. */
  load<T>(ask: () => PromiseLike<T>, rowsOf: (answer: T) => SomeRows): Promise<T>;
  /** Tries to connect now. */
  reconnect(): void;
}
