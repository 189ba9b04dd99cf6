import { isIP } from 'node:net';
import { invalid } from '../../errors.ts';
import type { ActCall } from '../../operations/act.ts';

/** Returns the RP ID of a page's passkeys, which is the page's host. */
export const hostOfOrigin = (origin: string): string => new URL(origin).hostname;

/**
 * Returns the RP ID of the requesting page. Throws INVALID_REQUEST if browsers do not support passkeys there:
 * over plain HTTP (except on localhost), and at an IP address.
 */
export function requireHost({ origin }: Pick<ActCall, 'origin'>): string {
  const { protocol, hostname, port } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    const isHere = hostname === '127.0.0.1' || hostname === '[::1]';
    const instead = isHere ? `${protocol}//localhost${port && `:${port}`}` : 'a host name, over https';
    throw invalid(
      'insecure_address',
      '',
      `browsers do not support passkeys for IP addresses such as ${hostname}. Open ${instead}`,
    );
  }
  if (protocol !== 'https:' && hostname !== 'localhost' && !hostname.endsWith('.localhost'))
    throw invalid(
      'insecure_address',
      '',
      `browsers support passkeys only over https and at http://localhost, not at ${origin}`,
    );
  return hostname;
}
