import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * The path under which the server is reachable, such as `/chat`; empty for the root, and for an empty
 * `address`.
 */
export const baseOf = (address: string): string =>
  address === '' ? '' : new URL(address).pathname.replace(/\/$/, '');

/**
 * Removes the base from a request's URL before it is routed. A proxy may also have removed it, and probes
 * never have it, so URLs without it stay unchanged.
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
 * Redirects the base without a slash to the one with it: only that is within the scope of the service worker, and
 * relative URLs resolve against it.
 */
export function redirectToBase(app: FastifyInstance, base: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, originalUrl } = request;
    const [path, ...query] = originalUrl.split('?');
    if (path !== base || (method !== 'GET' && method !== 'HEAD')) return done();
    reply.redirect([`${base}/`, ...query].join('?'), 308);
  });
}

/** Links to this server within an HTML page. Quotes in text are escaped, so only attributes match. */
const LINKS = /( (?:href|src|data-probe)=")\/(?!\/)/g;

/** A page whose links are paths of this server, for a server under this base. */
export const pageUnder = (base: string, page: string): string =>
  base === '' ? page : page.replace(LINKS, (_, start) => `${start}${base}/`);

/** Markdown whose links are paths of this server, for a server under this base. */
export const markdownUnder = (base: string, text: string): string =>
  base === '' ? text : text.replaceAll('](/', `](${base}/`);
