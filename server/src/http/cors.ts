import type { FastifyInstance } from 'fastify';
import { HOOK_PREFIX } from '../payloads/suffixes.ts';
import {
  MCP_PATH,
  REGISTER_PATH,
  RESOURCE_METADATA_PATH,
  REVOKE_PATH,
  SERVER_METADATA_PATH,
  TOKEN_PATH,
} from './openapi/oauthPaths.ts';

/** How long browsers may cache the response to a preflight. */
const MAX_AGE_SECONDS = '7200';
const METHODS = 'GET, POST, PATCH, DELETE';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Range, X-Request-Id';
const RESPONSE_HEADERS =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Link, Idempotency-Replayed, Ignored-Parameters, Last-Event-ID, ETag, Deprecation, Sunset, Accept-Ranges, Content-Disposition, Content-Range, WWW-Authenticate';

/**
 * Whether the URL is that of the OpenAPI document. It gets the same headers for everybody, so caches keep a
 * single copy.
 */
const isDocument = (url: string): boolean => /^\/openapi\.json(\?|$)/.test(url);

/** The MCP endpoint, and the OAuth endpoints for its clients. */
const appPaths = [
  MCP_PATH,
  TOKEN_PATH,
  REVOKE_PATH,
  REGISTER_PATH,
  SERVER_METADATA_PATH,
  RESOURCE_METADATA_PATH,
];

/** Whether a URL is one of these paths, or below one. */
const isForApps = (url: string): boolean =>
  appPaths.some((path) => url.startsWith(path) && /^(?:[/?]|$)/.test(url.slice(path.length)));

/**
 * CORS: allows pages of any origin to use the API, MCP, the endpoints for apps and incoming webhooks, and to
 * read the OpenAPI document (Fetch standard, 3.2). This is safe because requests need a token or the
 * webhook's URL, which browsers never add automatically as they do cookies.
 */
export function allowAllOrigins(app: FastifyInstance, prefix: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-method': preflight } = request.headers;
    const { url } = request;
    if (
      !(origin !== undefined && (url.startsWith(prefix) || url.startsWith(HOOK_PREFIX) || isForApps(url))) &&
      !isDocument(url)
    )
      return done();
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-expose-headers', RESPONSE_HEADERS);
    if (request.method !== 'OPTIONS' || origin === undefined || preflight === undefined) return done();
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': MAX_AGE_SECONDS,
      })
      .send();
  });
}
