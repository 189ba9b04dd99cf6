import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import type { ChannelFacts } from '../message/load.ts';

const rolesOf = (serverId: string, agentId: string) =>
  q
    .selectFrom('role')
    .select(['id', 'canAdmin'])
    .where('serverId', '=', serverId)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('id', 'in', selectFrom('userRole').select('roleId').where('userId', '=', agentId)),
        eb('id', 'in', selectFrom('secret').select('roleId').where('userId', '=', agentId)),
        eb('id', 'in', selectFrom('flow').select('roleId').where('userId', '=', agentId)),
      ]),
    );

/**
 * Throws INVALID_REQUEST if the agent of a command cannot see the channel with any of its roles, keys or
 * flows, because nobody would answer the command.
 */
export async function requireAgentSees(
  db: Reader,
  { serverId, memberIds, private: isPrivate, roleIds }: ChannelFacts,
  agentId: string,
): Promise<void> {
  const roles = !memberIds && isPrivate ? await db.all(rolesOf(serverId, agentId)) : [];
  const sees = memberIds
    ? memberIds.includes(agentId)
    : !isPrivate || roles.some(({ id, canAdmin }) => canAdmin || roleIds.includes(id));
  if (!sees)
    throw invalid('wrong_kind', 'channelId', 'is a channel that the agent of the command cannot see');
}
