import { conditions, requireCondition } from '../access/conditions.ts';
import type { Principal } from '../access/principal.ts';
import type { Reader } from '../db/contract.ts';
import { q } from '../db/statements.ts';
import { invalid } from '../errors.ts';

/**
 * Selects the given users who are members of a server, with the facts that determine whether they and the
 * server accept direct messages from a sender.
 */
const reachable = (p: { serverId: string; senderId: string; userIds: readonly string[] }) =>
  q
    .selectFrom('serverMember')
    .innerJoin('user', 'user.id', 'serverMember.userId')
    .innerJoin('server', 'server.id', 'serverMember.serverId')
    .select(['user.id', 'user.type', 'user.directMessages', 'server.directAgents'])
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
  /**
   * Whether the recipient accepts direct messages from the sender. The sender cannot distinguish a block from
   * a setting.
   */
  accepts: boolean;
  /** Whether the server allows direct messages with agents. */
  directAgents: boolean;
}

/**
 * Returns the given users who are members of a server, as possible recipients of a sender. Takes the same
 * time whether or not they block the sender.
 */
export async function recipientsIn(
  db: Reader,
  of: { serverId: string; senderId: string; userIds: readonly string[] },
): Promise<Recipient[]> {
  const rows = await db.all(reachable(of));
  return rows.map(({ id, type, directMessages, blocks, directAgents }) => ({
    id,
    type,
    directAgents: Boolean(directAgents),
    accepts: directMessages === 'anybody' && !blocks,
  }));
}

/** Throws INVALID_REQUEST for a direct message that includes an agent, unless the server allows that. */
export function requireAgentsAllowed(
  { userType }: Principal,
  recipients: readonly Recipient[],
  path: string,
): void {
  const isWithAgent = userType === 'agent' || recipients.some(({ type }) => type === 'agent');
  if (isWithAgent && recipients.some(({ directAgents }) => !directAgents))
    throw invalid('wrong_kind', path, 'this server does not allow direct messages with agents');
}

/**
 * For a direct message, throws INVALID_REQUEST if it includes an agent and the server does not allow that.
 * Throws FORBIDDEN if it has two members and the other member does not accept messages from the principal.
 */
export async function requireReachable(
  db: Reader,
  principal: Principal,
  { serverId, memberIds }: { serverId: string; memberIds: readonly string[] | null },
): Promise<void> {
  if (!memberIds) return;
  const userIds = memberIds.filter((id) => id !== principal.userId);
  const recipients = await recipientsIn(db, { serverId, senderId: principal.userId, userIds });
  requireAgentsAllowed(principal, recipients, '');
  if (memberIds.length !== 2) return;
  requireCondition(principal, conditions.acceptsMessages, {
    refusing: recipients.some(({ accepts }) => !accepts),
  });
}
