import type { SomeRows } from './replica.ts';
import type { Level, TimelineRef } from './types.ts';

/** A message to send. */
export interface Outgoing {
  serverId: string;
  channelId: string;
  threadId?: string | undefined;
  replyToId?: string | undefined;
  content: string;
  attachmentIds?: readonly string[];
}

/** The user's actions. Those that return a promise reject with PalaverError if a request fails. */
export interface Actions {
  /** Loads this server's snapshot before the others, because the user opened it. */
  openServer(serverId: string): void;
  /**
   * Loads the channel of a direct message that the replica lacks, because snapshots contain only the most
   * recent ones. Rejects if the channel does not exist or the user cannot see it.
   */
  meet(serverId: string, channelId: string): Promise<void>;
  /** Loads the latest messages of a channel, or those around a message, unless they are cached. */
  openChannel(channelId: string, options?: { around?: string; serverId?: string }): Promise<void>;
  /**
   * Loads the messages that opening a channel would show, in the background, at most two channels at a
   * time. Failures are ignored.
   */
  prefetch(channelId: string): void;
  openThread(threadId: string, options?: { around?: string; serverId?: string }): Promise<void>;
  /** Releases a channel or thread that the user closed, so its messages may be evicted. */
  close(place: TimelineRef): void;
  /**
   * `older` loads the page before the messages shown, `newer` the page after them. Each does nothing if
   * there is no such page, or if it is already loading.
   */
  older(place: TimelineRef): Promise<void>;
  newer(place: TimelineRef): Promise<void>;
  /** Shows the messages around this one, even if it has been deleted. */
  jump(place: TimelineRef, messageId: string): Promise<void>;
  /** Shows the latest messages. */
  toPresent(place: TimelineRef): Promise<void>;
  /** Stores a message in the outbox and sends it. Resolves with its key once it is stored. */
  send(message: Outgoing): Promise<string>;
  retry(key: string): void;
  discard(key: string): void;
  /**
   * Marks everything in the channel or thread up to this message as read. The mark is sent within two seconds. Does
   * nothing if something there was marked as unread after `seenAt`, the `unreadAt` of the marker when the user opened
   * the channel or thread.
   */
  markRead(place: TimelineRef, messageId: string, seenAt?: number): void;
  /**
   * Marks new messages in a channel or thread as read on arrival while `isBefore` returns true, which means that the
   * latest messages are in view. `seenAt` is the same as for `markRead`. Returns a function that stops this.
   */
  attend(place: TimelineRef, isBefore: () => boolean, seenAt: number): () => void;
  /** Marks a whole channel as read, whether it is open or not. */
  readChannel(channelId: string): Promise<void>;
  /** Marks this message and all later ones as unread. */
  markUnread(place: TimelineRef, messageId: string): Promise<void>;
  /** Marks everything as read, in one server or in all. */
  readAll(serverId?: string): Promise<void>;
  setLevel(
    serverId: string,
    wish: { channelId?: string; level?: Level; mutedUntil?: number | null },
  ): Promise<void>;
  /** Adds a channel to the favorites, leaves it (`hidden`), or undoes either. */
  setPlacement(
    serverId: string,
    change: { channelId: string; favorite?: boolean; hidden?: boolean },
  ): Promise<void>;
  /** Loads the next page of a server's notifications. Resolves with false if there are no more pages. */
  moreNotifications(serverId: string): Promise<boolean>;
  readNotifications(serverId: string, ids?: readonly string[]): Promise<void>;
  clearNotifications(serverId: string, ids?: readonly string[]): Promise<void>;
  /** Saves a draft in the browser and then on the server, each after a debounce. Empty content deletes it. */
  saveDraft(place: TimelineRef, content: string, replyToId?: string): void;
  /** Sends a typing indicator, throttled to one every five seconds. */
  type(place: TimelineRef): void;
  /** Loads the presence of these members and keeps it up to date. Returns a function that stops this. */
  watchPresence(serverId: string, userIds: readonly string[]): () => void;
  /** Loads the reading state of these threads of a channel, for `useThreadReading`. */
  readThreads(serverId: string, channelId: string, threadIds: readonly string[]): Promise<void>;
  /**
   * Makes any API call and stores the rows that `rowsOf` extracts from its response, such as pages of
   * members, pins or invites.
   */
  load<T>(ask: () => PromiseLike<T>, rowsOf: (answer: T) => SomeRows): Promise<T>;
  /** Reconnects now, without waiting for the backoff. */
  reconnect(): void;
}
