import type { Row, Table } from './facts.ts';

/** A link that can be used once: by the person whom the operator gave it to, or who was sent it by mail. */
interface LinkRow extends Row {
  /** `claim`: makes the account of a user. `password`: gives an account a new password; `recovery`: also takes away its second factor and all other ways in. `signUp`: makes a new user. By mail, `reset`: as `password`; `email`: confirms an address. */
  purpose: 'claim' | 'password' | 'recovery' | 'signUp' | 'reset' | 'email';
  /** Null for `signUp`. */
  userId: string | null;
  /** The e-mail address to which it was sent, in lower case: that of the account from then on; null if that stays as it is. */
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
