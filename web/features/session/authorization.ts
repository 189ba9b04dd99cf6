import { siteAddress } from '../../api/base.ts';
import { safeName } from '../../api/names.ts';

/** An OAuth 2.0 authorization request with PKCE. */
export interface Authorization {
  /** `client_id`: the URL of a metadata document, or a name. */
  client: string;
  redirectUri: string;
  codeChallenge: string;
  state: string | undefined;
  /** The requested grant. Undefined if the app requests a session instead. */
  grant: { scopes: readonly string[]; resource: string | undefined } | undefined;
}

/** The client does not redirect to other schemes, such as `javascript:`. */
const isWebAddress = (uri: string): boolean =>
  URL.canParse(uri) && ['http:', 'https:'].includes(new URL(uri).protocol);

const isUrl = (client: string): boolean => /^https?:/i.test(client);

/** Parses the request. Undefined if it is incomplete. The server checks the redirect URI. */
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
    !isWebAddress(redirectUri) ||
    !/^[\w-]{43}$/.test(codeChallenge)
  )
    return undefined;
  const scope = given.get('scope')?.trim();
  const resource = given.get('resource') || undefined;
  const grant =
    isUrl(client) || scope || resource ? { scopes: scope?.split(/\s+/) ?? [], resource } : undefined;
  return { client, redirectUri, codeChallenge, state: given.get('state') ?? undefined, grant };
}

/** The server that a resource names. Undefined if it names none. */
export function serverOf(resource: string | undefined): string | undefined {
  const start = `${siteAddress()}/mcp/`;
  return resource?.startsWith(start) ? resource.slice(start.length).replace(/\/$/, '') : undefined;
}

/** The URL to redirect to if the user denies the request. */
export function deniedAt({ redirectUri, state }: Authorization): string {
  const to = new URL(redirectUri);
  to.searchParams.set('error', 'access_denied');
  if (state !== undefined) to.searchParams.set('state', state);
  return to.href;
}
