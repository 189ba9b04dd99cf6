import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import { isMemberInSight } from '../../db/sweep.ts';
import { effectiveFlags, flagNames, flagsOf } from '../../lib/flags.ts';
import { load } from '../common.ts';

const membership = prepare((p: { serverId: string; userId: string }) =>
  q
    .selectFrom('serverMember')
    .selectAll('serverMember')
    .where('serverId', '=', p.serverId)
    .where('userId', '=', p.userId)
    .where(isMemberInSight),
);

const ownRoles = prepare((p: { serverId: string; userId: string }) =>
  q.selectFrom('userRole').select('roleId').where('userId', '=', p.userId).where('serverId', '=', p.serverId),
);

const rolesIn = prepare((p: { serverId: string }) =>
  q.selectFrom('role').selectAll().where('serverId', '=', p.serverId).orderBy('id'),
);

/**
 * A server, and a person's roles and flags in it. Reads them from the database, because a cached caller may
 * be older than the events that this node has delivered. `member` is undefined for people who are not
 * members. Throws NOT_FOUND.
 */
export async function standingIn(db: Reader, serverId: string, userId: string) {
  const [server, user, member, roles, own] = await Promise.all([
    load(db, 'server', serverId),
    load(db, 'user', userId),
    db.first(membership({ serverId, userId })),
    db.all(rolesIn({ serverId })),
    db.all(ownRoles({ serverId, userId })),
  ]);
  const roleIds = new Set(own.map(({ roleId }) => roleId));
  const held = member ? roles.filter(({ id }) => roleIds.has(id)) : [];
  const ownFlags = flagNames.filter((flag) => held.some((role) => flagsOf(role).includes(flag)));
  const principal: Principal = {
    userId,
    userType: user.type,
    platformAdmin: user.platformAdmin,
    serverId: member ? serverId : null,
    isServerCreator: member !== undefined && server.creatorId === userId,
    roleIds: held.map(({ id }) => id),
    ownFlags,
    flags: effectiveFlags(ownFlags),
    isSignedIn: true,
  };
  return { server, user, member, roles, principal };
}
