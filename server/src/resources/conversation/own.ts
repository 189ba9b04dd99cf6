import { isInPerson } from '../../access/predicates.ts';
import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';

/** Maximum direct messages in a snapshot and in the reading state: a person's latest in a server. */
const MAX_SHOWN = 500;

interface Latest {
  userId: string;
  serverId: string;
  limit: number;
}

const latest = (p: Latest) =>
  q
    .selectFrom('channelMember')
    .where('channelMember.userId', '=', p.userId)
    .where('channelMember.serverId', '=', p.serverId)
    .orderBy('channelMember.channelId', 'desc')
    .limit(p.limit);

const rowsOf = prepare((p: Latest) =>
  latest(p).innerJoin('channel', 'channel.id', 'channelMember.channelId').selectAll('channel'),
);
const listedOf = prepare((p: Latest) =>
  latest(p)
    .innerJoin('channel', 'channel.id', 'channelMember.channelId')
    .selectAll('channel')
    .select((eb) =>
      eb
        .selectFrom('message')
        .select('message.id')
        .whereRef('message.channelId', '=', 'channel.id')
        .orderBy('message.channelId', 'desc')
        .orderBy('message.id', 'desc')
        .limit(1)
        .as('latestMessageId'),
    ),
);
const idsOf = prepare((p: Latest) => latest(p).select('channelId'));

/** A user as a member of a server. */
type Member = Pick<Principal, 'userId' | 'userType' | 'isSignedIn'> & { serverId: string };

/** A member's latest direct messages in a server, newest first, up to `limit`. */
export const conversationsIn = async (
  db: Reader,
  viewer: Member,
  limit: number,
): Promise<RowOf<'channel'>[]> => {
  const { userId, serverId } = viewer;
  return isInPerson(viewer) ? db.all(rowsOf({ userId, serverId, limit })) : [];
};

/** A member's latest direct messages in a server, newest first, each with the id of its latest message. */
export const listedConversationsIn = async (
  db: Reader,
  viewer: Member,
): Promise<(RowOf<'channel'> & { latestMessageId: string | null })[]> => {
  const { userId, serverId } = viewer;
  return isInPerson(viewer) ? db.all(listedOf({ userId, serverId, limit: MAX_SHOWN })) : [];
};

/** The ids of a member's latest direct messages in a server, newest first, or of those among `only`. */
export const conversationIdsIn = async (
  db: Reader,
  viewer: Member,
  only?: readonly string[],
): Promise<string[]> => {
  const { userId, serverId } = viewer;
  if (!isInPerson(viewer) || only?.length === 0) return [];
  const found = await db.all(
    only
      ? latest({ userId, serverId, limit: only.length }).select('channelId').where('channelId', 'in', only)
      : idsOf({ userId, serverId, limit: MAX_SHOWN }),
  );
  return found.map(({ channelId }) => channelId);
};
