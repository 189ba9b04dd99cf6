import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Number of characters of a digest in an ETag. They encode 132 bits. */
const TAG_CHARACTERS = 22;

/** Returns the digest of a response, for its ETag. */
export const digestOf = (answer: string | Uint8Array): string =>
  hash('sha256', answer, 'base64url').slice(0, TAG_CHARACTERS);

/**
 * Whether the client of a GET or HEAD already has the response with this ETag, by weak comparison with
 * `If-None-Match` (RFC 9110, 13.1.2). `tag` must not contain `W/` or commas.
 */
export function has({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

/** Responds with 304 Not Modified and the headers set so far. */
export function notModified(reply: FastifyReply): FastifyReply {
  reply.removeHeader('content-type');
  // Bypasses Fastify, which would send a length of 0 for HEAD instead of the actual length.
  reply.code(304).hijack();
  reply.raw.writeHead(304, reply.getHeaders() as Record<string, string>).end();
  return reply;
}

/**
 * Sets an ETag on a response with one record. The ETag is weak, because all content codings share it.
 * Browsers may cache the response, but revalidate it every time. Call this last, because the ETag depends on
 * the final response. Returns whether the client already has the response.
 */
export const isKept = (reply: FastifyReply, answer: string | Uint8Array): boolean =>
  isKeptAs(reply, digestOf(answer));

/** Like `isKept`, but takes the digest of the response. */
export function isKeptAs(reply: FastifyReply, digest: string): boolean {
  const tag = `"${digest}"`;
  reply.headers({
    etag: `W/${tag}`,
    'cache-control': 'private, no-cache',
    vary: 'authorization, accept-encoding',
  });
  return has(reply.request, tag);
}
