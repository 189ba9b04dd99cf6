import { invalid } from '../../errors.ts';

/**
 * Throws INVALID_REQUEST unless a redirect URI points to an app on the browser's own machine (RFC 8252,
 * 7.3): otherwise, a page on another machine would receive the code. Only IP addresses are accepted, because
 * a name such as localhost may resolve to another machine (8.3).
 */
export function requireLoopback(redirectUri: string): void {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const isLoopback =
    url?.protocol === 'http:' &&
    ['127.0.0.1', '[::1]'].includes(url.hostname) &&
    url.username === '' &&
    url.password === '' &&
    // Browsers parse some addresses differently, so only the canonical spelling is accepted.
    redirectUri.startsWith(`http://${url.host}/`) &&
    !redirectUri.includes('#') &&
    !/[\\\s\p{Cc}]/u.test(redirectUri);
  if (!isLoopback)
    throw invalid(
      'refused_address',
      'redirectUri',
      'must be http://127.0.0.1:<port>/… or http://[::1]:<port>/…, without a fragment',
    );
}
