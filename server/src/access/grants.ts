import { sql } from 'kysely';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, prepare, q } from '../db/statements.ts';
import { isMemberInSight } from '../db/sweep.ts';
import { type Flag, type Flags, flagsOf } from '../lib/flags.ts';
import { conditions, requireCondition } from './conditions.ts';
import type { Principal } from './principal.ts';
import type { Resource, Verb } from './rules.ts';
import { isListed } from './whereVisible.ts';

/** Throws FORBIDDEN if the role has flags that the principal lacks (decisions, part 5). */
export function requireHoldsFlagsOf(
  principal: Principal,
  operation: `${Resource} ${Verb}`,
  role: Flags,
): void {
  requireCondition(principal, conditions.holdsFlags, { flags: flagsOf(role), operation });
}

/** The private channels of a server. Excludes direct messages, because no role gives access to them. */
const privateChannelsOf = prepare((p: { serverId: string }) =>
  q
    .selectFrom('channel')
    .selectAll()
    .where('serverId', '=', p.serverId)
    .where(isListed)
    .where('private', '=', sql.lit(true)),
);

/**
 * Throws FORBIDDEN if the role can see private channels that the principal cannot see (decisions, part 5).
 */
export async function requireSeesAsMuch(
  db: Reader,
  principal: Principal,
  operation: `${Resource} ${Verb}`,
  { id: roleId, serverId }: RowOf<'role'>,
): Promise<void> {
  const isOwn = principal.roleIds.includes(roleId);
  const privateChannels = isOwn ? [] : await db.all(privateChannelsOf({ serverId }));
  requireCondition(principal, conditions.seesAsMuch, { roleId, privateChannels, operation });
}

const rolesOfMember = prepare((p: { serverId: string; userId: string }) =>
  q
    .selectFrom('role')
    .selectAll()
    .where('serverId', '=', p.serverId)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('id', 'in', selectFrom('userRole').select('roleId').where('userId', '=', p.userId)),
        eb('id', 'in', selectFrom('secret').select('roleId').where('userId', '=', p.userId)),
      ]),
    ),
);

/**
 * Throws FORBIDDEN if the user's roles in the server, or the keys that act as the user, have flags that the
 * principal lacks. Flags in the default role are ignored, because every member has them.
 */
export async function requireHoldsFlagsOfMember(
  db: Reader,
  principal: Principal,
  operation: `${Resource} ${Verb}`,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  const roles = await db.all(rolesOfMember({ serverId, userId }));
  const defaultRole = await db.first(find('role', { serverId, isDefault: true }));
  const flags = roles.flatMap((role) => flagsBeyond(defaultRole, role));
  requireCondition(principal, conditions.holdsFlags, { flags: [...new Set(flags)], operation });
}

/** Returns the flags of a role that the default role lacks. */
const flagsBeyond = (defaultRole: Flags | undefined, role: Flags): Flag[] =>
  flagsOf(role).filter((flag) => !defaultRole?.[flag]);

/** The permissions of an API key or a webhook. */
interface Made {
  serverId: string;
  roleId: string;
  /** The user that the key or webhook acts as; null if there is none. */
  userId: string | null;
}

/**
 * Throws FORBIDDEN unless the principal is an admin or the creator of the server, or could have created
 * this API key or webhook. Flags and channels of the default role do not count, because every member has
 * them.
 */
export async function requireWithinReach(
  db: Reader,
  principal: Principal,
  operation: `${Resource} ${Verb}`,
  { serverId, roleId, userId }: Made,
): Promise<void> {
  const [role, defaultRole, server, user, privateChannels] = await Promise.all([
    db.first(find('role', { id: roleId })),
    db.first(find('role', { serverId, isDefault: true })),
    db.first(find('server', { id: serverId })),
    userId === null ? undefined : db.first(find('user', { id: userId })),
    db.all(privateChannelsOf({ serverId })),
  ]);
  const flags = role ? flagsBeyond(defaultRole, role) : [];
  const hidden = privateChannels.filter(({ roleIds }) => !defaultRole || !roleIds.includes(defaultRole.id));
  const seesMore = !conditions.seesAsMuch.holds(principal, { roleId, privateChannels: hidden, operation });
  const actsAsAnother =
    user !== undefined &&
    !conditions.actsAs.holds(principal, { user, serverCreatorId: server?.creatorId ?? '' });
  requireCondition(principal, conditions.withinReach, { flags, seesMore, actsAsAnother, operation });
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
    .where(isMemberInSight)
    .limit(1),
);

/**
 * Throws FORBIDDEN if the server has no member with `canAdmin` left (decisions, part 5). Call this after the
 * change, in the same transaction.
 */
export async function requireAdministrable(
  tx: Reader,
  principal: Principal,
  serverId: string,
): Promise<void> {
  const hasAdministrator = (await tx.first(administrators({ serverId }))) !== undefined;
  requireCondition(principal, conditions.administrable, { hasAdministrator });
}
