import { conditions, requireCondition } from '../../access/conditions.ts';
import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';

/** The members of a server among these users, and whether they accept direct messages from a sender. */
const reachable = (p: { serverId: string; senderId: string; userIds: readonly string[] }) =>
  q
    .selectFrom('serverMember')
    .innerJoin('user', 'user.id', 'serverMember.userId')
    .select(['user.id', 'user.type', 'user.directMessages'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('block')
            .select('block.userId')
            .whereRef('block.userId', '=', 'user.id')
            .where('block.blockedId', '=', p.senderId),
        )
        .as('blocks'),
    )
    .where('serverMember.serverId', '=', p.serverId)
    .where('serverMember.userId', 'in', p.userIds);

/** A member of a server, as the recipient of a direct message. */
interface Recipient {
  id: string;
  type: 'person' | 'agent';
  /** Whether they accept direct messages from the sender. The sender cannot tell a block from a setting. */
  accepts: boolean;
}

/**
 * The members of a server among these users, as recipients of a sender. Takes the same time whether or not
 * they block the sender.
 */
export async function recipientsIn(
  db: Reader,
  of: { serverId: string; senderId: string; userIds: readonly string[] },
): Promise<Recipient[]> {
  const rows = await db.all(reachable(of));
  return rows.map(({ id, type, directMessages, blocks }) => ({
    id,
    type,
    accepts: directMessages === 'anybody' && !blocks,
  }));
}

/** Throws FORBIDDEN unless the other member of a direct message between two accepts messages from the principal. */
export async function requireReachable(
  db: Reader,
  principal: Principal,
  { serverId, memberIds }: { serverId: string; memberIds: readonly string[] | null },
): Promise<void> {
  if (memberIds?.length !== 2) return;
  const userIds = memberIds.filter((id) => id !== principal.userId);
  const recipients = await recipientsIn(db, { serverId, senderId: principal.userId, userIds });
  requireCondition(principal, conditions.acceptsMessages, {
    refusing: recipients.some(({ accepts }) => !accepts),
  });
}
