import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, unauthenticated } from '../access/authenticator.ts';
import { limitHeader, policyHeader } from '../limits/headers.ts';
import type { Kind } from '../limits/table.ts';
import { authenticated, type Counted, limited } from '../operations/admission.ts';
import type { Services } from '../operations/services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is authenticated. */
    caller: Caller | undefined;
  }
}

/** The first two steps of a request: authenticate (401), by default with the API key in its header, and limit (429). */
export async function admit(
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
  authenticate = async () => services.authenticator.authenticate('apiKey', bearerOf(request)),
): Promise<void> {
  request.caller = await authenticated(services, request.ip, authenticate);
  await limited(services, kind, request.caller, setLimitHeaders(reply));
}

/** The first step of an open operation: limit (429), per address. */
export const admitAnybody = (
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => limited(services, kind, request.ip, setLimitHeaders(reply));

const setLimitHeaders =
  (reply: FastifyReply) =>
  ({ kind, limit, verdict }: Counted): void => {
    reply
      .header('ratelimit-policy', policyHeader(kind, limit))
      .header('ratelimit', limitHeader(kind, verdict));
  };

/** The bearer token in the header `Authorization` (RFC 6750, 2.1). Throws UNAUTHORIZED without one. */
function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string {
  const [, token] = /^bearer +(\S.*)$/i.exec(authorization) ?? [];
  if (token === undefined) {
    throw unauthenticated('UNAUTHORIZED', 'send the header "Authorization: Bearer <API key>"');
  }
  return token;
}
