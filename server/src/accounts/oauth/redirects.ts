import { invalid } from '../../errors.ts';

/**
 * Hosts of the browser's own machine. PKCE protects the code in case a name such as localhost resolves
 * elsewhere.
 */
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Parses a redirect URI. Undefined unless it is in normalized form, without credentials or a fragment,
 * because browsers parse some other forms differently.
 */
function plainUrl(redirectUri: string): URL | undefined {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const isPlain =
    url &&
    url.username === '' &&
    url.password === '' &&
    redirectUri.startsWith(`${url.protocol}//${url.host}/`) &&
    !redirectUri.includes('#') &&
    !/[\\\s\p{Cc}]/u.test(redirectUri);
  return isPlain ? url : undefined;
}

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && loopbackHosts.includes(hostname);

const refusal = (message: string) => invalid('refused_address', 'redirectUri', message);

/**
 * Throws INVALID_REQUEST unless a redirect URI is a loopback address (RFC 8252, 7.3). Otherwise, a page on
 * another machine could receive the authorization code.
 */
export function requireLoopback(redirectUri: string): void {
  const url = plainUrl(redirectUri);
  if (!url || !isLoopback(url))
    throw refusal(
      'must be http://127.0.0.1:<port>/…, http://[::1]:<port>/… or http://localhost:<port>/…, without a fragment',
    );
}

/**
 * Throws INVALID_REQUEST unless the redirect URI is listed in an app's metadata document. It must match
 * exactly, except that a loopback address may have any port.
 */
export function requireListed(redirectUri: string, listed: readonly string[]): void {
  const url = plainUrl(redirectUri);
  if (!url || !(url.protocol === 'https:' || isLoopback(url)))
    throw refusal('must begin with https://, or with http:// and point to this machine, without a fragment');
  if (listed.includes(redirectUri)) return;
  if (!isLoopback(url) || !listed.some((each) => isSameButPort(each, url)))
    throw refusal("is not among the redirect_uris in the app's metadata document");
}

function isSameButPort(listed: string, url: URL): boolean {
  const other = plainUrl(listed);
  if (!other || !isLoopback(other)) return false;
  const { protocol, hostname, pathname, search } = other;
  return (
    protocol === url.protocol &&
    hostname === url.hostname &&
    pathname === url.pathname &&
    search === url.search
  );
}
