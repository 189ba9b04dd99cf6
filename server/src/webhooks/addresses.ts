import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public addresses that are blocked anyway: Azure's metadata service. */
const deniedAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);
/** The global unicast range of IPv6. Other ranges include mapped private IPv4 addresses. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Why a host is refused: it is `localhost`, or an address that is not public. Undefined for all other
 * hosts.
 */
export function refusalOf(host: string): string | undefined {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (/(^|\.)localhost\.?$/i.test(address)) return 'must not be on this machine';
  if (isIP(address) === 0 || isPublic(address)) return undefined;
  return `must not be on a private, loopback, link-local or reserved address (${address})`;
}

/** Whether anybody on the internet can reach the address. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || deniedAddresses.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(publicIPv6);
}
