import { sql } from 'kysely';
import type { Reader } from '../../db/contract.ts';
import { memberChannels } from '../../db/memberChannels.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Level } from '../../db/tables/channelReading.ts';
import { notFound } from '../../errors.ts';
import type { WriteCall } from '../../operations/call.ts';
import { isMember } from '../serverMember/join.ts';
import { requireMarker } from './mark.ts';
import { noMark } from './markers.ts';
import { readingEvents, wishEvents } from './readingRecords.ts';

interface Wish {
  userId: string;
  level: Level | null;
  mutedUntil: number | null;
}

const wished = {
  level: sql<Level | null>`excluded.level`,
  mutedUntil: sql<number | null>`excluded."mutedUntil"`,
};

const ofChannel = prepare((p: Wish & { channelId: string }) =>
  q
    .insertInto('channelReading')
    .values({
      ...noMark,
      channelId: p.channelId,
      userId: p.userId,
      level: p.level,
      mutedUntil: p.mutedUntil,
    })
    .onConflict((conflict) => conflict.columns(['channelId', 'userId']).doUpdateSet(wished)),
);

const ofServer = prepare((p: Wish & { serverId: string }) =>
  q
    .insertInto('serverReading')
    .values({
      serverId: p.serverId,
      userId: p.userId,
      messageId: null,
      readAt: sql.lit(0),
      level: p.level,
      mutedUntil: p.mutedUntil,
    })
    .onConflict((conflict) => conflict.columns(['serverId', 'userId']).doUpdateSet(wished)),
);

const serverWish = prepare((p: { serverId: string; userId: string }) =>
  q
    .selectFrom('serverReading')
    .select(['level', 'mutedUntil'])
    .where('serverId', '=', p.serverId)
    .where('userId', '=', p.userId),
);

/**
 * Sets a person's notification level in a channel, or in their server if no channel is given. Throws
 * NOT_FOUND.
 */
export async function setWish(
  call: WriteCall,
  serverId: string,
  { channelId, ...change }: { channelId?: string; level?: Level | null; mutedUntil?: number | null },
): Promise<object> {
  const { db, principal, tell } = call;
  const { userId } = principal;
  if (!(await isMember(db, serverId, userId))) throw notFound('server');
  const known =
    channelId === undefined
      ? await db.first(serverWish({ serverId, userId }))
      : await requireMarker(call, { channelId });
  const wish = {
    userId,
    level: change.level === undefined ? (known?.level ?? null) : change.level,
    mutedUntil: change.mutedUntil === undefined ? (known?.mutedUntil ?? null) : change.mutedUntil,
  };
  await db.run(channelId === undefined ? ofServer({ ...wish, serverId }) : ofChannel({ ...wish, channelId }));
  const set = { ...wish, serverId, channelId: channelId ?? null };
  tell(wishEvents.updated, set);
  return set;
}

const readAll = prepare((p: { serverId: string; userId: string; messageId: string; readAt: number }) =>
  q
    .insertInto('serverReading')
    .values({
      serverId: p.serverId,
      userId: p.userId,
      messageId: p.messageId,
      readAt: p.readAt,
      level: null,
      mutedUntil: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['serverId', 'userId']).doUpdateSet({
        messageId: sql<string>`excluded."messageId"`,
        readAt: sql<number>`excluded."readAt"`,
      }),
    ),
);

/**
 * Queries for the latest time after `now` at which a person marked something in a server as unread. There is
 * one only if the clock was set back.
 */
const latestUnread = {
  channel: prepare((p: { serverId: string; userId: string; now: number }) =>
    q
      .selectFrom('channelReading')
      .select((eb) => eb.fn.max('unreadAt').as('unreadAt'))
      .where('userId', '=', p.userId)
      .where('channelId', 'in', memberChannels(p))
      .where('unreadAt', '>', p.now),
  ),
  thread: prepare((p: { serverId: string; userId: string; now: number }) =>
    q
      .selectFrom('threadReading')
      .select((eb) => eb.fn.max('unreadAt').as('unreadAt'))
      .where('serverId', '=', p.serverId)
      .where('userId', '=', p.userId)
      .where('unreadAt', '>', p.now),
  ),
};

/** Returns the timestamp for marking everything as read: now, or the latest unread mark if that is later. */
async function timeToRead(
  db: Reader,
  of: { serverId: string; userId: string; now: number },
): Promise<number> {
  const found = await Promise.all([db.first(latestUnread.channel(of)), db.first(latestUnread.thread(of))]);
  return Math.max(of.now, ...found.map((row) => row?.unreadAt ?? 0));
}

/**
 * Marks everything in a server as read, with one row. Call this in a transaction that is serialized with
 * sends in the server, so that no message with a smaller id becomes visible later.
 */
export async function readServer({ db, now, newRow, principal, tell }: WriteCall, serverId: string) {
  const { userId } = principal;
  // If the person has left in the meantime, nothing would ever delete the row.
  if (!(await isMember(db, serverId, userId))) throw notFound('server');
  const read = { serverId, userId, messageId: newRow().id };
  await db.run(readAll({ ...read, readAt: await timeToRead(db, { serverId, userId, now }) }));
  tell(readingEvents.updated, read);
  return read;
}
