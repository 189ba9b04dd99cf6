import type { Table } from './facts.ts';

/**
 * A challenge that a passkey has answered. It is kept until it expires, so that it cannot be replayed on any
 * node.
 */
interface UsedChallengeRow {
  id: string;
  /** SHA-256 of the challenge, in hexadecimal. */
  digest: string;
  expiresAt: number;
}

export const usedChallenge: Table<UsedChallengeRow> = {
  key: ['id'],
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'inserting an existing one does nothing' },
};
