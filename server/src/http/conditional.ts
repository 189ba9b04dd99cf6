import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Characters of a digest in a tag: 132 bits. */
const TAG_CHARACTERS = 22;

/** A digest of an answer, for its tag. */
export const digestOf = (answer: string | Uint8Array): string =>
  hash('sha256', answer, 'base64url').slice(0, TAG_CHARACTERS);

/**
 * True if the client of a GET or HEAD has the answer with this tag, by the weak comparison of its header `If-None-Match`
 * (RFC 9110, 13.1.2). The tag must be without `W/`, and without commas.
 */
export function has({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

/** Answers 304: the client has the answer already, with the headers that the reply has. */
export function notModified(reply: FastifyReply): FastifyReply {
  reply.removeHeader('content-type');
  // Fastify would tell HEAD of a length of 0, which is not that of the answer.
  reply.code(304).hijack();
  reply.raw.writeHead(304, reply.getHeaders() as Record<string, string>).end();
  return reply;
}

/**
 * Gives the answer with one record its tag, a weak one, since its codings share it; browsers may keep the answer, and ask each
 * time. Call it once all is decided: it is the answer to this caller. True if the client has it.
 */
export function isKept(reply: FastifyReply, answer: string | Uint8Array): boolean {
  const tag = `"${digestOf(answer)}"`;
  reply.headers({
    etag: `W/${tag}`,
    'cache-control': 'private, no-cache',
    vary: 'authorization, accept-encoding',
  });
  return has(reply.request, tag);
}
