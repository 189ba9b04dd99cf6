import { expressionBuilder, sql } from 'kysely';
import type { RowOf, Tables } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { MAX_SESSION_MS } from '../../db/tables/session.ts';
import { effectiveFlags, flagNames } from '../../lib/flags.ts';
import type { Principal } from '../principal.ts';
import { forKeys } from './digests.ts';
import type { CredentialKind } from './kind.ts';
import { timedOut } from './powers.ts';
import { isWellFormed, newToken, prefixes } from './token.ts';

const PREFIX = prefixes.session;
/** Prefix of an app's token, sent as `Authorization: Bearer`. */
const ACCESS_PREFIX = prefixes.access;

/** A session acts as a person in one server or in none, with all of their roles in it. */
export interface Session {
  readonly kind: 'session';
  readonly id: string;
  /** When the session expires, in milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** When the session expires even if it is in use, in milliseconds since the Unix epoch. */
  readonly endsAt: number;
  readonly madeAt: null;
  /** When the person last proved their identity, in milliseconds since the Unix epoch; 0 for never. */
  readonly provenAt: number;
  /** Whether the person has an authenticator app or a passkey. */
  readonly hasSecondFactor: boolean;
}

/** Generates a token. `randomBytes(size)` returns `size` random bytes. */
export const newSessionToken = (randomBytes: (size: number) => Uint8Array): string =>
  newToken(PREFIX, randomBytes);

/** Generates the token of an app's session. `randomBytes(size)` returns `size` random bytes. */
export const newAccessToken = (randomBytes: (size: number) => Uint8Array): string =>
  newToken(ACCESS_PREFIX, randomBytes);

/** Whether a token is sent as `Authorization: Bearer` rather than as a cookie. */
export const isAccessToken = (token: string): boolean => token.startsWith(ACCESS_PREFIX);

/** A session and the server in which it acts; the server is null if there is none. */
export interface SessionKey extends Record<string, string | null> {
  digest: string;
  serverId: string | null;
}

/** Returns the cache key for a session in a server. */
export const keyOf = ({ digest, serverId }: SessionKey): string => `${digest} ${serverId ?? ''}`;

function parsed(key: string): SessionKey {
  const [digest, serverId] = key.split(' ') as [string, string];
  return { digest, serverId: serverId || null };
}

/** Returns the cache key for the same session in another server. */
export const elsewhere = (key: string, serverId: string | null): string =>
  keyOf({ ...parsed(key), serverId });

/** A role's flags as text, with `1` for each flag that is set. */
const bits = sql.join(
  flagNames.map((flag) => sql`case when ${sql.ref(`role.${flag}`)} then '1' else '0' end`),
  sql` || `,
);

/** The roles of a row's `user` in its `server`, in the format that `personOf` parses. */
export const rolesOf = expressionBuilder<Tables, 'user' | 'server'>()
  .selectFrom('userRole')
  // The `userRole` rows of a deleted role remain until they are swept.
  .innerJoin('role', 'role.id', 'userRole.roleId')
  .select(sql<string>`string_agg(cast(role.id as text) || ':' || ${bits}, ',')`.as('roles'))
  .whereRef('userRole.userId', '=', 'user.id')
  .whereRef('userRole.serverId', '=', 'server.id');

const ofUser = expressionBuilder<Tables, 'user'>();

/** Whether a row's `user` has an authenticator app or a passkey. */
export const hasSecondFactor = ofUser.or([
  ofUser.exists(
    ofUser
      .selectFrom('secondFactor')
      .select('secondFactor.id')
      .whereRef('secondFactor.id', '=', 'user.id')
      .where('secondFactor.confirmedAt', 'is not', null),
  ),
  ofUser.exists(ofUser.selectFrom('passkey').select('passkey.id').whereRef('passkey.userId', '=', 'user.id')),
]);

