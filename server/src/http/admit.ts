import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { limitHeader, policyHeader, rateLimited } from '../limits/headers.ts';
import type { Kind } from '../limits/table.ts';
import type { Services } from './services.ts';

/** The first two steps of a request: authenticate (401), by its header unless told otherwise, and limit (429). */
export async function admit(
  services: Services,
  kind: Kind,
  request: FastifyRequest,
  reply: FastifyReply,
  authenticate = () => services.authenticator.authenticate(request.headers.authorization),
): Promise<void> {
  const { limits, limiter } = services;
  try {
    request.principal = await authenticate();
  } catch (error) {
    const limit = limits.authentication;
    if (!(error instanceof ApiError) || limit === 0) throw error;
    const verdict = await limiter.take(`authentication ${request.ip}`, limit);
    throw verdict.accepted ? error : rateLimited('authentication', limit, verdict);
  }
  const limit = limits[kind];
  if (limit > 0) {
    const taken = limiter.take(`${kind} ${request.principal.userId}`, limit);
    const verdict = taken instanceof Promise ? await taken : taken;
    reply
      .header('ratelimit-policy', policyHeader(kind, limit))
      .header('ratelimit', limitHeader(kind, verdict));
    if (!verdict.accepted) throw rateLimited(kind, limit, verdict);
  }
  if (request.principal.hookChannelId === null) services.keyUse.note(request.principal.keyId);
}
