import type { Table } from './facts.ts';

/**
 * Wrong passwords and codes for an account, or for a name that nobody has, from browsers that the account does not
 * know. After too many in an hour, such browsers cannot sign in until the owner acts (`accounts/guesses.ts`).
 */
interface GuessRow {
  /** A digest of the user's id or the name. */
  subject: string;
  /** Null for a name that nobody has. */
  userId: string | null;
  /** Wrong passwords and codes since `since`. */
  failures: number;
  since: number;
  /** When sign-ins from unknown browsers were blocked; null if they are not. */
  blockedAt: number | null;
  /** When the row no longer matters. */
  forgetAt: number;
}

export const guess: Table<GuessRow> = {
  key: ['subject'],
  inExportOf: { userId: {} },
  keptFor: { ms: 0, since: 'forgetAt' },
};
