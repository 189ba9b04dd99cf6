import type { Tx } from '../../db/contract.ts';
import { sql } from '../../db/kysely.ts';
import { prepare, q, remove } from '../../db/statements.ts';
import { invalid, notFound } from '../../errors.ts';
import { idBefore, isId, timeOfId } from '../../lib/deps.ts';
import type { WriteCall } from '../../operations/call.ts';
import { type Marked, markerOf } from './markers.ts';
import { markEvents } from './readingRecords.ts';

/** Clocks of nodes may differ by this: a marker further ahead is none of a message. */
const MAX_AHEAD_MS = 60_000;
/** Threads with a marker of one person in one server. A new one takes the place of that in the oldest thread. */
const MAX_THREADS = 1_000;

/** A request to move a marker. */
export interface MarkRequest {
  channelId?: string;
  threadId?: string;
  messageId: string;
  /** `unreadAt` as the client knows it: a mark made before something was marked as unread changes nothing. */
  unreadAt?: number;
}

/** Throws INVALID_REQUEST for what cannot be a place among messages. */
function requirePlace({ newRow }: WriteCall, messageId: string, path: string): void {
  if (!isId(messageId)) throw invalid('wrong_form', path, 'is not the id of a message');
  // By an identifier, not by the clock: that may have been set back since the message was sent.
  const latest = newRow().createdAt + MAX_AHEAD_MS;
  if (timeOfId(messageId) > latest) throw invalid('out_of_range', path, 'is of a time to come');
}

/** Throws INVALID_REQUEST unless it names one place. */
export function requireOnePlace({ channelId, threadId }: Partial<MarkRequest>, path = ''): void {
  if (channelId === undefined && threadId === undefined)
    throw invalid('missing', `${path}channelId`, 'is required without threadId');
  if (channelId !== undefined && threadId !== undefined)
    throw invalid('not_together', `${path}threadId`, 'has a marker of its own: leave channelId out');
}

/** The place with its marker. Throws NOT_FOUND, also if the person may not see it. */
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

/** The one row that a mark changes: marks of many people share a batch on PostgreSQL, and one statement of it. */
const inChannel = [
  { channelReading: { channelId: 'channelId', userId: 'userId' } },
  { inserts: 'channelReading', key: ['channelId', 'userId'] },
] as const;
const inThread = [
  { threadReading: { threadId: 'threadId', userId: 'userId' } },
  { inserts: 'threadReading', key: ['threadId', 'userId'] },
] as const;

/** Moves a marker forward; not over what was marked as unread after `unreadAt`. */
const onInChannel = prepare(
  (p: NewMark & { channelId: string }) =>
    q
      .insertInto('channelReading')
      .values({ ...markOf(p), channelId: p.channelId, level: null, mutedUntil: null })
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
      .values({ ...markOf(p), channelId: p.channelId, level: null, mutedUntil: null })
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

/** The parameters of every mark. */
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

/** Makes room for the marker of a thread: one person has a bounded number of them. */
async function makeRoom(db: Tx, userId: string, { serverId, threadId, hasRow }: Marked): Promise<void> {
  if (threadId === null || hasRow) return;
  const oldest = await db.first(oldestBeyond({ userId, serverId }));
  if (oldest) await db.run(remove('threadReading', { userId, threadId: oldest.threadId }));
}

/** Moves a marker forward. It stays where it is if that is further, or if the request was made before a mark as unread. */
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

/** Moves a marker to just before a message, which is unread from then on, until the person reads on. */
export async function markUnread(call: WriteCall, request: MarkRequest): Promise<object> {
  const { db, principal, now, tell } = call;
  const { userId } = principal;
  requirePlace(call, request.messageId, 'messageId');
  const found = await requireMarker(call, request);
  const { serverId, channelId, threadId, readAt } = found;
  const messageId = idBefore(request.messageId);
  // Later than whatever is known, also if the clock was set back.
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
