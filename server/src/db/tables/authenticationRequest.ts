import type { Row, Table } from './facts.ts';

/** A sign-in with another provider that is under way in a browser (OpenID Connect Core 1.0, 3.1.2.1). */
interface AuthenticationRequestRow extends Row {
  /** The id of the provider in the settings. */
  provider: string;
  /** SHA-256 of the parameter `state`, hexadecimal. */
  digest: string;
  /** SHA-256 of the cookie of the browser in which it was begun, hexadecimal. */
  browser: string;
  /** `sent`: the provider has yet to answer. `used`: its answer is being looked at. `returned`: it was good, and something else is asked for. */
  stage: 'sent' | 'used' | 'returned';
  /** Encrypted JSON: at first what the answer is checked with, then who the provider says it is. */
  sealed: string;
  /** The person who connects an account at the provider, and their session; null in a sign-in. */
  userId: string | null;
  sessionId: string | null;
  /** The network from which it was begun; null in rows from before this was kept. */
  address: string | null;
  /** The path of the page to which it leads back. */
  returnTo: string;
  expiresAt: number;
}

export const authenticationRequest: Table<AuthenticationRequestRow> = {
  key: ['id'],
  sealed: 'sealed',
  outlives: { sessionId: 'it serves that session alone, and expires soon' },
  keptFor: { ms: 0, since: 'expiresAt' },
  neverTaken: { digest: 'states are random', browser: 'cookies are random' },
};
