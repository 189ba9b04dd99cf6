import type { Row, Table } from './facts.ts';

/** A queued mail, or what remains of one, which counts towards the mail limits. */
interface MailRow extends Row {
  /**
   * `email` confirms an address, `reset` sets a new password, `notice` reports a change of the account,
   * `invite` leads to an account.
   */
  kind: 'email' | 'reset' | 'notice' | 'invite';
  /** The recipient. Null for an invite to sign up, and for a reset of an unknown name, which nobody gets. */
  userId: string | null;
  /** SHA-256, hexadecimal: of the lowercase address; for a reset, of the name that was entered. */
  recipient: string;
  /** The address and the text, encrypted; null once sent or given up. */
  sealed: string | null;
  attempts: number;
  /** When the next attempt is due. Null once sent or given up. */
  dueAt: number | null;
  /** When the last attempt failed; null if none has. */
  failedAt: number | null;
  /** When it is given up, because its link has expired. */
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
