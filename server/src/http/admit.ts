import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Caller, type Presented, present, unauthenticated } from '../access/authenticator.ts';
import { limitHeader, policyHeader } from '../limits/headers.ts';
import type { Kind } from '../limits/table.ts';
import { authenticated, type Counted, limited } from '../operations/admission.ts';
import type { Services } from '../operations/services.ts';
import { callerByTicket } from '../operations/tickets.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is authenticated. */
    caller: Caller | undefined;
  }
}

/** Finds the caller of a request by its credential. Throws UNAUTHORIZED or INVALID_API_KEY. */
type FindCaller = (services: Services, request: FastifyRequest) => Caller | Promise<Caller>;

const byKey: FindCaller = ({ authenticator }, request) => authenticator.authenticate(bearerOf(request));

/** The caller of a stream of events: by its API key, or without one by its ticket, which it uses up. */
export const byTicketOrKey: FindCaller = (services, request) => {
  const { headers, query } = request;
  const { ticket } = query as { ticket?: unknown };
  return typeof ticket === 'string' && headers.authorization === undefined && wantsStream(headers.accept)
    ? callerByTicket(services, ticket)
    : byKey(services, request);
};

/** True if the header `Accept` has `text/event-stream`. */
export const wantsStream = (accept = ''): boolean =>
  /(^|[\s,])text\/event-stream\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accept);

/** The first two steps of a request: authenticate (401), and limit (429). */
export function admit(
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
  find = byKey,
): void | Promise<void> {
  const caller = authenticated(services, request.ip, () => find(services, request));
  const count = (caller: Caller) => {
    request.caller = caller;
    return limitedWithRoom(services, kind, caller, request, reply);
  };
  return caller instanceof Promise ? caller.then(count) : count(caller);
}

/** The first step of an open operation: limit (429), per address. */
export const admitAnybody = (
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> => limitedWithRoom(services, kind, request.ip, request, reply);

/** Limits, then asks for room: a refusal for want of room has the headers of the limit, too. */
function limitedWithRoom(
  services: Services,
  kind: Kind,
  subject: Caller | string,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  const requireRoom = () => request.server.unread.requireRoom(request);
  const taken = limited(services, kind, subject, setLimitHeaders(reply));
  return taken instanceof Promise ? taken.then(requireRoom) : requireRoom();
}

/** A Fastify hook from a step that may end without a promise: awaiting nothing would cost more than the step. */
export const hookOf =
  (step: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>): onRequestHookHandler =>
  (request, reply, done) => {
    try {
      const running = step(request, reply);
      if (running) running.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  };

const setLimitHeaders =
  (reply: FastifyReply) =>
  ({ kind, limit, verdict }: Counted): void => {
    reply
      .header('ratelimit-policy', policyHeader(kind, limit))
      .header('ratelimit', limitHeader(kind, verdict));
  };

/** The last header of each connection, with its token: most connections always send the same key. */
const lastPresented = new WeakMap<Socket, { authorization: string; presented: Presented }>();

/** The bearer token in the header `Authorization` (RFC 6750, 2.1). Throws UNAUTHORIZED without one. */
function bearerOf({ headers: { authorization = '' }, raw: { socket } }: FastifyRequest): Presented {
  const last = lastPresented.get(socket);
  if (last?.authorization === authorization) return last.presented;
  const [, token] = /^bearer +(\S.*)$/i.exec(authorization) ?? [];
  if (token === undefined) {
    throw unauthenticated('UNAUTHORIZED', 'send the header "Authorization: Bearer <API key>"');
  }
  const presented = present('apiKey', token);
  lastPresented.set(socket, { authorization, presented });
  return presented;
}
