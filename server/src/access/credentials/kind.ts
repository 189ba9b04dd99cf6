import type { Statement } from '../../db/statements.ts';
import type { Principal } from '../principal.ts';

/** A kind of credential: how a token of it is recognised, found and refused. One more kind is one more of these. */
export interface CredentialKind<C> {
  /** True for a token of the right form; malformed ones cost no look-up. */
  isWellFormed(token: string): boolean;
  /** The row of a live credential and of its powers, by the SHA-256 of its token, and by its id. */
  byDigest(values: { value: string }): Statement<object>;
  byId(values: { value: string }): Statement<object>;
  /** The credential of such a row, and the principal that it stands for. */
  toCaller(row: object): { credential: C; principal: Principal };
  /** The messages of INVALID_API_KEY. */
  refusals: Readonly<Record<'malformed' | 'unknown' | 'expired', string>>;
}
