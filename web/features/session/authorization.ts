/** An app on this machine that has opened the browser to sign in: the parameters of OAuth 2.0 with PKCE. */
export interface Authorization {
  client: string;
  redirectUri: string;
  codeChallenge: string;
  state: string | undefined;
}

/** True for an address of this machine alone, by its number: a name may lead elsewhere. */
function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]');
}

/** The app that a query tells of; undefined if it is not whole, or leads elsewhere than to this machine. */
export function authorizationIn(query: string): Authorization | undefined {
  const given = new URLSearchParams(query);
  const client = given.get('client_id')?.trim();
  const redirectUri = given.get('redirect_uri') ?? '';
  const codeChallenge = given.get('code_challenge') ?? '';
  if (given.get('response_type') !== 'code' || given.get('code_challenge_method') !== 'S256')
    return undefined;
  if (!client || !isLoopback(redirectUri) || !/^[\w-]{43}$/.test(codeChallenge)) return undefined;
  return { client, redirectUri, codeChallenge, state: given.get('state') ?? undefined };
}

/** Where the browser goes if the person denies it. */
export function deniedAt({ redirectUri, state }: Authorization): string {
  const to = new URL(redirectUri);
  to.searchParams.set('error', 'access_denied');
  if (state !== undefined) to.searchParams.set('state', state);
  return to.href;
}
