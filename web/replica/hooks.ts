import { createContext, useCallback, useContext, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Actions } from './actions.ts';
import { byActivity } from './direct.ts';
import { isSame } from './same.ts';
import type { Session } from './session.ts';
import type {
  ChannelReading,
  Connection,
  Draft,
  Indexes,
  Indicator,
  Line,
  Noun,
  Pending,
  Presence,
  Rows,
  ServerState,
  ThreadReading,
  TimelineRef,
  Unread,
} from './types.ts';

// Components follow the replica through these hooks. Each hook subscribes to the keys that it reads, and
// re-renders its component when one of them changes.

/** Provides the tab's session: `<SessionContext.Provider value={session}>`. */
export const SessionContext = createContext<Session | null>(null);

/** The session. Throws outside a provider. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no SessionContext.Provider around this component');
  return session;
}

/** The user's actions. The same object for the whole session. */
export const useActions = (): Actions => useSession().actions;

/** Subscribes to a key of the session. `read` must return the same object until the key changes. */
function useKey<T>(key: string, read: (session: Session) => T): T {
  const session = useSession();
  const subscribe = useCallback((listen: () => void) => session.subscribe(key, listen), [session, key]);
  const snapshot = () => read(session);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}

/** Like `useKey`, but for several keys. The result stays the same object until one of its items changes. */
function useKeys<T>(keys: readonly string[], read: (session: Session) => readonly T[]): readonly T[] {
  const session = useSession();
  const all = keys.join('\n');
  const known = useRef<readonly T[]>([]);
  const subscribe = useCallback(
    (listen: () => void) => {
      const ends = all.split('\n').map((key) => session.subscribe(key, listen));
      return () => ends.forEach((end) => void end());
    },
    [session, all],
  );
  const snapshot = () => {
    const next = read(session);
    const isSame =
      next.length === known.current.length && next.every((each, at) => each === known.current[at]);
    if (!isSame) known.current = next;
    return known.current;
  };
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}

/** Like `useKey`, but keeps the same object until its content changes. */
function useContent<T>(key: string, read: (session: Session) => T): T {
  const known = useRef<T>(undefined);
  return useKey(key, (session) => {
    const next = read(session);
    if (!isSame(known.current, next)) known.current = next;
    return known.current as T;
  });
}

/** All servers of the user, oldest server first. */
export const useServers = (): readonly Rows['server'][] => useRows('server', 'all', '');

/** A server with the user's roles and limits in it. `state` is undefined until its snapshot has loaded. */
export interface ServerHere {
  readonly server: Rows['server'] | undefined;
  readonly state: ServerState | undefined;
}

export function useServer(id: string): ServerHere {
  const server = useRow('server', id);
  const state = useKey(`state:${id}`, ({ replica }) => replica.states.get(id));
  return { server, state };
}

/** The channels of a server that the user can see, by position. */
export const useChannels = (serverId: string): readonly Rows['channel'][] =>
  useRows('channel', 'serverId', serverId);

/** The cached direct messages of these servers: latest activity first. */
export const useConversations = (serverIds: readonly string[]): readonly Rows['channel'][] =>
  useKeys(
    serverIds.map((id) => `channel@direct=${id}`),
    ({ replica, reading }) =>
      byActivity(
        serverIds.flatMap((id) => replica.rows('channel', 'direct', id)),
        reading.latest,
      ),
  );

/** Cached users, in the given order. */
export const useUsers = (ids: readonly string[]): readonly (Rows['user'] | undefined)[] =>
  useKeys(
    ids.map((id) => `user:${id}`),
    ({ replica }) => ids.map((id) => replica.row('user', id)),
  );

/** The cached memberships of users in a server, in the given order. */
export const useMembers = (
  serverId: string,
  userIds: readonly string[],
): readonly (Rows['serverMember'] | undefined)[] =>
  useKeys(
    userIds.map((userId) => `serverMember@serverId+userId=${serverId}+${userId}`),
    ({ replica }) =>
      userIds.map((userId) => replica.rows('serverMember', 'serverId+userId', `${serverId}+${userId}`)[0]),
  );

/** A row, or undefined if the replica does not have it. */
export const useRow = <N extends Noun>(noun: N, id: string | null | undefined): Rows[N] | undefined =>
  useKey(`${noun}:${id ?? ''}`, ({ replica }) => (id ? replica.row(noun, id) : undefined));

/**
 * The rows with this value in an index: `useRows('pin', 'channelId', id)`. Returns only cached rows;
 * actions load more.
 */
export const useRows = <N extends Noun>(noun: N, index: Indexes[N], value: string): readonly Rows[N][] =>
  useKey(`${noun}@${index}=${value}`, ({ replica }) => replica.rows(noun, index, value));

/**
 * A number that increases whenever a server's rows are dropped because events were missed. When it changes, reload any
 * data that you loaded.
 */
export const useEpoch = (serverId: string): number =>
  useKey(`epoch:${serverId}`, ({ replica }) => replica.epoch(serverId));

/** The messages shown in a channel or thread. Undefined until `openChannel` or `openThread` has loaded some. */
export function useLine(place: TimelineRef): Line | undefined {
  const id = idOfPlace(place);
  return useKey(`line:${id}`, ({ lines }) => lines.get(id));
}

