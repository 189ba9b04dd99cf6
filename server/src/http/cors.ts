import type { FastifyInstance } from 'fastify';

/** How long a browser may remember that it may ask, in seconds. */
const MAX_AGE = '7200';
const METHODS = 'GET, POST, PATCH, DELETE';
const SENT = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id';
const READ =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Link, Idempotency-Replayed, Ignored-Parameters, Last-Event-ID';

/**
 * Lets pages of any origin use the API (Fetch standard, 3.2). That gives them nothing that they do not have: a request is
 * worth what its key is, and no browser adds a key by itself, as it would a cookie.
 */
export function letPagesAsk(app: FastifyInstance, prefix: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-method': preflight } = request.headers;
    if (origin === undefined || !request.url.startsWith(prefix)) return done();
    reply.raw.setHeader('access-control-allow-origin', '*');
    reply.raw.setHeader('access-control-expose-headers', READ);
    if (request.method !== 'OPTIONS' || preflight === undefined) return done();
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': SENT,
        'access-control-max-age': MAX_AGE,
      })
      .send();
  });
}
