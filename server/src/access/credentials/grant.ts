import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { effectiveFlags, type Flag, flagNames } from '../../lib/flags.ts';
import type { Principal } from '../principal.ts';
import { forDigests } from './digests.ts';
import type { CredentialKind } from './kind.ts';
import { hasSecondFactor, type PersonStanding, personOf, rolesOf } from './session.ts';
import { digestOf, familyOf, isWellFormed, newToken, newTokenIn, prefixes } from './token.ts';

const PREFIX = prefixes.grant;

/**
 * A grant lets an app act for a person in one server, with the flags that the person granted and still has.
 */
export interface Grant {
  readonly kind: 'grant';
  readonly id: string;
  /** When the presented access token expires, in milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  readonly madeAt: null;
  /** Whether the person has an authenticator app or a passkey. */
  readonly hasSecondFactor: boolean;
  /** Whether the person is an admin of the server or the platform. */
  readonly isOfAdmin: boolean;
}

/** Generates an access token. `randomBytes(size)` returns `size` random bytes. */
export const newGrantToken = (randomBytes: (size: number) => Uint8Array): string =>
  newToken(PREFIX, randomBytes);

export const isGrantToken = (token: string): boolean => token.startsWith(PREFIX);

/** Generates a refresh token: the next one in the family of `previous`, or the first of a new family. */
export const newRefreshToken = (randomBytes: (size: number) => Uint8Array, previous?: string): string =>
  previous === undefined ? newToken(prefixes.refresh, randomBytes) : newTokenIn(previous, randomBytes);

export const isRefreshToken = (token: string): boolean => isWellFormed(prefixes.refresh, token);

/** Returns the digest of the part that all refresh tokens of a grant share. */
export const familyDigestOf = (refreshToken: string): string => digestOf(familyOf(refreshToken));

const byDigests = forDigests((digests) =>
  q
    .selectFrom('grant')
    .innerJoin('user', 'user.id', 'grant.userId')
    .innerJoin('server', 'server.id', 'grant.serverId')
    // Leaving a server deletes the member's grants. This join excludes any grants left behind.
    .innerJoin('serverMember', (join) =>
      join
        .onRef('serverMember.serverId', '=', 'grant.serverId')
        .onRef('serverMember.userId', '=', 'grant.userId'),
    )
    .select(['grant.id', 'grant.flags', 'grant.digest', 'grant.tokenExpiresAt', 'grant.expiresAt'])
    .select(['grant.earlierDigest', 'grant.earlierExpiresAt'])
    .select(['user.id as userId', 'user.type as userType', 'user.platformAdmin', 'user.suspendedAt'])
    .select(['server.id as serverId', 'server.creatorId', 'serverMember.timeoutUntil', rolesOf.as('roles')])
    .select(hasSecondFactor.as('hasSecondFactor'))
    // An `or` across the two columns would make SQLite scan every grant.
    .where('grant.id', 'in', (eb) =>
      eb
        .selectFrom('grant')
        .select('id')
        .where('digest', 'in', digests)
        .union(eb.selectFrom('grant').select('id').where('earlierDigest', 'in', digests)),
    )
    .where('server.deletedAt', 'is', null),
);

type Row = PersonStanding &
  Pick<RowOf<'grant'>, 'id' | 'digest' | 'tokenExpiresAt' | 'expiresAt' | 'earlierDigest'> & {
    earlierExpiresAt: number | null;
    flags: readonly Flag[];
    /** 0 or 1 on SQLite. */
    hasSecondFactor: boolean | number;
  };

/**
 * Returns the person's principal, limited to these flags. It lacks the powers of server owners and platform
 * admins, because no flag represents those powers.
 */
function limited(person: Principal, flags: readonly Flag[]): Principal {
  const granted = effectiveFlags(flags);
  const held = flagNames.filter((flag) => person.flags.has(flag) && granted.has(flag));
  const { isSignedIn: _isSignedIn, ...standing } = person;
  return {
    ...standing,
    platformAdmin: false,
    isServerCreator: false,
    ownFlags: held,
    flags: new Set(held),
    isGranted: true,
  };
}

export const grants: CredentialKind<Grant> = {
  isWellFormed: (token) => isWellFormed(PREFIX, token),
  byDigests,
  digestsOf: (row) => [(row as Row).digest, (row as Row).earlierDigest],
  toCaller(row, digest) {
    const found = row as Row;
    const until = digest === found.earlierDigest ? (found.earlierExpiresAt ?? 0) : found.tokenExpiresAt;
    const person = personOf(found);
    const isOfAdmin = person.platformAdmin || person.isServerCreator || person.flags.has('canAdmin');
    return {
      credential: {
        kind: 'grant',
        id: found.id,
        expiresAt: Math.min(until, found.expiresAt),
        madeAt: null,
        hasSecondFactor: Boolean(found.hasSecondFactor),
        isOfAdmin,
      },
      principal: limited(person, found.flags),
      tenant: found.userId,
    };
  },
  code: 'UNAUTHORIZED',
  refusals: {
    malformed: 'this is not a Palaver access token',
    unknown: 'this access token does not exist or was revoked. Ask the person to approve the app again',
    expired: 'this access token has expired. Use the refresh token',
    suspended: "this account is suspended. Contact the server's operator",
  },
};