/** The reading state of a channel. Undefined until the snapshot has loaded. */
export const useReading = (channelId: string): ChannelReading | undefined =>
  useKey(`reading:${channelId}`, ({ reading }) => reading.channel(channelId));

/**
 * The unread state of a channel without the marker, which moves with each message read and would cause a
 * re-render.
 */
export const useChannelUnread = (
  channelId: string,
): Omit<ChannelReading, 'channelId' | 'messageId' | 'unreadAt'> | undefined =>
  useContent(`reading:${channelId}`, ({ reading }) => {
    const row = reading.channel(channelId);
    if (!row) return undefined;
    const { channelId: _, messageId, unreadAt, ...rest } = row;
    return rest;
  });

/** The result of `read` for the reading state of each of these channels, in the given order. */
export const useChannelFacts = <T extends string>(
  serverId: string,
  ids: readonly string[],
  read: (session: Session, id: string) => T,
): readonly T[] =>
  useKeys([`unread:${serverId}`, ...ids.map((id) => `reading:${id}`)], (session) =>
    ids.map((id) => read(session, id)),
  );

/** The number of unread messages in a channel, or of replies in an opened thread. 0 if unknown. */
export function useUnreadIn(place: TimelineRef): number {
  const id = idOfPlace(place);
  return useKey(`reading:${id}`, ({ reading }) => (reading.channel(id) ?? reading.thread(id))?.unread ?? 0);
}

/** True if the user has read a channel up to this message or beyond. */
export const useHasRead = (channelId: string, messageId: string): boolean =>
  useKey(`reading:${channelId}`, ({ reading }) => (reading.channel(channelId)?.messageId ?? '') >= messageId);

/** The reading state of a thread. Undefined until `openThread` or `readThreads` has loaded it. */
export const useThreadReading = (threadId: string): ThreadReading | undefined =>
  useKey(`reading:${threadId}`, ({ reading }) => reading.thread(threadId));

export const useUnread = (serverId: string): Unread =>
  useKey(`unread:${serverId}`, ({ reading }) => reading.server(serverId));

/**
 * Reads and subscribes to a channel or thread's draft. For an uncontrolled field, which must not re-render.
 */
export function useDraft(place: TimelineRef): { read(): Draft; follow(listen: () => void): () => void } {
  const session = useSession();
  const id = idOfPlace(place);
  return useMemo(
    () => ({
      read: () => session.drafts.get(id),
      follow: (listen) => session.subscribe(`draft:${id}`, listen),
    }),
    [session, id],
  );
}

/** True if the channel has a draft. Does not re-render as the user keeps typing. */
export const useHasDraft = (channelId: string): boolean =>
  useKey(`draft:${channelId}`, ({ drafts }) => drafts.get(channelId).content !== '');

/** The indicators of other users in a channel or thread: who is typing, and what agents are doing. */
export function useTyping(place: TimelineRef): readonly Indicator[] {
  const id = idOfPlace(place);
  return useKey(`typing:${id}`, ({ live }) => live.typing(id));
}

/** A member's presence in a server. Undefined until `actions.watchPresence` has loaded it. */
export const usePresence = (serverId: string, userId: string): Presence | undefined =>
  useKey(`presence:${serverId} ${userId}`, ({ live }) => live.presence(serverId, userId));

/** The user's outgoing messages that the replica does not have yet, in the order they were sent. */
export function usePending(place: TimelineRef): readonly Pending[] {
  const id = idOfPlace(place);
  return useKey(`pending:${id}`, ({ outbox }) => outbox.at(id));
}

/** True if a message in the channel or one of its threads failed and needs the user's attention. */
export const useHasStopped = (channelId: string): boolean =>
  useKey(`stopped:${channelId}`, ({ outbox }) => outbox.hasStopped(channelId));

/** Like `usePresence`, but for several members. Returns their presence in the given order. */
export const usePresences = (
  serverId: string,
  userIds: readonly string[],
): readonly (Presence | undefined)[] =>
  useKeys(
    userIds.map((userId) => `presence:${serverId} ${userId}`),
    ({ live }) => userIds.map((userId) => live.presence(serverId, userId)),
  );

/** Like `useUnread`, but for several servers. Returns their unread state in the given order. */
export const useUnreads = (serverIds: readonly string[]): readonly Unread[] =>
  useKeys(
    serverIds.map((id) => `unread:${id}`),
    ({ reading }) => serverIds.map((id) => reading.server(id)),
  );

/** Like `useThreadReading`, but for several threads. Returns their reading state in the given order. */
export const useThreadReadings = (threadIds: readonly string[]): readonly (ThreadReading | undefined)[] =>
  useKeys(
    threadIds.map((id) => `reading:${id}`),
    ({ reading }) => threadIds.map((id) => reading.thread(id)),
  );

export const useConnection = (): Connection => useKey('connection', ({ connection }) => connection());

/** True while the server is known to be out of reach, so nothing can be loaded. */
export function useIsLost(): boolean {
  const { status } = useConnection();
  return status === 'offline' || (status === 'connecting' && !navigator.onLine);
}

/** The cached notifications from all servers, latest first. */
export const useNotifications = (): readonly Rows['notification'][] => useRows('notification', 'all', '');

const idOfPlace = (place: TimelineRef): string => (typeof place === 'string' ? place : place.threadId);
