import { sql } from 'kysely';
import type { Tx } from '../../db/contract.ts';
import { prepare, q, remove } from '../../db/statements.ts';
import { invalid, notFound } from '../../errors.ts';
import { idBefore, isId, timeOfId } from '../../lib/deps.ts';
import type { WriteCall } from '../../operations/call.ts';
import { type Marked, markerOf, noMark } from './markers.ts';
import { markEvents } from './readingRecords.ts';

/**
 * Tolerated clock skew between nodes. A marker that is further in the future cannot be the id of a message.
 */
const MAX_AHEAD_MS = 60_000;
/** Maximum thread markers per person and server. A new marker replaces that of the oldest thread. */
const MAX_THREADS = 1_000;

/** A request to move a marker. */
export interface MarkRequest {
  channelId?: string;
  threadId?: string;
  messageId: string;
  /**
   * The last `unreadAt` that the client knows. If something has been marked as unread since then, the request
   * is ignored.
   */
  unreadAt?: number;
}

/** Throws INVALID_REQUEST unless this is a message id whose time is at most `MAX_AHEAD_MS` ahead. */
function requirePlace({ newRow }: WriteCall, messageId: string, path: string): void {
  if (!isId(messageId)) throw invalid('wrong_form', path, 'is not a message id');
  // Compares with an id instead of the clock, which may have been set back since the message was sent.
  const latest = newRow().createdAt + MAX_AHEAD_MS;
  if (timeOfId(messageId) > latest) throw invalid('out_of_range', path, 'is in the future');
}

/** Throws INVALID_REQUEST unless exactly one channel or thread is given. */
export function requireOnePlace({ channelId, threadId }: Partial<MarkRequest>, path = ''): void {
  if (channelId === undefined && threadId === undefined)
    throw invalid('missing', `${path}channelId`, 'is required without threadId');
  if (channelId !== undefined && threadId !== undefined)
    throw invalid('not_together', `${path}threadId`, 'has its own marker. Omit channelId');
}

/**
 * Loads the channel or thread with its marker. Throws NOT_FOUND if it does not exist or the person may not
 * see it.
 */
export async function requireMarker(
  { db, principal }: Pick<WriteCall, 'db' | 'principal'>,
  place: { channelId?: string | undefined; threadId?: string | undefined },
): Promise<Marked> {
  const found = await markerOf(db, principal, place);
  if (!found) throw notFound(place.threadId === undefined ? 'channel' : 'thread');
  return found;
}

const isAhead = (table: 'channelReading' | 'threadReading') =>
  sql<boolean>`(${sql.ref(`${table}.messageId`)} is null or ${sql.ref(`${table}.messageId`)} < excluded."messageId")
    and ${sql.ref(`${table}.unreadAt`)} <= excluded."unreadAt"`;

interface NewMark {
  userId: string;
  messageId: string;
  unreadAt: number;
}

/**
 * Declares the only row that a mark in a channel changes. On PostgreSQL, the marks of many people are written
 * in one batch by a single statement.
 */
const inChannel = [
  { channelReading: { channelId: 'channelId', userId: 'userId' } },
  { inserts: 'channelReading', key: ['channelId', 'userId'] },
] as const;
const inThread = [
  { threadReading: { threadId: 'threadId', userId: 'userId' } },
  { inserts: 'threadReading', key: ['threadId', 'userId'] },
] as const;

/** Moves a marker forward, unless the channel was marked as unread after `unreadAt`. */
const onInChannel = prepare(
  (p: NewMark & { channelId: string }) =>
    q
      .insertInto('channelReading')
      .values({ ...noMark, ...markOf(p), channelId: p.channelId })
      .onConflict((conflict) =>
        conflict
          .columns(['channelId', 'userId'])
          .doUpdateSet((eb) => ({ messageId: eb.ref('excluded.messageId') }))
          .where(isAhead('channelReading')),
      ),
  ...inChannel,
);

