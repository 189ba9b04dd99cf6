import { safeName } from '../../api/names.ts';

/** The request from an app on this machine that opened the browser to sign in: OAuth 2.0 with PKCE. */
export interface Authorization {
  client: string;
  redirectUri: string;
  codeChallenge: string;
  state: string | undefined;
}

/** True for a loopback IP address. Host names are rejected, because they may resolve elsewhere. */
function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]');
}

/** Parses the request. Undefined if it is incomplete or redirects to another machine. */
export function authorizationIn(query: string): Authorization | undefined {
  const given = new URLSearchParams(query);
  const client = given.get('client_id')?.trim();
  const redirectUri = given.get('redirect_uri') ?? '';
  const codeChallenge = given.get('code_challenge') ?? '';
  if (given.get('response_type') !== 'code' || given.get('code_challenge_method') !== 'S256')
    return undefined;
  // A name that hides characters is rejected by the server as well.
  if (
    !client ||
    safeName(client) !== client ||
    !isLoopback(redirectUri) ||
    !/^[\w-]{43}$/.test(codeChallenge)
  )
    return undefined;
  return { client, redirectUri, codeChallenge, state: given.get('state') ?? undefined };
}

/** The URL to redirect to if the user denies the request. */
export function deniedAt({ redirectUri, state }: Authorization): string {
  const to = new URL(redirectUri);
  to.searchParams.set('error', 'access_denied');
  if (state !== undefined) to.searchParams.set('state', state);
  return to.href;
}
