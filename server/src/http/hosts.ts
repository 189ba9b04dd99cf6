import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid } from '../errors.ts';
import { hostOf } from '../lib/url.ts';

/** Orchestrators ask these by the address of the container. They tell nothing that a page could misuse. */
const forEveryHost = ['/healthz', '/readyz'];

/**
 * Refuses requests to other hosts than these, with INVALID_REQUEST. Otherwise a page whose name is made to point to this
 * server (DNS rebinding) could read what the server tells its own network without a key. With an empty list, all hosts
 * are served.
 */
export function allowHosts(app: FastifyInstance, hosts: readonly string[]): void {
  if (hosts.length === 0) return;
  const allowed = new Set(hosts);
  app.addHook('onRequest', (request, _reply, done) => {
    const isAllowed =
      forEveryHost.includes(request.routeOptions.url ?? '') ||
      namedHosts(request).every((host) => host !== undefined && allowed.has(host));
    done(
      isAllowed ? undefined : invalid('wrong_host', '', 'the header Host names no host that is served here'),
    );
  });
}

/** The hosts that a request names: in the header, and in a target that is a whole URL (RFC 9112, 3.2.2). */
function namedHosts({ headers, url }: FastifyRequest): (string | undefined)[] {
  const ofHeader = hostOf(`http://${headers.host ?? ''}`);
  return url.startsWith('/') ? [ofHeader] : [ofHeader, hostOf(url)];
}