const onInThread = prepare(
  (p: NewMark & { threadId: string; serverId: string }) =>
    q
      .insertInto('threadReading')
      .values({ ...markOf(p), threadId: p.threadId, serverId: p.serverId })
      .onConflict((conflict) =>
        conflict
          .columns(['threadId', 'userId'])
          .doUpdateSet((eb) => ({ messageId: eb.ref('excluded.messageId') }))
          .where(isAhead('threadReading')),
      ),
  ...inThread,
);

const backInChannel = prepare(
  (p: NewMark & { channelId: string }) =>
    q
      .insertInto('channelReading')
      .values({ ...noMark, ...markOf(p), channelId: p.channelId })
      .onConflict((conflict) => conflict.columns(['channelId', 'userId']).doUpdateSet(excluded)),
  ...inChannel,
);

const backInThread = prepare(
  (p: NewMark & { threadId: string; serverId: string }) =>
    q
      .insertInto('threadReading')
      .values({ ...markOf(p), threadId: p.threadId, serverId: p.serverId })
      .onConflict((conflict) => conflict.columns(['threadId', 'userId']).doUpdateSet(excluded)),
  ...inThread,
);

/** Picks the columns that a new mark sets. */
function markOf({ userId, messageId, unreadAt }: NewMark): NewMark {
  return { userId, messageId, unreadAt };
}

const excluded = {
  messageId: sql<string>`excluded."messageId"`,
  unreadAt: sql<number>`excluded."unreadAt"`,
};

const oldestBeyond = prepare((p: { userId: string; serverId: string }) =>
  q
    .selectFrom('threadReading')
    .select('threadId')
    .where('userId', '=', p.userId)
    .where('serverId', '=', p.serverId)
    .orderBy('threadId', 'desc')
    .limit(1)
    .offset(sql.lit(MAX_THREADS - 1)),
);

/** Deletes the oldest thread's marker if another one would exceed `MAX_THREADS`. */
async function makeRoom(db: Tx, userId: string, { serverId, threadId, hasRow }: Marked): Promise<void> {
  if (threadId === null || hasRow) return;
  const oldest = await db.first(oldestBeyond({ userId, serverId }));
  if (oldest) await db.run(remove('threadReading', { userId, threadId: oldest.threadId }));
}

/**
 * Moves a marker forward. Does nothing if the marker is already further ahead, or if something was marked as
 * unread since the request's `unreadAt`.
 */
export async function markRead(call: WriteCall, request: MarkRequest, path: string): Promise<object> {
  const { db, principal, tell } = call;
  const { userId } = principal;
  const { messageId } = request;
  requirePlace(call, messageId, `${path}messageId`);
  const found = await requireMarker(call, request);
  const { serverId, channelId, threadId } = found;
  const place = { serverId, userId, channelId, threadId };
  const isLate = request.unreadAt !== undefined && request.unreadAt < found.unreadAt;
  if (isLate || messageId <= found.messageId)
    return { ...place, messageId: found.messageId, unreadAt: found.unreadAt };
  await makeRoom(db, userId, found);
  const mark = { userId, messageId, unreadAt: found.unreadAt };
  await db.run(
    threadId === null ? onInChannel({ ...mark, channelId }) : onInThread({ ...mark, threadId, serverId }),
  );
  const moved = { ...place, messageId, unreadAt: found.unreadAt };
  tell(markEvents.updated, moved);
  return moved;
}

/** Moves a marker to just before a message. The message is then unread until the marker moves past it. */
export async function markUnread(call: WriteCall, request: MarkRequest): Promise<object> {
  const { db, principal, now, tell } = call;
  const { userId } = principal;
  requirePlace(call, request.messageId, 'messageId');
  const found = await requireMarker(call, request);
  const { serverId, channelId, threadId, readAt } = found;
  const messageId = idBefore(request.messageId);
  // The timestamp is later than all known times, even if the clock was set back.
  const unreadAt = Math.max(now, found.unreadAt + 1, readAt + 1);
  await makeRoom(db, userId, found);
  const mark = { userId, messageId, unreadAt };
  await db.run(
    threadId === null ? backInChannel({ ...mark, channelId }) : backInThread({ ...mark, threadId, serverId }),
  );
  const moved = { serverId, userId, channelId, threadId, messageId, unreadAt };
  tell(markEvents.updated, moved);
  return moved;
}
