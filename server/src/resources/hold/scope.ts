import { channelsOfAuthor } from '../../db/authorChannels.ts';
import { messagesOf } from '../../db/byAuthor.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, prepare, q } from '../../db/statements.ts';
import { ApiError } from '../../errors.ts';
import { FIRST_ID, LAST_ID } from '../../lib/deps.ts';

type Scope = Pick<RowOf<'hold'>, 'id' | 'serverId' | 'userId' | 'channelId'>;

const lasting = prepare((p: { serverId: string; now: number }) =>
  q
    .selectFrom('hold')
    .select(['id', 'serverId', 'userId', 'channelId'])
    .where('serverId', '=', p.serverId)
    .where('endedAt', 'is', null)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', p.now)])),
);

/** Returns the active holds in a server. */
export const holdsIn = (db: Reader, serverId: string, now: number): Promise<Scope[]> =>
  db.all(lasting({ serverId, now }));

/** Whether a hold covers a message. */
export const covers = (
  { userId, channelId }: Pick<Scope, 'userId' | 'channelId'>,
  message: { creatorId: string; channelId: string },
): boolean =>
  (userId === null || userId === message.creatorId) &&
  (channelId === null || channelId === message.channelId);

/** Whether an active hold covers a message. */
export const isHeld = async (
  { db, now }: { db: Reader; now: number },
  message: { serverId: string; creatorId: string; channelId: string },
): Promise<boolean> => (await holdsIn(db, message.serverId, now)).some((hold) => covers(hold, message));

/**
 * Creates the error for an irreversible action that a hold forbids. It reveals neither the hold nor its
 * scope.
 */
const refusal = (): ApiError =>
  new ApiError('FORBIDDEN', "this cannot be deleted now. Contact the server's operator", {
    rule: 'hold',
    have: [],
    need: [],
  });

/** Throws FORBIDDEN if a hold forbids deleting the server. */
export async function requireServerFree(db: Reader, serverId: string, now: number): Promise<void> {
  if ((await holdsIn(db, serverId, now)).length > 0) throw refusal();
}

/** Throws FORBIDDEN if a hold covers the user or something that they wrote. */
export async function requireUserFree(db: Reader, userId: string, now: number): Promise<void> {
  const holds = await db.all(
    q
      .selectFrom('hold')
      .select(['id', 'serverId', 'userId', 'channelId'])
      .where('endedAt', 'is', null)
      .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
      .where((eb) => eb.or([eb('userId', 'is', null), eb('userId', '=', userId)]))
      .orderBy('userId')
      .orderBy('id'),
  );
  for (const hold of holds) if (hold.userId !== null || (await hasIn(db, hold, userId))) throw refusal();
}

/**
 * Whether a hold on everybody in a server or channel covers something that the user wrote. A hold on a whole
 * server also covers its members, whether or not they wrote something.
 */
async function hasIn(db: Reader, { serverId, channelId }: Scope, userId: string): Promise<boolean> {
  if (channelId === null && (await db.first(find('serverMember', { serverId, userId })))) return true;
  const kept = q.selectFrom('keptMessage').select('id').where('creatorId', '=', userId);
  if (await db.first(kept.where('serverId', '=', serverId).limit(1))) return true;
  if (channelId !== null) {
    const all = { channelId, order: 'asc', first: FIRST_ID, last: LAST_ID } as const;
    return (await db.first(messagesOf(db.dialect, all, userId).select('id').limit(1))) !== undefined;
  }
  const channels = q.selectFrom('channel').select('id').where('serverId', '=', serverId).limit(1);
  for await (const ids of channelsOfAuthor(db, userId))
    if (await db.first(channels.where('id', 'in', ids))) return true;
  return false;
}
