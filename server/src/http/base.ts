import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Returns the path under which the server is reachable, such as `/chat`; empty for the root, and for an empty
 * `address`.
 */
export const baseOf = (address: string): string =>
  address === '' ? '' : new URL(address).pathname.replace(/\/$/, '');

/**
 * Removes the base from a request's URL before it is routed. A URL without the base is unchanged, because a
 * proxy may have removed the base, and probes never include it.
 */
export const withoutBase =
  (base: string) =>
  ({ url = '/' }: IncomingMessage): string => {
    if (!url.startsWith(base)) return url;
    const rest = url.slice(base.length);
    if (rest.startsWith('/')) return rest;
    return rest === '' || rest.startsWith('?') ? `/${rest}` : url;
  };

/**
 * Redirects the base to itself with a trailing slash. Only the URL with the slash is within the scope of the
 * service worker, and relative URLs resolve against it.
 */
export function redirectToBase(app: FastifyInstance, base: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, originalUrl } = request;
    const [path, ...query] = originalUrl.split('?');
    if (path !== base || (method !== 'GET' && method !== 'HEAD')) return done();
    reply.redirect([`${base}/`, ...query].join('?'), 308);
  });
}

/**
 * Matches links to this server in an HTML page. Quotes in text are escaped, so the pattern matches only
 * attributes.
 */
const LINKS = /( (?:href|src|data-probe)=")\/(?!\/)/g;

/** Adds the base to the links to this server in an HTML page. */
export const pageUnder = (base: string, page: string): string =>
  base === '' ? page : page.replace(LINKS, (_, start) => `${start}${base}/`);

/** Adds the base to the links to this server in Markdown. */
export const markdownUnder = (base: string, text: string): string =>
  base === '' ? text : text.replaceAll('](/', `](${base}/`);
