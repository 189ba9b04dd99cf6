import type { Row, Table } from './facts.ts';

/**
 * A pending request of an app for a person's session: by a code that the person types on another device (RFC
 * 8628), or, already approved, by a redirect to the app (RFC 8252). The app exchanges the row for the
 * session.
 */
interface ApprovalRow extends Row {
  /** SHA-256 of the code that the app exchanges, hexadecimal. */
  digest: string;
  /** SHA-256 of the code that the person types, hexadecimal; null for a redirect. */
  userCodeDigest: string | null;
  /** The name that the app claims. */
  client: string;
  /** The device name that the app claims; null for none. */
  device: string | null;
  /** The address of the app's request; for a redirect, the browser's. */
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
  inExportOf: { userId: {} },
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'codes are random', userCodeDigest: 'codes are random' },
};
