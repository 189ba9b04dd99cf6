import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';
import { isMemberInSight } from '../../db/sweep.ts';
import { standingTypes } from '../../feed/log.ts';
import { effectiveFlags, flagNames, flagsOf } from '../../lib/flags.ts';
import { load } from '../common.ts';
import type { News } from '../serverState/news.ts';

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

/**
 * Loads a server, and a person as its member, with the ids of their roles. Reads them from the database,
 * because a cached caller may be older than events that this node has already delivered. `member` is
 * undefined for people who are not members. Throws NOT_FOUND.
 */
export async function membershipIn(db: Reader, serverId: string, userId: string) {
  const [server, user, member, own] = await Promise.all([
    load(db, 'server', serverId),
    load(db, 'user', userId),
    db.first(membership({ serverId, userId })),
    db.all(ownRoles({ serverId, userId })),
  ]);
  return { server, user, member, roleIds: new Set(own.map(({ roleId }) => roleId)) };
}

/** Returns a member's permissions. `roles` are all roles of the server. */
export function principalOf(
  { server, user, member, roleIds }: Awaited<ReturnType<typeof membershipIn>>,
  roles: readonly RowOf<'role'>[],
): Principal & { serverId: string } {
  const held = member ? roles.filter(({ id }) => roleIds.has(id)) : [];
  const ownFlags = flagNames.filter((flag) => held.some((role) => flagsOf(role).includes(flag)));
  return {
    userId: user.id,
    userType: user.type,
    platformAdmin: user.platformAdmin,
    serverId: server.id,
    isServerCreator: member !== undefined && server.creatorId === user.id,
    roleIds: held.map(({ id }) => id),
    ownFlags,
    flags: effectiveFlags(ownFlags),
    isSignedIn: true,
  };
}

/** The types of events that may change the permissions of all members of a server. */
const ofEverybody = /^(server|role)\./;

/** Whether one of these events may have changed a member's permissions. */
export const changesStanding = (news: readonly News[], userId: string): boolean =>
  news.some(
    ({ type, data }) =>
      ofEverybody.test(type) || (standingTypes.has(type) && JSON.parse(data).userId === userId),
  );
