import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid } from '../errors.ts';
import { hostOf } from '../lib/url.ts';

/**
 * Paths that accept any host, because orchestrators request them by the container's address. Their responses
 * reveal nothing that a page could misuse.
 */
const forEveryHost = ['/healthz', '/readyz'];

/**
 * Rejects requests for hosts that are not in the list with INVALID_REQUEST, because a page whose name resolves
 * to this server (DNS rebinding) could read data that the server exposes without a key to its own network. An
 * empty list allows all hosts.
 */
export function allowHosts(app: FastifyInstance, hosts: readonly string[]): void {
  if (hosts.length === 0) return;
  const allowed = new Set(hosts);
  app.addHook('onRequest', (request, _reply, done) => {
    const isAllowed =
      forEveryHost.includes(request.routeOptions.url ?? '') ||
      namedHosts(request).every((host) => host !== undefined && allowed.has(host));
    done(isAllowed ? undefined : invalid('wrong_host', '', 'the host in the Host header is not served here'));
  });
}

/**
 * Returns the hosts named in a request: in the `Host` header, and in the request target if that is an
 * absolute URL (RFC 9112, 3.2.2).
 */
function namedHosts({ headers, url }: FastifyRequest): (string | undefined)[] {
  const ofHeader = hostOf(`http://${headers.host ?? ''}`);
  return url.startsWith('/') ? [ofHeader] : [ofHeader, hostOf(url)];
}
