import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { hookOf } from '../http/admit.ts';
import type { Observe } from '../http/observe/metrics.ts';
import { late } from '../lib/late.ts';
import { networkOf } from '../lib/network.ts';
import type { Services } from '../operations/services.ts';
import { UNSUBSCRIBE_PATH } from './link.ts';

/** The page is loaded on the first request. */
const load = late(() => import('./page.ts'));

const MAX_BODY_BYTES = 16 * 1024;
/**
 * Maximum requests per address, as a multiple of its sign-in limit: a mail provider sends requests on behalf
 * of all its users.
 */
const USERS_OF_PROVIDER = 10;

/**
 * Serves the links that stop digests. GET shows a button, because email scanners open every link. POST
 * stops them immediately (one-click unsubscription, RFC 8058). No session is needed, because the link is
 * signed.
 */
export function mountUnsubscribe(
  app: FastifyInstance,
  services: Services,
  key: Uint8Array,
  observe: Observe,
): void {
  const few = async (request: FastifyRequest): Promise<void> => {
    const { limiter, limits } = services;
    if (limits.session === 0) return;
    const address = `unsubscribe ${networkOf(request.ip)}`;
    const verdict = await limiter.take(address, limits.session * USERS_OF_PROVIDER);
    if (!verdict.accepted) throw new ApiError('RATE_LIMITED', 'too many requests from this address');
  };
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The body is ignored. It only says, in one of two formats, that this is an unsubscribe request.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, async () => undefined);
    for (const method of ['GET', 'POST'] as const)
      scope.route({
        method,
        url: UNSUBSCRIBE_PATH,
        onRequest: hookOf(few),
        onResponse: observe(method, UNSUBSCRIBE_PATH),
        async handler(request, reply) {
          const { unsubscribe } = await load();
          return unsubscribe(services, key, request, reply);
        },
      });
  });
}
