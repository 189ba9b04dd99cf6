import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { forDigests } from './digests.ts';
import type { CredentialKind } from './kind.ts';
import { type PowersRow, powers, principalOf, tenantIn } from './powers.ts';
import { isWellFormed, newToken, prefixes } from './token.ts';

const PREFIX = prefixes.apiKey;

/** An API key acts as one user in one server, with the flags of one role (specification, part 5). */
export interface ApiKey {
  readonly kind: 'apiKey';
  readonly id: string;
  /** When the presented value expires, in milliseconds since the Unix epoch; null if it does not expire. */
  readonly expiresAt: number | null;
  /** When the key's current value was created, in milliseconds since the Unix epoch. */
  readonly madeAt: number;
}

/** Generates a key. `randomBytes(size)` returns `size` random bytes. */
export const newApiKey = (randomBytes: (size: number) => Uint8Array): string => newToken(PREFIX, randomBytes);

/** Returns the prefix and the last four characters: enough to tell keys apart, and safe to display. */
export const previewOf = (key: string): string => `${PREFIX}…${key.slice(-4)}`;

/** Finds keys by their current or previous value. */
const byDigests = forDigests((digests) =>
  q
    .selectFrom('secret')
    .innerJoin('role', 'role.id', 'secret.roleId')
    .innerJoin('user', 'user.id', 'secret.userId')
    .innerJoin('server', 'server.id', 'secret.serverId')
    .innerJoin('user as owner', 'owner.id', 'server.creatorId')
    // Leaving a server deletes the member's keys. This join excludes any keys left behind.
    .innerJoin('serverMember', (join) =>
      join
        .onRef('serverMember.serverId', '=', 'secret.serverId')
        .onRef('serverMember.userId', '=', 'secret.userId'),
    )
    .select(['secret.id', 'secret.expiresAt', 'secret.updatedAt as madeAt'])
    .select(['secret.digest', 'secret.earlierDigest', 'secret.earlierUntil'])
    .select(powers)
    // An `or` across the two columns would make SQLite scan every key.
    .where('secret.id', 'in', (eb) =>
      eb
        .selectFrom('secret')
        .select('id')
        .where('digest', 'in', digests)
        .union(eb.selectFrom('secret').select('id').where('earlierDigest', 'in', digests)),
    )
    .where('secret.kind', '=', 'apiKey')
    .where('server.deletedAt', 'is', null),
);

type KeyRow = PowersRow &
  Pick<RowOf<'secret'>, 'id' | 'expiresAt' | 'digest' | 'earlierDigest' | 'earlierUntil'> & {
    madeAt: number;
  };

export const apiKeys: CredentialKind<ApiKey> = {
  isWellFormed: (token) => isWellFormed(PREFIX, token),
  byDigests,
  digestsOf: (row) => [(row as KeyRow).digest, (row as KeyRow).earlierDigest],
  toCaller(row, digest) {
    const { id, madeAt, earlierDigest, earlierUntil, expiresAt: end, ...powers } = row as KeyRow;
    const expiresAt = digest === earlierDigest ? earlierUntil : end;
    const credential = { kind: 'apiKey', id, expiresAt, madeAt } as const;
    return { credential, principal: principalOf(powers), tenant: tenantIn(powers) };
  },
  code: 'INVALID_API_KEY',
  refusals: {
    malformed: 'this is not a Palaver API key. Check that you copied all of it',
    unknown: 'this API key does not exist or was revoked',
    expired: 'this API key has expired',
    suspended: 'the user of this API key is suspended',
  },
};
