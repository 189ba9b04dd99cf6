import { sql } from 'kysely';
import type { Static } from 'typebox';
import { isInPerson } from '../../access/predicates.ts';
import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';
import { channel, MAX_SHOWN_CONVERSATIONS } from '../channel/channelRecord.ts';
import type { ListedConversation } from '../snapshotPart.ts';

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
    .orderBy('channelMember.latestId', 'desc')
    .limit(p.limit);

/** The columns of a direct message's record. */
const shownColumns = (Object.keys(channel.properties) as (keyof Static<typeof channel>)[]).map(
  (name) => `channel.${name}` as const,
);

const rowsOf = prepare((p: Latest) =>
  latest(p)
    .innerJoin('channel', 'channel.id', 'channelMember.channelId')
    .select(['channel.id', 'channel.isBeingSwept']),
);
const listedOf = prepare((p: Latest) =>
  latest(p)
    .innerJoin('channel', 'channel.id', 'channelMember.channelId')
    .select(shownColumns)
    // A direct message without messages has its own id here.
    .select(sql<string | null>`nullif("channelMember"."latestId", channel.id)`.as('latestMessageId')),
);
const idsOf = prepare((p: Latest) => latest(p).select('channelId'));

/** A user as a member of a server. */
type Member = Pick<Principal, 'userId' | 'userType' | 'isSignedIn'> & { serverId: string };

/** Selects up to `limit` direct messages of a member in a server, those with the latest messages first. */
export const conversationsIn = async (
  db: Reader,
  viewer: Member,
  limit: number,
): Promise<Pick<RowOf<'channel'>, 'id' | 'isBeingSwept'>[]> => {
  const { userId, serverId } = viewer;
  return isInPerson(viewer) ? db.all(rowsOf({ userId, serverId, limit })) : [];
};

/** Returns the direct messages for a snapshot, each with the id of its latest message. */
export const listedConversationsIn = async (db: Reader, viewer: Member): Promise<ListedConversation[]> => {
  const { userId, serverId } = viewer;
  if (!isInPerson(viewer)) return [];
  const rows = await db.all(listedOf({ userId, serverId, limit: MAX_SHOWN_CONVERSATIONS }));
  // Arrays in rows are readonly, but those in records are not.
  return rows as ListedConversation[];
};

/**
 * Returns the ids of a member's direct messages: those in `only`, or else the latest ones, as in a snapshot.
 */
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
      : idsOf({ userId, serverId, limit: MAX_SHOWN_CONVERSATIONS }),
  );
  return found.map(({ channelId }) => channelId);
};

/** Records the latest message of a direct message. */
export const showLatest = prepare(
  (p: { channelId: string; latestId: string }) =>
    q
      .updateTable('channelMember')
      .set({ latestId: p.latestId })
      .where('channelId', '=', p.channelId)
      .where('latestId', '<', p.latestId),
  { channelMember: { channelId: 'channelId' } },
);
