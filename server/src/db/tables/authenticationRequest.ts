import type { Row, Table } from './facts.ts';

/** A pending sign-in with an identity provider, in one browser (OpenID Connect Core 1.0, 3.1.2.1). */
interface AuthenticationRequestRow extends Row {
  /** The id of the provider in the settings. */
  provider: string;
  /** SHA-256 of the `state` parameter, in hexadecimal. */
  digest: string;
  /** SHA-256 of the cookie of the browser that started the sign-in, in hexadecimal. */
  browser: string;
  /**
   * `sent` means that the provider has not responded yet; `used`, that its response is being verified;
   * `returned`, that the response was valid but another step is required.
   */
  stage: 'sent' | 'used' | 'returned';
  /**
   * Encrypted JSON: first the values for verifying the response, then the identity that the provider
   * asserts.
   */
  sealed: string;
  /** The person who is connecting an account at the provider, and their session; null for a sign-in. */
  userId: string | null;
  sessionId: string | null;
  /** The network from which the sign-in was started; null in old rows. */
  address: string | null;
  /** The path of the page to return to. */
  returnTo: string;
  expiresAt: number;
}

export const authenticationRequest: Table<AuthenticationRequestRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  sealed: 'sealed',
  outlives: { sessionId: 'only that session can use it, and it expires soon' },
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'states are random', browser: 'cookies are random' },
};
