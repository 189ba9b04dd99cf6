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
const idsOf = prepare((p: Latest) => latest(p).select('channelId'));

/** A user as a member of a server. */
type Member = Pick<Principal, 'userId' | 'userType' | 'isSignedIn'> & { serverId: string };

/** A member's latest direct messages in a server, newest first, up to `limit`. */
export const conversationsIn = async (
  db: Reader,
  viewer: Member,
  limit = MAX_SHOWN,
): Promise<RowOf<'channel'>[]> => {
  const { userId, serverId } = viewer;
  return isInPerson(viewer) ? db.all(rowsOf({ userId, serverId, limit })) : [];
};

/** The ids of a member's latest direct messages in a server, newest first. */
export const conversationIdsIn = async (db: Reader, viewer: Member): Promise<string[]> => {
  const { userId, serverId } = viewer;
  const rows = isInPerson(viewer) ? await db.all(idsOf({ userId, serverId, limit: MAX_SHOWN })) : [];
  return rows.map(({ channelId }) => channelId);
};
