import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import {
  type Caller,
  type Presented,
  present,
  presentSession,
  unauthenticated,
} from '../access/authenticator.ts';
import { isGrantToken } from '../access/credentials/grant.ts';
import { isAccessToken } from '../access/credentials/session.ts';
import { outsideGrant } from '../access/granted.ts';
import { callerByTicket } from '../access/tickets.ts';
import { isId } from '../lib/deps.ts';
import { networkOf } from '../lib/network.ts';
import { limitHeader, policyHeader } from '../limits/headers.ts';
import type { Kind } from '../limits/table.ts';
import { authenticated, type Counted, limited } from '../operations/admission.ts';
import type { DownloadOperation } from '../operations/download.ts';
import { requireSecondFactor } from '../operations/secondFactor.ts';
import type { Services } from '../operations/services.ts';
import { SERVER_HEADER, type Site } from './site.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The public origin and the cookies (see `Site`). */
    site: Site;
  }
  interface FastifyRequest {
    /** Set once the request is authenticated. */
    caller: Caller | undefined;
  }
}

/** A function that authenticates a request. Throws UNAUTHORIZED or INVALID_API_KEY. */
type FindCaller = (services: Services, request: FastifyRequest) => Caller | Promise<Caller>;

/** Authenticates a request by API key or grant, or by session if there is none. */
export const byCredential: FindCaller = ({ authenticator }, request) =>
  authenticator.authenticate(credentialOf(request));

const bySession: FindCaller = ({ authenticator }, request) => authenticator.authenticate(sessionOf(request));

/** Authenticates an event stream by its single-use ticket, or else by API key, grant or session. */
export const byTicketOrKey: FindCaller = (services, request) => {
  const ticket = ticketOf(request);
  return ticket === undefined ? byCredential(services, request) : callerByTicket(services, ticket, 'apiKey');
};

/**
 * Authenticates a download whose row has `serverOf`: by session or, unless the operation is for people only,
 * by API key. A request with neither `Authorization` nor `Palaver-Server` is authenticated by the cookie
 * alone, for the server that owns the file: browsers send only the cookie when they load images.
 */
export const byCookieOr =
  (serverOf: NonNullable<DownloadOperation['row']['serverOf']>, isForPeople: boolean): FindCaller =>
  (services, request) => {
    const { headers, params, server } = request;
    const find = isForPeople ? bySession : byCredential;
    if (headers.authorization !== undefined || headers[SERVER_HEADER] !== undefined || !headers.cookie)
      return find(services, request);
    const token = cookieTokenOf(request);
    if (token === undefined) return find(services, request);
    server.site.requireEmbedding(request);
    return serverOf(services.db.read, params as Record<string, string>).then((serverId) =>
      services.authenticator.authenticate(presentSession(token, serverId)),
    );
  };
/**
 * Authenticates a stream of all of a person's servers: by session, or by a single-use ticket if the session's
 * header is missing.
 */
export const byTicketOrSession: FindCaller = (services, request) => {
  const ticket = request.headers[SERVER_HEADER] === undefined ? ticketOf(request) : undefined;
  if (ticket === undefined) return bySession(services, request);
  request.server.site.requireOwnPage(request);
  return callerByTicket(services, ticket, 'session');
};

/** Returns the ticket for a stream; undefined if there is none, or if there is an API key. */
function ticketOf({ headers, query }: FastifyRequest): string | undefined {
  const { ticket } = query as { ticket?: unknown };
  const counts = headers.authorization === undefined && wantsStream(headers.accept);
  return counts && typeof ticket === 'string' ? ticket : undefined;
}

/** Whether the `Accept` header contains `text/event-stream`. */
export const wantsStream = (accept = ''): boolean =>
  /(^|[\s,])text\/event-stream\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accept);

/**
 * Runs the first two steps of a request: authenticate (401), by API key or session unless `find` is given,
 * and rate limit (429). Then requires two-factor authentication (403) if the setting says so, unless
 * `withoutFactor` is set.
 */
export function admit(
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
  find = byCredential,
  withoutFactor = false,
): void | Promise<void> {
  const caller = authenticated(services, request, () => find(services, request));
  const count = (caller: Caller) => {
    request.caller = caller;
    const taken = limitedWithRoom(services, kind, caller, request, reply);
    if (withoutFactor || services.secondFactor === 'off') return taken;
    const check = () => requireSecondFactor(services.secondFactor, caller);
    return taken instanceof Promise ? taken.then(check) : check();
  };
  return caller instanceof Promise ? caller.then(count) : count(caller);
}

