import type { Row, Table } from './facts.ts';

/** A browser or an app in which a person is signed in. */
interface SessionRow extends Row {
  userId: string;
  /** SHA-256 of the token, hexadecimal. */
  digest: string;
  expiresAt: number;
  /** The last time at which the person proved who they are: by signing in, or by their password or passkey again; 0 if never in this session. */
  provenAt: number;
  lastUsedAt: number;
  /** The header `User-Agent` at the sign-in, cut, or the name of an app and its device; null without one. */
  device: string | null;
  /** True if its token is sent as `Authorization: Bearer`, by an app; otherwise it is in a cookie. */
  bearer: boolean;
}

export const session: Table<SessionRow> = {
  key: ['id'],
  // Nobody is remembered whose session is new.
  decidesAuthority: { of: 'userId', by: ['userId', 'digest', 'expiresAt', 'provenAt'] },
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'tokens are random' },
};

/** The life of a session after its last use, give or take a day. */
export const SESSION_MS = 30 * 24 * 60 * 60_000;
