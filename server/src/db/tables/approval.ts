import type { Row, Table } from './facts.ts';

/**
 * An app that asks for a session of a person: by a code that they type on another device (RFC 8628), or by a redirect to itself
 * (RFC 8252), for which the person has approved it already. The app gets the session in exchange for the row.
 */
interface ApprovalRow extends Row {
  /** SHA-256 of the code that the app exchanges, hexadecimal. */
  digest: string;
  /** SHA-256 of the code that the person types, hexadecimal; null for a redirect. */
  userCodeDigest: string | null;
  /** The name that the app gives itself. */
  client: string;
  /** The name of the device that the app gives; null for none. */
  device: string | null;
  /** The address from which the app asked; for a redirect, that of the browser. */
  address: string;
  status: 'pending' | 'approved' | 'denied';
  /** The person; null until they have answered. */
  userId: string | null;
  redirectUri: string | null;
  /** SHA-256 of the app's verifier, in base64url (RFC 7636). */
  codeChallenge: string | null;
  expiresAt: number;
}

export const approval: Table<ApprovalRow> = {
  key: ['id'],
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'codes are random', userCodeDigest: 'codes are random' },
};
