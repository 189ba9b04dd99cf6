import type { Row, Table } from './facts.ts';

/** A browser or app in which a person is signed in. */
interface SessionRow extends Row {
  userId: string;
  /** SHA-256 of the token, in hexadecimal. */
  digest: string;
  expiresAt: number;
  /**
   * When the person last proved their identity, by signing in or with their password or passkey; 0 if never
   * in this session.
   */
  provenAt: number;
  lastUsedAt: number;
  /** The truncated `User-Agent` at sign-in, or the name of an app and its device; null if there is none. */
  device: string | null;
  /** Whether an app sends the token as `Authorization: Bearer`. Otherwise, the token is in a cookie. */
  bearer: boolean;
}

export const session: Table<SessionRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  // An insert invalidates nothing, because nothing about a new session can be cached.
  decidesAuthority: { of: 'userId', by: ['userId', 'digest', 'expiresAt', 'provenAt'] },
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'tokens are random' },
};

/** Lifetime of a session after its last use, in milliseconds, accurate to a day. */
export const SESSION_MS = 30 * 24 * 60 * 60_000;

/** Lifetime of a session after the sign-in, regardless of use, in milliseconds. */
export const MAX_SESSION_MS = 180 * 24 * 60 * 60_000;
