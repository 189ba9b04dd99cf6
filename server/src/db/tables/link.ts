import type { Row, Table } from './facts.ts';

/** A one-time link that a person received from the operator, from a platform admin or by email. */
interface LinkRow extends Row {
  /**
   * `claim` gives an account to a user who has none. `password` sets a new password; `recovery` also removes
   * two-factor authentication and all other ways to sign in. `signUp` creates a new user. `reset` works like
   * `password`, and `email` confirms an address; both are sent by email.
   */
  purpose: 'claim' | 'password' | 'recovery' | 'signUp' | 'reset' | 'email';
  /** Null for `signUp`. */
  userId: string | null;
  /**
   * The lowercase email address to which the link was sent. It becomes the account's address. Null if the
   * address does not change.
   */
  email: string | null;
  /** SHA-256 of the token, in hexadecimal. */
  digest: string;
  expiresAt: number;
}

export const link: Table<LinkRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'tokens are random' },
};
