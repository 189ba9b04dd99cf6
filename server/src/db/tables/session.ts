import type { Row, Table } from './facts.ts';

/** A browser or app in which a person is signed in. */
interface SessionRow extends Row {
  userId: string;
  /** SHA-256 of the token, hexadecimal. */
  digest: string;
  expiresAt: number;
  /**
   * When the person last proved their identity, by signing in or with their password or passkey; 0 if never
   * in this session.
   */
  provenAt: number;
  lastUsedAt: number;
  /** The `User-Agent` at sign-in, truncated, or the name of an app and its device; null without one. */
  device: string | null;
  /** Whether an app sends the token as `Authorization: Bearer`; otherwise it is in a cookie. */
  bearer: boolean;
}

export const session: Table<SessionRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  // No insert: nothing can be cached of a new session.
  decidesAuthority: { of: 'userId', by: ['userId', 'digest', 'expiresAt', 'provenAt'] },
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'tokens are random' },
};

/** Lifetime of a session after its last use, in milliseconds, to within a day. */
export const SESSION_MS = 30 * 24 * 60 * 60_000;
