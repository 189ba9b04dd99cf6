import type { Statement } from '../../db/statements.ts';
import type { Principal } from '../principal.ts';

/** A kind of credential: the format of its tokens, how to look them up, and its error messages. */
export interface CredentialKind<C> {
  /** Whether the token is well-formed. Malformed tokens are rejected without a lookup. */
  isWellFormed(token: string): boolean;
  /**
   * Finds valid credentials by `Presented.digest`, along with their `powers` and their user's
   * `suspendedAt`.
   */
  byDigests(digests: readonly string[]): Statement<object>;
  /** The digests by which such a row can be found. */
  digestsOf(row: object): readonly (string | null)[];
  /** The credential in such a row, as presented by the token with this digest, its principal and its tenant. */
  toCaller(row: object, digest: string): { credential: C; principal: Principal; tenant: string };
  /** The code of the errors. */
  code: 'INVALID_API_KEY' | 'UNAUTHORIZED';
  /** The messages of the errors. */
  refusals: Readonly<Record<'malformed' | 'unknown' | 'expired' | 'suspended', string>>;
}
