import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, prepare, q } from '../db/statements.ts';
import { type Flags, flagsOf } from '../lib/flags.ts';
import { conditions, requireCondition } from './conditions.ts';
import type { Principal } from './principal.ts';
import type { Resource, Verb } from './rules.ts';

/** Throws FORBIDDEN if the role has flags that the principal lacks (decisions, part 5). */
export function requireHoldsFlagsOf(
  principal: Principal,
  operation: `${Resource} ${Verb}`,
  role: Flags,
): void {
  requireCondition(principal, conditions.holdsFlags, { flags: flagsOf(role), operation });
}

/** Throws FORBIDDEN if the role sees private channels that the principal does not see (decisions, part 5). */
export async function requireSeesAsMuch(
  db: Reader,
  principal: Principal,
  operation: `${Resource} ${Verb}`,
  { id: roleId, serverId }: RowOf<'role'>,
): Promise<void> {
  const isOwn = principal.roleIds.includes(roleId);
  const privateChannels = isOwn ? [] : await db.all(find('channel', { serverId, private: true }));
  requireCondition(principal, conditions.seesAsMuch, { roleId, privateChannels, operation });
}

const administrators = prepare((p: { serverId: string }) =>
  q
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .innerJoin('serverMember', (join) =>
      join
        .onRef('serverMember.serverId', '=', 'userRole.serverId')
        .onRef('serverMember.userId', '=', 'userRole.userId'),
    )
    .select('userRole.id')
    .where('userRole.serverId', '=', p.serverId)
    .where('role.canAdmin', '=', true)
    .limit(1),
);

/**
 * Throws FORBIDDEN if no member with `canAdmin` is left in the server (decisions, part 5). Call it after the change,
 * within its transaction.
 */
export async function requireAdministrable(
  tx: Reader,
  principal: Principal,
  serverId: string,
): Promise<void> {
  const hasAdministrator = (await tx.first(administrators({ serverId }))) !== undefined;
  requireCondition(principal, conditions.administrable, { hasAdministrator });
}
