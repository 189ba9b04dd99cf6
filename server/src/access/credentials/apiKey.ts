import { prepare, q } from '../../db/statements.ts';
import type { CredentialKind } from './kind.ts';
import { type PowersRow, powers, principalOf } from './powers.ts';
import { isWellFormed, newToken } from './token.ts';

const PREFIX = 'sk_live_plv_';

/** An API key acts as one user in one server, with the flags of one role (specification, part 5). */
export interface ApiKey {
  readonly kind: 'apiKey';
  readonly id: string;
  /** Milliseconds since the Unix epoch; null if the key never expires. */
  readonly expiresAt: number | null;
}

/** A new key. `randomBytes(size)` returns `size` random bytes. */
export const newApiKey = (randomBytes: (size: number) => Uint8Array): string => newToken(PREFIX, randomBytes);

/** The prefix and the last four characters of a key: enough to tell keys apart, safe to show. */
export const previewOf = (key: string): string => `${PREFIX}…${key.slice(-4)}`;

const keyWhere = (column: 'secret.digest' | 'secret.id') =>
  prepare((p: { value: string }) =>
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
      .select(['secret.id', 'secret.expiresAt'])
      .select(powers)
      .where(column, '=', p.value)
      .where('secret.kind', '=', 'apiKey'),
  );

export const apiKeys: CredentialKind<ApiKey> = {
  isWellFormed: (token) => isWellFormed(PREFIX, token),
  byDigest: keyWhere('secret.digest'),
  byId: keyWhere('secret.id'),
  toCaller(row) {
    const { id, expiresAt } = row as { id: string; expiresAt: number | null };
    return { credential: { kind: 'apiKey', id, expiresAt }, principal: principalOf(row as PowersRow) };
  },
  refusals: {
    malformed: 'this is no Palaver API key: compare it with the one that was given out',
    unknown: 'this API key is unknown or was revoked',
    expired: 'this API key has expired',
  },
};
