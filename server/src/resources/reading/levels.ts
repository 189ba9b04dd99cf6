import { sql } from '../../db/kysely.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Level } from '../../db/tables/channelReading.ts';
import { notFound } from '../../errors.ts';
import type { WriteCall } from '../../operations/call.ts';
import { isMember } from '../serverMember/join.ts';
import { requireMarker } from './mark.ts';
import { readingEvents, wishEvents } from './record.ts';

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
      channelId: p.channelId,
      userId: p.userId,
      messageId: null,
      unreadAt: sql.lit(0),
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

/** Sets what a person wants to be told of in a channel, or without one in their server. Throws NOT_FOUND. */
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
 * Marks everything in a server as read, by one row. Call it in a transaction that is serial with the server's sends: none of them
 * may get a smaller id and be seen later.
 */
export async function readServer({ db, now, newRow, principal, tell }: WriteCall, serverId: string) {
  const { userId } = principal;
  // Nothing would remove the row of somebody who has left meanwhile.
  if (!(await isMember(db, serverId, userId))) throw notFound('server');
  const read = { serverId, userId, messageId: newRow().id };
  await db.run(readAll({ ...read, readAt: now }));
  tell(readingEvents.updated, read);
  return read;
}
