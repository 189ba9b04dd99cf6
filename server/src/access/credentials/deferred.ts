import { sql } from 'kysely';
import { prepare, q } from '../../db/statements.ts';
import { forKeys } from './digests.ts';
import type { CredentialKind } from './kind.ts';
import { powers } from './powers.ts';
import { type PersonStanding, personOf, rolesOf } from './session.ts';

/**
 * Lets a node act for a person later, for example to send their scheduled message. The node then has the
 * person's current permissions in the server. Requests cannot use it.
 */
export interface Deferred {
  readonly kind: 'deferred';
  /** The id of the person. */
  readonly id: string;
  readonly expiresAt: null;
  readonly madeAt: null;
}

type DeferredKey = { userId: string; serverId: string };

/** Returns the cache key of a person in a server. */
export const deferredKey = ({ userId, serverId }: DeferredKey): string => `${userId} ${serverId}`;

function parsed(key: string): DeferredKey {
  const [userId, serverId] = key.split(' ') as [string, string];
  return { userId, serverId };
}

const one = ({ userId, serverId }: DeferredKey) =>
  q
    .selectFrom('user')
    .leftJoin('serverMember', (join) =>
      join.onRef('serverMember.userId', '=', 'user.id').on('serverMember.serverId', '=', serverId),
    )
    .leftJoin('server', (join) =>
      join.onRef('server.id', '=', 'serverMember.serverId').on('server.deletedAt', 'is', null),
    )
    .select(['user.id as userId', 'user.type as userType', 'user.platformAdmin', 'user.suspendedAt'])
    .select(['server.id as serverId', 'server.creatorId', 'serverMember.timeoutUntil', rolesOf.as('roles')])
    .select(sql<string>`cast(${serverId} as text)`.as('asked'))
    .where('user.id', '=', userId);

const byKeys = forKeys<DeferredKey, object>(['userId', 'serverId'], (keys) => {
  const [first, ...others] = keys.map(one) as [ReturnType<typeof one>, ...ReturnType<typeof one>[]];
  return others.reduce((all, next) => all.unionAll(next), first);
});

/**
 * Selects the permissions of a member with a single role, for work that a key, webhook or flow deferred. The
 * member need not have the role.
 */
export const memberWithRole = prepare((p: DeferredKey & { roleId: string }) =>
  q
    .selectFrom('role')
    .innerJoin('serverMember', 'serverMember.serverId', 'role.serverId')
    .innerJoin('user', 'user.id', 'serverMember.userId')
    .innerJoin('server', 'server.id', 'role.serverId')
    .innerJoin('user as owner', 'owner.id', 'server.creatorId')
    .select(powers)
    .where('role.id', '=', p.roleId)
    .where('role.serverId', '=', p.serverId)
    .where('serverMember.userId', '=', p.userId)
    .where('server.deletedAt', 'is', null),
);

type Standing = PersonStanding & { asked: string };

export const deferrals: CredentialKind<Deferred> = {
  isWellFormed: () => false,
  byDigests: (keys) => byKeys(keys.map(parsed)),
  digestsOf(row) {
    const { userId, asked } = row as Standing;
    return [deferredKey({ userId, serverId: asked })];
  },
  toCaller(row) {
    const standing = row as Standing;
    return {
      credential: { kind: 'deferred', id: standing.userId, expiresAt: null, madeAt: null },
      principal: personOf(standing),
      tenant: standing.userId,
    };
  },
  code: 'UNAUTHORIZED',
  refusals: {
    malformed: 'no request can present this credential',
    unknown: 'this account does not exist',
    expired: 'this has expired',
    suspended: 'this account is suspended',
  },
};
