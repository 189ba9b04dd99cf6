import type { Row, Table } from './facts.ts';

/** A link that can be used once: by the person whom the operator gave it to. */
interface LinkRow extends Row {
  /** `claim`: makes the account of a user. `password`: gives an account a new password; `recovery`: also takes its second factor away. `signUp`: makes a new user. */
  purpose: 'claim' | 'password' | 'recovery' | 'signUp';
  /** Null for `signUp`. */
  userId: string | null;
  /** The e-mail address to which the operator sent it, in lower case: that of the account from then on; null for none. */
  email: string | null;
  /** SHA-256 of the token, hexadecimal. */
  digest: string;
  expiresAt: number;
}

export const link: Table<LinkRow> = {
  key: ['id'],
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'tokens are random' },
};
