import { isInPerson } from '../../access/predicates.ts';
import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';

/** Maximum direct messages in a snapshot and in the reading state: a person's latest in a server. */
const MAX_SHOWN = 500;

const latestOf = prepare((p: { userId: string; serverId: string; limit: number }) =>
  q
    .selectFrom('channelMember')
    .innerJoin('channel', 'channel.id', 'channelMember.channelId')
    .selectAll('channel')
    .where('channelMember.userId', '=', p.userId)
    .where('channelMember.serverId', '=', p.serverId)
    .orderBy('channelMember.channelId', 'desc')
    .limit(p.limit),
);

const idsOf = prepare((p: { userId: string; serverId: string; limit: number }) =>
  q
    .selectFrom('channelMember')
    .select('channelId')
    .where('userId', '=', p.userId)
    .where('serverId', '=', p.serverId)
    .orderBy('channelId', 'desc')
    .limit(p.limit),
);

/** A user as a member of a server. */
type Member = Pick<Principal, 'userId' | 'userType' | 'isSignedIn'> & { serverId: string };

/** A member's latest direct messages in a server, newest first, up to `limit`. */
export const conversationsIn = async (
  db: Reader,
  viewer: Member,
  limit = MAX_SHOWN,
): Promise<RowOf<'channel'>[]> =>
  isInPerson(viewer) ? db.all(latestOf({ userId: viewer.userId, serverId: viewer.serverId, limit })) : [];

/** The ids of a member's latest direct messages in a server, newest first, up to `limit`. */
export const conversationIdsIn = async (db: Reader, viewer: Member, limit = MAX_SHOWN): Promise<string[]> => {
  if (!isInPerson(viewer)) return [];
  const { userId, serverId } = viewer;
  return (await db.all(idsOf({ userId, serverId, limit }))).map(({ channelId }) => channelId);
};
