import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Agent } from 'node:http';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { isPublic } from '../lib/allowedHosts.ts';
import { NoAnswer } from './reasons.ts';

/**
 * Protects this machine and its network against server-side request forgery (SSRF) through webhooks. Names
 * are resolved here, every address of a name is checked, and the socket connects to one of the checked
 * addresses, so that DNS rebinding cannot replace that address.
 */

/** A function that resolves a name, like `dns.lookup`. Rejects with an Error that has a `code`. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

// `dns.lookup` would block libuv's few threads, so a receiver's slow name server would stall all deliveries.
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

/** A `lookup` for sockets that fails if any address of the name is not public. */
const checked =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    const fail = (error: NodeJS.ErrnoException) => callback(error, '', 0);
    resolve(hostname).then((addresses) => {
      const [first] = addresses;
      if (!addresses.every(({ address }) => isPublic(address))) fail(new NoAnswer('notAllowed'));
      else if (!first) fail(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }));
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    }, fail);
  };

/** The HTTP agents by URL protocol. */
export type Agents = Readonly<Record<string, Agent>>;

/**
 * Agents that connect only to public addresses, or to any address with `allowPrivate`. Tests replace DNS
 * resolution with `resolveName`.
 */
export function createAgents(allowPrivate: boolean, resolveName: Resolve = resolve): Agents {
  const options = {
    allowPrivateIPAddress: allowPrivate,
    allowMetaIPAddress: allowPrivate,
    lookup: allowPrivate ? (systemLookup as LookupFunction) : checked(resolveName),
    keepAlive: true,
    maxFreeSockets: 100,
    // Idle timeout of connections, in milliseconds.
    timeout: 20_000,
  };
  return {
    'http:': new RequestFilteringHttpAgent(options),
    'https:': new RequestFilteringHttpsAgent(options),
  };
}
