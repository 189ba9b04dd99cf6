import { invalid } from '../../errors.ts';

/**
 * Throws INVALID_REQUEST unless an address leads to an app on the machine of the browser itself (RFC 8252, 7.3): by numbers, since a
 * name such as localhost may lead elsewhere (8.3). A page of another machine would get the code otherwise.
 */
export function requireLoopback(redirectUri: string): void {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const isLoopback =
    url?.protocol === 'http:' &&
    ['127.0.0.1', '[::1]'].includes(url.hostname) &&
    url.username === '' &&
    url.password === '' &&
    // Browsers read some texts as others do not: this one is the only way to write it.
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