const one = ({ digest, serverId }: SessionKey) =>
  q
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .leftJoin('serverMember', (join) =>
      join.onRef('serverMember.userId', '=', 'user.id').on('serverMember.serverId', '=', serverId),
    )
    .leftJoin('server', (join) =>
      join.onRef('server.id', '=', 'serverMember.serverId').on('server.deletedAt', 'is', null),
    )
    .select(['session.id', 'session.digest', 'session.createdAt', 'session.expiresAt', 'session.provenAt'])
    .select(['user.id as userId', 'user.type as userType', 'user.platformAdmin', 'user.suspendedAt'])
    .select(['server.id as serverId', 'server.creatorId', 'serverMember.timeoutUntil'])
    .select(sql<string | null>`cast(${serverId} as text)`.as('asked'))
    .select(hasSecondFactor.as('hasSecondFactor'))
    .select(rolesOf.as('roles'))
    .where('session.digest', '=', digest);

const byKeys = forKeys<SessionKey, object>(['digest', 'serverId'], (keys) => {
  const [first, ...others] = keys.map(one) as [ReturnType<typeof one>, ...ReturnType<typeof one>[]];
  return others.reduce((all, next) => all.unionAll(next), first);
});

/** A person's membership and roles in the server in which they act. */
export type PersonStanding = Pick<
  Principal,
  'userId' | 'userType' | 'platformAdmin' | 'serverId' | 'timeoutUntil'
> & {
  creatorId: string | null;
  /** `<role>:<bits>` for each role, separated by commas; null if there are none. */
  roles: string | null;
};

type SessionStanding = Pick<RowOf<'session'>, 'id' | 'digest' | 'createdAt' | 'expiresAt' | 'provenAt'> &
  PersonStanding & {
    /** 0 or 1 on SQLite. */
    hasSecondFactor: boolean | number;
    /** The requested server. The person may not be a member. */
    asked: string | null;
  };

/** Returns a member's roles, ordered by id, and the union of their flags. */
function standingOf(roles: string | null): Pick<Principal, 'roleIds' | 'ownFlags' | 'flags'> {
  const found = (roles ?? '')
    .split(',')
    .filter(Boolean)
    .map((role) => role.split(':') as [id: string, bits: string])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const ownFlags = flagNames.filter((_, place) => found.some(([, bits]) => bits[place] === '1'));
  return { roleIds: found.map(([id]) => id), ownFlags, flags: effectiveFlags(ownFlags) };
}

/** Returns the principal of a signed-in person with these roles in a server, or in none. */
export const personOf = ({
  userId,
  userType,
  platformAdmin,
  serverId,
  creatorId,
  roles,
  timeoutUntil,
}: PersonStanding): Principal => ({
  userId,
  userType,
  platformAdmin,
  serverId,
  ...timedOut({ timeoutUntil }),
  isServerCreator: serverId !== null && creatorId === userId,
  ...standingOf(roles),
  isSignedIn: true,
});

export const sessions: CredentialKind<Session> = {
  isWellFormed: (token) => isWellFormed(isAccessToken(token) ? ACCESS_PREFIX : PREFIX, token),
  byDigests: (keys) => byKeys(keys.map(parsed)),
  digestsOf(row) {
    const { digest, asked } = row as SessionStanding;
    return [keyOf({ digest, serverId: asked })];
  },
  toCaller(row) {
    const standing = row as SessionStanding;
    const { id, createdAt, expiresAt, provenAt, hasSecondFactor } = standing;
    const endsAt = createdAt + MAX_SESSION_MS;
    return {
      credential: {
        kind: 'session',
        id,
        expiresAt,
        endsAt,
        madeAt: null,
        provenAt,
        hasSecondFactor: Boolean(hasSecondFactor),
      },
      principal: personOf(standing),
      tenant: standing.userId,
    };
  },
  code: 'UNAUTHORIZED',
  refusals: {
    malformed: 'this is not a Palaver session. Sign in',
    unknown: 'this session does not exist or was revoked. Sign in',
    expired: 'this session has expired. Sign in',
    suspended: "this account is suspended. Contact the server's operator",
  },
};