/** Runs the first step of an open operation: rate limit (429), per address. */
export const admitAnybody = (
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> => limitedWithRoom(services, kind, networkOf(request.ip), request, reply);

/**
 * Runs the first two steps of an operation for people: authenticate (401), by session unless `find` is given,
 * and rate limit (429).
 */
export const admitPerson = (
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
  find = bySession,
  withoutFactor = false,
): void | Promise<void> => admit(services, kind, request, reply, find, withoutFactor);

/**
 * Runs the first step of an open operation for people: reject requests from cross-site pages (401), and rate
 * limit (429), per address.
 */
export function admitPage(
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  requireOwnPage(request);
  return admitAnybody(services, kind, request, reply);
}

/**
 * Applies the rate limit first. Requests rejected for lack of memory then have the rate limit headers, too.
 */
function limitedWithRoom(
  services: Services,
  kind: Kind,
  subject: Caller | string,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  const requireRoom = () => {
    request.server.inFlight.begin(request, reply);
    request.server.unread.requireRoom(request);
  };
  const taken = limited(services, kind, subject, setLimitHeaders(reply));
  return taken instanceof Promise ? taken.then(requireRoom) : requireRoom();
}

/**
 * Turns a step that may be synchronous into a Fastify hook. Awaiting a synchronous step would take longer
 * than the step itself.
 */
export const hookOf =
  (step: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>): onRequestHookHandler =>
  (request, reply, done) => {
    try {
      const running = step(request, reply);
      if (!running) return done();
      request.server.background.add(running);
      running.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  };

/** Sets the `RateLimit-Policy` and `RateLimit` headers. */
export const setLimitHeaders =
  (reply: FastifyReply) =>
  ({ kind, limit, verdict }: Counted): void => {
    reply
      .header('ratelimit-policy', policyHeader(kind, limit))
      .header('ratelimit', limitHeader(kind, verdict));
  };

/**
 * Caches the last parsed credential of each connection, because most connections send the same key or cookie
 * every time.
 */
const lastPresented = new WeakMap<Socket, { header: string; presented: Presented }>();

/** Returns the API key of a request, or else its session. Throws UNAUTHORIZED if there is neither. */
function credentialOf(request: FastifyRequest): Presented {
  const { authorization, [SERVER_HEADER]: server } = request.headers;
  return authorization === undefined && server !== undefined ? sessionOf(request) : bearerOf(request);
}

/**
 * Returns the session of a request: an app's token in `Authorization`, or the cookie sent by one of this
 * server's pages. Both require the `Palaver-Server` header. Throws UNAUTHORIZED.
 */
export function sessionOf(request: FastifyRequest): Presented {
  if (isBearer(request)) return accessOf(request);
  if (isGrantToken(tokenIn(request.headers.authorization ?? '') ?? '')) throw outsideGrant();
  requireOwnPage(request);
  const place = request.headers[SERVER_HEADER] as string;
  const { cookie, origin } = request.headers;
  const { socket } = request.raw;
  // Headers cannot contain a line break, so this never equals an API key's header.
  const header = `${place}\n${origin}\n${cookie}`;
  const last = lastPresented.get(socket);
  if (last?.header === header) return last.presented;
  const token = cookieTokenOf(request);
  if (token === undefined) throw unauthenticated('UNAUTHORIZED', 'you are not signed in. Sign in');
  const presented = presentSession(token, place === 'none' ? null : place);
  lastPresented.set(socket, { header, presented });
  return presented;
}

/**
 * Returns the token in the cookie; undefined if there is none. Throws UNAUTHORIZED for an app's token, which
 * browsers must not store.
 */
function cookieTokenOf(request: FastifyRequest): string | undefined {
  const token = request.server.site.tokenOf(request);
  if (token !== undefined && isAccessToken(token))
    throw unauthenticated(
      'UNAUTHORIZED',
      "an app's token is not accepted in a cookie. Send it as a bearer token",
    );
  return token;
}

const tokenIn = (authorization: string): string | undefined => /^bearer +(\S.*)$/i.exec(authorization)?.[1];

/** Whether `Authorization` contains an app's token. */
export const isBearer = ({ headers: { authorization } }: FastifyRequest): boolean =>
  authorization !== undefined && isAccessToken(tokenIn(authorization) ?? '');

/**
 * Returns an app's session. Browsers never add its token automatically, so the request may come from a page
 * on any site.
 */
function accessOf(request: FastifyRequest): Presented {
  requirePlace(request);
  const { authorization = '', [SERVER_HEADER]: place } = request.headers;
  const header = `${place}\nBearer\n${authorization}`;
  const last = lastPresented.get(request.raw.socket);
  if (last?.header === header) return last.presented;
  const presented = presentSession(
    tokenIn(authorization) as string,
    place === 'none' ? null : (place as string),
  );
  lastPresented.set(request.raw.socket, { header, presented });
  return presented;
}

/**
 * Throws UNAUTHORIZED unless the request has a valid `Palaver-Server` header and comes from a page of this
 * server.
 */
function requireOwnPage(request: FastifyRequest): void {
  requirePlace(request);
  request.server.site.requireOwnPage(request);
}

function requirePlace(request: FastifyRequest): void {
  const place = request.headers[SERVER_HEADER];
  if (typeof place !== 'string' || !(place === 'none' || isId(place)))
    throw unauthenticated('UNAUTHORIZED', 'send the header "Palaver-Server" with a server id or "none"');
}

/**
 * Returns the bearer token in the `Authorization` header (RFC 6750, 2.1): an API key, or an app's token for a
 * session or a grant. Throws UNAUTHORIZED if there is none.
 */
function bearerOf(request: FastifyRequest): Presented {
  const {
    headers: { authorization = '' },
    raw: { socket },
  } = request;
  const last = lastPresented.get(socket);
  if (last?.header === authorization) return last.presented;
  const token = tokenIn(authorization);
  if (token === undefined) {
    throw unauthenticated('UNAUTHORIZED', 'send the header "Authorization: Bearer <API key>"');
  }
  if (isAccessToken(token)) return accessOf(request);
  const presented = present(isGrantToken(token) ? 'grant' : 'apiKey', token);
  lastPresented.set(socket, { header: authorization, presented });
  return presented;
}
