import type { Row, Table } from './facts.ts';

/** A queued email. After it is sent, the row is kept for a while to count towards the email limits. */
interface MailRow extends Row {
  /**
   * `email` confirms an address, `reset` sets a new password, `notice` reports a change to the account,
   * `invite` contains a link to create or claim an account, and `digest` lists missed messages.
   */
  kind: 'email' | 'reset' | 'notice' | 'invite' | 'digest';
  /** The recipient. Null for an invite to sign up, and for a reset of an unknown name, which is not sent. */
  userId: string | null;
  /** SHA-256, in hexadecimal, of the lowercase address or, for a reset, of the name that was entered. */
  recipient: string;
  /** The address and the text, encrypted; null once the email is sent or dropped. */
  sealed: string | null;
  attempts: number;
  /** When the next attempt is due; null once the email is sent or dropped. */
  dueAt: number | null;
  /** When the last attempt failed; null if none has. */
  failedAt: number | null;
  /** When the email is dropped if it was not sent: when its link expires, or after a day. */
  uselessAt: number;
  /** When the row is deleted. */
  forgetAt: number;
}

export const mail: Table<MailRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  sealed: 'sealed',
  keptFor: { ms: 0, since: 'forgetAt' },
};
