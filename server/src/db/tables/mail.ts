import type { Row, Table } from './facts.ts';

/** A mail that waits for being sent, or the trace of one, which counts against the bounds of mails. */
interface MailRow extends Row {
  /** `email`: confirms an address. `reset`: leads to a new password. `notice`: tells of a change of the account. `invite`: leads to an account. */
  kind: 'email' | 'reset' | 'notice' | 'invite';
  /** The person whose mail it is. Null for an invite to sign up, and for a reset that nobody gets, since its name is nobody's. */
  userId: string | null;
  /** SHA-256, hexadecimal: of the address in lower case; of a reset, of the name that was given. */
  recipient: string;
  /** The address and the text, encrypted; null once it was sent or given up. */
  sealed: string | null;
  attempts: number;
  /** The next attempt is made then, unless another node is sooner. Null once it was sent or given up. */
  dueAt: number | null;
  /** It is given up then: nobody has a use for a link that has expired. */
  uselessAt: number;
  /** The row is removed then. */
  forgetAt: number;
}

export const mail: Table<MailRow> = {
  key: ['id'],
  sealed: 'sealed',
  keptFor: { ms: 0, since: 'forgetAt' },
};
