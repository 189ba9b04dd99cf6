import type { Statement } from '../../db/statements.ts';
import type { Principal } from '../principal.ts';

/** A kind of credential: the form of its tokens, the look-ups of its rows, the words of its refusals. */
export interface CredentialKind<C> {
  /** True for a token of the right form. A malformed token is refused without a look-up. */
  isWellFormed(token: string): boolean;
  /** Finds the rows of live credentials, with their `powers` and the time `suspendedAt` of their user, by `Presented.digest`. */
  byDigests(digests: readonly string[]): Statement<object>;
  /** The digests by which such a row was found. */
  digestsOf(row: object): readonly (string | null)[];
  /** The credential of such a row, shown as the token with this digest, and its principal. */
  toCaller(row: object, digest: string): { credential: C; principal: Principal };
  /** The code of refusals. */
  code: 'INVALID_API_KEY' | 'UNAUTHORIZED';
  /** The messages of refusals. */
  refusals: Readonly<Record<'malformed' | 'unknown' | 'expired' | 'suspended', string>>;
}
