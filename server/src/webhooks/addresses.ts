import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public addresses that are blocked all the same: the metadata service of Azure. */
const deniedAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);
/** The global unicast range of IPv6. Other ranges map private IPv4 addresses, among others. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Why a host is refused: `localhost`, or an address that is not public. Undefined for all others. */
export function refusalOf(host: string): string | undefined {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (/(^|\.)localhost\.?$/i.test(address)) return 'must not be on this machine';
  if (isIP(address) === 0 || isPublic(address)) return undefined;
  return `must not be on a private, loopback, link-local or reserved address (${address})`;
}

/** Whether the address is reachable by everybody on the internet. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || deniedAddresses.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(publicIPv6);
}
