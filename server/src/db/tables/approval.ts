import type { Flag } from '../../lib/flags.ts';
import type { Row, Table } from './facts.ts';

/**
 * An app's request to act for a person, with a session or with a grant. The person approves it either by
 * typing a code on another device (RFC 8628), or before a redirect to the app (RFC 8252). The app then
 * exchanges its code for the session or the grant.
 */
interface ApprovalRow extends Row {
  /** SHA-256 of the code that the app exchanges, in hexadecimal. */
  digest: string;
  /** SHA-256 of the code that the person types, in hexadecimal; null for a redirect. */
  userCodeDigest: string | null;
  /** The name that the app gives itself. */
  client: string;
  /** The device name that the app provides; null if there is none. */
  device: string | null;
  /** The address of the app's request; for a redirect, the address of the browser. */
  address: string;
  /** `used` means that the code was exchanged, or was consumed by an invalid request. */
  status: 'pending' | 'approved' | 'denied' | 'used';
  /** The person; null until they have decided. */
  userId: string | null;
  redirectUri: string | null;
  /** SHA-256 of the app's verifier, in base64url (RFC 7636). */
  codeChallenge: string | null;
  expiresAt: number;
  /** The session that the code was exchanged for; null if there is none. */
  sessionId: string | null;
  /** The server of the grant that the code is exchanged for; null if it is exchanged for a session. */
  serverId: string | null;
  /** The name and the flags of that grant, and the resource that its tokens are for. */
  clientName: string | null;
  flags: readonly Flag[] | null;
  resource: string | null;
  /** The grant that the code was exchanged for; null if there is none. */
  grantId: string | null;
}

export const approval: Table<ApprovalRow> = {
  key: ['id'],
  json: ['flags'],
  inExportOf: { userId: {} },
  outlives: {
    sessionId: 'only kept to end that session if the code is used again',
    grantId: 'only kept to end that grant if the code is used again',
    serverId: 'the exchange requires the membership',
  },
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'codes are random', userCodeDigest: 'codes are random' },
};
