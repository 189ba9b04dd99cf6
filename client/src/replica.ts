import { realAround } from './generated/replica/around.ts';
import type { Kept } from './generated/replica/kept.ts';
import { withSafeNames } from './generated/replica/names.ts';
import { type Session, startSession } from './generated/replica/session.ts';
import type { Draft, TimelineRef } from './generated/replica/types.ts';
import { type PersonOptions, personWithoutFiles } from './person.ts';

/**
 * A live copy of everything that one person can see, as in the web client: one stream for all servers,
 * windows of messages, unread counts, drafts, and an outbox that sends each message exactly once. Start with
 * `startReplica`.
 */
export type { Actions, Outgoing } from './generated/replica/actions.ts';
export type { Kept, KeptStore } from './generated/replica/kept.ts';
export type * from './generated/replica/types.ts';

type Replicas = Session['replica'];

export interface ReplicaOptions extends Omit<PersonOptions, 'serverId' | 'received'> {
  /** Storage for unsent messages and drafts that survives a restart. In memory by default. */
  kept?: Kept;
}

/** Reads return the same object until it changes. */
export interface OwnReplica {
  /** The actions: open channels, send messages, mark them as read, and so on. */
  readonly actions: Session['actions'];
  /** A record, or undefined if the copy does not have it. */
  row: Replicas['row'];
  /** The records that an index finds, such as `rows('channel', 'serverId', id)`. */
  rows: Replicas['rows'];
  /**
   * Returns the person's roles, limits and membership in a server. Undefined until its snapshot has loaded.
   */
  state(serverId: string): ReturnType<Replicas['states']['get']>;
  /**
   * Returns the loaded messages of a channel or thread, oldest first. Undefined until `actions.openChannel`
   * or `openThread` has loaded some.
   */
  messages(place: TimelineRef): Messages | undefined;
  /** The person's read marker and unread counts in a channel. */
  channelReading: Session['reading']['channel'];
  threadReading: Session['reading']['thread'];
  /** The unread totals of a server. */
  unread: Session['reading']['server'];
  /** Returns the person's outgoing messages that the copy does not have yet, in the order they were sent. */
  pending(place: TimelineRef): ReturnType<Session['outbox']['at']>;
  draft(place: TimelineRef): Draft;
  /** Others who are typing. */
  typing(place: TimelineRef): ReturnType<Session['live']['typing']>;
  /** A member's presence. Undefined until `actions.watchPresence` has loaded it. */
  presence: Session['live']['presence'];
  connection: Session['connection'];
  /**
   * Calls `listen` after the data behind the key has changed; see `keys`. Returns a function that
   * unsubscribes.
   */
  subscribe(key: string, listen: () => void): () => void;
  /** Calls `listen` with each event after the copy has applied it. Returns a function that unsubscribes. */
  onEvent: Session['onEvent'];
  /** Sends debounced read markers and drafts immediately. */
  flush(): void;
  /** Ends the stream and all timers. */
  stop(): void;
}

export interface Messages {
  readonly messages: readonly NonNullable<ReturnType<typeof messageIn>>[];
  /** Whether the window starts at the first message, and whether it ends at the latest. */
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

const idOf = (place: TimelineRef): string => (typeof place === 'string' ? place : place.threadId);
const messageIn = (replica: Replicas, id: string) => replica.row('message', id);

/** The keys of `subscribe`. */
export const keys = {
  /** A record: `keys.row('channel', id)`. */
  row: (noun: string, id: string): string => `${noun}:${id}`,
  /** The records that an index finds: `keys.rows('channel', 'serverId', id)`. */
  rows: (noun: string, index: string, value: string): string => `${noun}@${index}=${value}`,
  state: (serverId: string): string => `state:${serverId}`,
  /** The list of loaded messages. To observe edits, subscribe to the messages' rows. */
  messages: (place: TimelineRef): string => `line:${idOf(place)}`,
  reading: (place: TimelineRef): string => `reading:${idOf(place)}`,
  unread: (serverId: string): string => `unread:${serverId}`,
  pending: (place: TimelineRef): string => `pending:${idOf(place)}`,
  draft: (place: TimelineRef): string => `draft:${idOf(place)}`,
  typing: (place: TimelineRef): string => `typing:${idOf(place)}`,
  presence: (serverId: string, userId: string): string => `presence:${serverId} ${userId}`,
  connection: 'connection',
} as const;

/**
 * Starts a copy for a signed-in person. It follows the stream until `stop`, reconnects automatically, and
 * retries failed sends. Names are stripped of invisible characters, so they are safe to display. Throws
 * TypeError if the token is malformed.
 */
export function startReplica({ kept, ...options }: ReplicaOptions): OwnReplica {
  const { token, fetch: send = (request, init) => fetch(request, init) } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const calls = new Map<string, ReturnType<typeof personWithoutFiles>>();
  const api = (serverId: string) => {
    const found = calls.get(serverId);
    if (found) return found;
    const made = personWithoutFiles({ ...options, serverId, received: withSafeNames });
    calls.set(serverId, made);
    return made;
  };
  // Throws if the token is malformed, before anything is started.
  api('none');
  const session = startSession({
    api,
    around: realAround,
    fetch: (path, { headers, signal }) =>
      send(
        new Request(baseUrl + path, {
          headers: { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
        }),
        { signal },
      ),
    ...(kept && { kept }),
  });
  const { replica, lines, reading, outbox, drafts, live } = session;
  const shown = new WeakMap<object, Messages>();
  return {
    actions: session.actions,
    row: (noun, id) => replica.row(noun, id),
    rows: (noun, index, value) => replica.rows(noun, index, value),
    state: (serverId) => replica.states.get(serverId),
    messages(place) {
      const line = lines.get(idOf(place));
      if (!line) return undefined;
      const before = shown.get(line);
      const messages = line.ids.flatMap((id) => messageIn(replica, id) ?? []);
      const isSame =
        before?.messages.length === messages.length &&
        messages.every((message, at) => message === before.messages[at]);
      if (isSame) return before;
      const now = { messages, atStart: line.atStart, atEnd: line.atEnd };
      shown.set(line, now);
      return now;
    },
    channelReading: (channelId) => reading.channel(channelId),
    threadReading: (threadId) => reading.thread(threadId),
    unread: (serverId) => reading.server(serverId),
    pending: (place) => outbox.at(idOf(place)),
    draft: (place) => drafts.get(idOf(place)),
    typing: (place) => live.typing(idOf(place)),
    presence: (serverId, userId) => live.presence(serverId, userId),
    connection: session.connection,
    subscribe: (key, listen) => session.subscribe(key, listen),
    onEvent: (listen) => session.onEvent(listen),
    flush: () => session.flush(),
    stop: () => session.stop(),
  };
}
