import type { Row, Table } from './facts.ts';

/** A one-time link, for the person to whom the operator gave it or who received it by mail. */
interface LinkRow extends Row {
  /**
   * `claim` takes over a user's account. `password` sets a new password; `recovery` also removes two-factor
   * authentication and all other ways to sign in. `signUp` creates a new user. By mail: `reset` works like
   * `password`, `email` confirms an address.
   */
  purpose: 'claim' | 'password' | 'recovery' | 'signUp' | 'reset' | 'email';
  /** Null for `signUp`. */
  userId: string | null;
  /**
   * The lowercase email address it was sent to, which becomes the account's; null if that does not change.
   */
  email: string | null;
  /** SHA-256 of the token, hexadecimal. */
  digest: string;
  expiresAt: number;
}

export const link: Table<LinkRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'tokens are random' },
};
