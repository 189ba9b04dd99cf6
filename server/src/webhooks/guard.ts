import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Agent } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

/**
 * Keeps webhooks away from what only this machine and its network may reach. Names are looked up here, every address that a
 * name has is looked at, and the connection is made to one of these very addresses.
 */

/** Public by their range, yet no receivers: where Azure tells machines about themselves. */
const denied: ReadonlySet<string> = new Set(['168.63.129.16']);
/** The only part of IPv6 that is given out to the public; in the rest lie addresses that stand for those of IPv4. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** An address that no webhook is sent to. */
export class Refused extends Error {}

/** Addresses of a name, as `dns.lookup` gives them. Throws an Error with a `code`. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** Why a host that is an address, or a name of this machine, is refused; undefined for those that may be tried. */
export function refusalOf(host: string): string | undefined {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (/(^|\.)localhost\.?$/i.test(address)) return 'must not be on this machine';
  if (isIP(address) === 0 || isPublic(address)) return undefined;
  return `must not be on a private, loopback, link-local or reserved address (${address})`;
}

function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || denied.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(publicIPv6);
}

// Not `dns.lookup`: its few threads would wait for the slow name servers of one receiver while others need them.
const resolver = new Resolver({ timeout: 2_500, tries: 2 });

const resolve: Resolve = async (hostname) => {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
  return addresses;
};

/** Looks a name up and gives what may be connected to, or nothing if one of its addresses is refused. */
const checked =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    const fail = (error: NodeJS.ErrnoException) => callback(error, '', 0);
    resolve(hostname).then((addresses) => {
      const refused = addresses.find(({ address }) => !isPublic(address));
      const [first] = addresses;
      if (refused) fail(new Refused(`${hostname} has the address ${refused.address}, which is not public`));
      else if (!first) fail(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }));
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    }, fail);
  };

/** What requests are made through, by the protocol of the URL. */
export type Agents = Readonly<Record<string, Agent>>;

/** `allowPrivate` lifts every restriction. `resolve` stands for the name servers in tests. */
export function createAgents(allowPrivate: boolean, given: Resolve = resolve): Agents {
  const options = {
    allowPrivateIPAddress: allowPrivate,
    allowMetaIPAddress: allowPrivate,
    lookup: allowPrivate ? (systemLookup as LookupFunction) : checked(given),
    keepAlive: true,
    maxFreeSockets: 100,
    // Closes connections that nothing was sent over for so long, in milliseconds.
    timeout: 20_000,
  };
  return {
    'http:': new RequestFilteringHttpAgent(options),
    'https:': new RequestFilteringHttpsAgent(options),
  };
}
