import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';
import type { CredentialKind } from './kind.ts';
import { type PowersRow, powers, principalOf } from './powers.ts';
import { isWellFormed, newToken } from './token.ts';

const PREFIX = 'sk_live_plv_';

/** An API key acts as one user in one server, with the flags of one role (specification, part 5). */
export interface ApiKey {
  readonly kind: 'apiKey';
  readonly id: string;
  /** The end of the value that was shown, in milliseconds since the Unix epoch; null if it never expires. */
  readonly expiresAt: number | null;
  /** The time at which the key's present value was made, in milliseconds since the Unix epoch. */
  readonly madeAt: number;
}

/** A new key. `randomBytes(size)` returns `size` random bytes. */
export const newApiKey = (randomBytes: (size: number) => Uint8Array): string => newToken(PREFIX, randomBytes);

/** The prefix and the last four characters of a key: enough to tell keys apart, safe to show. */
export const previewOf = (key: string): string => `${PREFIX}…${key.slice(-4)}`;

/** Finds a key by its value, or by the value before its last rotation. */
const byDigest = prepare((p: { digest: string }) =>
  q
    .selectFrom('secret')
    .innerJoin('role', 'role.id', 'secret.roleId')
    .innerJoin('user', 'user.id', 'secret.userId')
    .innerJoin('server', 'server.id', 'secret.serverId')
    // Leaving a server deletes the member's keys. This join refuses a key even if one were left over.
    .innerJoin('serverMember', (join) =>
      join
        .onRef('serverMember.serverId', '=', 'secret.serverId')
        .onRef('serverMember.userId', '=', 'secret.userId'),
    )
    .select(['secret.id', 'secret.expiresAt', 'secret.updatedAt as madeAt'])
    .select(['secret.earlierDigest', 'secret.earlierUntil'])
    .select(powers)
    .where((eb) => eb.or([eb('secret.digest', '=', p.digest), eb('secret.earlierDigest', '=', p.digest)]))
    .where('secret.kind', '=', 'apiKey'),
);

type KeyRow = PowersRow &
  Pick<RowOf<'secret'>, 'id' | 'expiresAt' | 'earlierDigest' | 'earlierUntil'> & { madeAt: number };

export const apiKeys: CredentialKind<ApiKey> = {
  isWellFormed: (token) => isWellFormed(PREFIX, token),
  byDigest,
  toCaller(row, digest) {
    const { id, madeAt, earlierDigest, earlierUntil, ...key } = row as KeyRow;
    const expiresAt = digest === earlierDigest ? earlierUntil : key.expiresAt;
    return { credential: { kind: 'apiKey', id, expiresAt, madeAt }, principal: principalOf(key) };
  },
  refusals: {
    malformed: 'this is no Palaver API key: compare it with the one that was given out',
    unknown: 'this API key is unknown or was revoked',
    expired: 'this API key has expired',
  },
};
