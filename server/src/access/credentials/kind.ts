import type { Statement } from '../../db/statements.ts';
import type { Principal } from '../principal.ts';

/** A kind of credential: the format of its tokens, how to look them up, and its error messages. */
export interface CredentialKind<C> {
  /** Whether the token is well-formed. Malformed tokens are rejected without a lookup. */
  isWellFormed(token: string): boolean;
  /** Finds credentials by `Presented.digest`, along with their `powers` and their user's `suspendedAt`. */
  byDigests(digests: readonly string[]): Statement<object>;
  /** Returns the digests by which `byDigests` finds this row. */
  digestsOf(row: object): readonly (string | null)[];
  /**
   * Converts a row to the credential for the token with this digest, along with its principal and its tenant.
   */
  toCaller(row: object, digest: string): { credential: C; principal: Principal; tenant: string };
  /** The error code if authentication fails. */
  code: 'INVALID_API_KEY' | 'UNAUTHORIZED';
  /** The error message for each reason. */
  refusals: Readonly<Record<'malformed' | 'unknown' | 'expired' | 'suspended', string>>;
}
