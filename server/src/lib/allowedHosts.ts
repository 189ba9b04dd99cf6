import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public addresses that are blocked: Azure's WireServer, an internal service for virtual machines. */
const deniedAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);
/** The global unicast range of IPv6. Other ranges include mapped private IPv4 addresses. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** The hosts to which outgoing requests may be sent, such as those of webhooks. */
export interface AllowedHosts {
  /** Whether private, loopback and link-local addresses are allowed. */
  allowPrivate: boolean;
  /** If not empty, only these hosts are allowed: names, `*.example.com` for all subdomains, or addresses. */
  hosts: readonly string[];
}

/**
 * Returns why a host is rejected: it is not in `hosts`, it is `localhost`, or it is an IP address that is not
 * public. Undefined for allowed hosts. Does not resolve names.
 */
export function refusalOf(host: string, { allowPrivate, hosts }: AllowedHosts): string | undefined {
  const name = host.replace(/\.$/, '').toLowerCase();
  if (hosts.length > 0 && !hosts.some((allowed) => isWithin(name, allowed)))
    return 'must be on a host that the operator allows for webhooks';
  if (allowPrivate) return undefined;
  if (/(^|\.)localhost$/.test(name)) return 'must not be on this machine';
  const address = name.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0 || isPublic(address)) return undefined;
  return `must not be on a private, loopback, link-local or reserved address (${address})`;
}

const isWithin = (name: string, allowed: string): boolean =>
  allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed;

/** Whether an address is reachable from the public internet. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || deniedAddresses.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(publicIPv6);
}
