import type { FastifyRequest } from 'fastify';
import { networkOf, siteOf } from '../lib/network.ts';

/**
 * Returns the tenant that a request counts towards when tenants share a limit of the node (`TenantShares`):
 * the caller's tenant (`Caller.tenant`), or the site of the client's network (`siteOf`) if the request is
 * unauthenticated.
 */
export const tenantFor = ({ caller, ip }: FastifyRequest): string =>
  caller?.tenant ?? `address ${siteOf(networkOf(ip))}`;
