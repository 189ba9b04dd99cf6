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

/** The first two steps of a request: authenticate (401), by its header unless told otherwise, and limit (429). */
export async function admit(
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
  authenticate = async () => services.authenticator.authenticate('apiKey', bearerOf(request)),
): Promise<void> {
  request.caller = await authenticated(services, request.ip, authenticate);
  await limited(services, kind, request.caller, tellIn(reply));
}

/** The same for an open operation, which is limited by the address that it is asked from. */
export const admitAnybody = (
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => limited(services, kind, request.ip, tellIn(reply));

const tellIn =
  (reply: FastifyReply) =>
  ({ kind, limit, verdict }: Counted): void => {
    reply
      .header('ratelimit-policy', policyHeader(kind, limit))
      .header('ratelimit', limitHeader(kind, verdict));
  };

/** The token in `Authorization`. Throws UNAUTHORIZED without one. */
function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string {
  const [, token] = /^bearer +(\S.*)$/i.exec(authorization) ?? [];
  if (token === undefined) {
    throw unauthenticated('UNAUTHORIZED', 'send the header "Authorization: Bearer <API key>"');
  }
  return token;
}
