import type { Flag } from '../../lib/flags.ts';
import { ofServer, type Row, type Table } from './facts.ts';

/** A person's permission for an app to act for them in one server, with some of their flags. */
interface GrantRow extends Row {
  userId: string;
  serverId: string;
  /** The app's `client_id`: the URL of its metadata document, or a name. */
  client: string;
  /** The app's name at the time of the approval; not verified. */
  name: string;
  /** The granted flags. Only flags that the person still has are effective. */
  flags: readonly Flag[];
  /** The resource that the grant's tokens are for (RFC 8707). */
  resource: string;
  /** SHA-256 of the access token, in hexadecimal. */
  digest: string;
  tokenExpiresAt: number;
  /** SHA-256 of the previous access token, which works until it expires; null if there is none. */
  earlierDigest: string | null;
  earlierExpiresAt: number | null;
  /** SHA-256 of the part that all its refresh tokens share, in hexadecimal. */
  familyDigest: string;
  /**
   * SHA-256 of the current refresh token. Any other refresh token with the same `familyDigest` has been used
   * before.
   */
  refreshDigest: string;
  /** When the grant expires, however often it is refreshed. */
  expiresAt: number;
  lastUsedAt: number;
}

export const grant: Table<GrantRow> = {
  key: ['id'],
  json: ['flags'],
  inExportOf: { userId: {} },
  goesWith: ofServer,
  // An insert invalidates nothing, because nothing about a new grant can be cached.
  decidesAuthority: {
    of: 'userId',
    by: ['userId', 'serverId', 'flags', 'digest', 'tokenExpiresAt', 'earlierDigest', 'expiresAt'],
  },
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: {
    digest: 'tokens are random',
    earlierDigest: 'tokens are random',
    familyDigest: 'tokens are random',
  },
};

/** Lifetime of an access token, in milliseconds. */
export const ACCESS_MS = 60 * 60_000;

/** Lifetime of a grant after its approval, in milliseconds. */
export const GRANT_MS = 90 * 24 * 60 * 60_000;
