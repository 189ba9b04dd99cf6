import type { FastifyRequest } from 'fastify';
import { networkOf, siteOf } from '../lib/network.ts';

/**
 * The tenant that a request counts towards where tenants share a limit of the node (`TenantShares`): the
 * caller's (`Caller.tenant`), or the network of a request that is not signed in.
 */
export const tenantFor = ({ caller, ip }: FastifyRequest): string =>
  caller?.tenant ?? `address ${siteOf(networkOf(ip))}`;
