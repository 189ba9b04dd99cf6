import type { Table } from './facts.ts';

/**
 * Wrong passwords and codes for an account, or for an unknown name, from unknown browsers. After too many in
 * an hour, unknown browsers cannot sign in for 90 days or until the owner acts (`accounts/guesses.ts`). Also
 * counts wrong passwords and codes in a session; too many revoke the session.
 */
interface GuessRow {
  /** The user's id, or a digest: for the user's email address, an unknown name, or a session. */
  subject: string;
  /** Null for an unknown name, and for a session. */
  userId: string | null;
  /** Wrong passwords and codes; for an account or an unknown name, only those since `since`. */
  failures: number;
  since: number;
  /** When unknown browsers were blocked from signing in; null if they are not blocked. */
  blockedAt: number | null;
  /** When the row can be deleted. */
  forgetAt: number;
}

export const guess: Table<GuessRow> = {
  key: ['subject'],
  inExportOf: { userId: {} },
  keptFor: { ms: 0, since: 'forgetAt' },
};
