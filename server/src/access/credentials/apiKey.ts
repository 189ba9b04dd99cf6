import { prepare, q } from '../../db/statements.ts';
import type { CredentialKind } from './kind.ts';
import { type PowersRow, powers, principalOf } from './powers.ts';
import { isWellFormed, newToken } from './token.ts';

const PREFIX = 'sk_live_plv_';

/** An API key: it acts as one user in one server, with the flags of one role (specification, part 5). */
export interface ApiKey {
  readonly kind: 'apiKey';
  readonly id: string;
  /** Milliseconds since the Unix epoch; null for never. */
  readonly expiresAt: number | null;
}

/** A new key. `randomBytes(size)` gives that many random bytes. */
export const newApiKey = (randomBytes: (size: number) => Uint8Array): string => newToken(PREFIX, randomBytes);

/** The part of a key that may be shown: enough to tell it from another. */
export const previewOf = (key: string): string => `${PREFIX}…${key.slice(-4)}`;

const keyWhere = (column: 'secret.digest' | 'secret.id') =>
  prepare((p: { value: string }) =>
    q
      .selectFrom('secret')
      .innerJoin('role', 'role.id', 'secret.roleId')
      .innerJoin('user', 'user.id', 'secret.userId')
      .innerJoin('server', 'server.id', 'secret.serverId')
      // A member who left has no keys any more; this holds even where one were left behind.
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

/** How API keys are recognised, found and refused. */
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
