import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKey } from '../operations/idempotency.ts';
import type { Answer, RawInput } from '../operations/operation.ts';
import { sendBytes } from './chunks.ts';
import { sendEncoded } from './encoding.ts';

/** Returns the parts of a request that form the input of an operation. */
export const inputOf = ({ params, query, body }: FastifyRequest): RawInput => ({
  params: params as Record<string, string>,
  query: query as Record<string, unknown>,
  body,
});

/** Returns the `Idempotency-Key` of a POST; undefined if there is none. Throws INVALID_REQUEST. */
export const keyOf = ({ method, headers }: FastifyRequest): string | undefined =>
  method === 'POST' ? idempotencyKey(headers['idempotency-key']) : undefined;

/**
 * The return value of a request's handler: a response that was already sent, or one that still has to be
 * sent.
 */
type Sent = string | Uint8Array | FastifyReply;

/**
 * Sets the headers of a JSON response and sends its text, compressed if the client accepts that, unless it is
 * `confidential`. Throws RATE_LIMITED like `Unread.add`.
 */
export function send(
  reply: FastifyReply,
  {
    isReplayed,
    confidential,
    cached,
  }: Pick<Answer, 'isReplayed'> & {
    confidential?: boolean | undefined;
    cached?: Answer['cached'] | undefined;
  },
  text: string | Uint8Array,
): Sent | Promise<Sent> {
  const length = reply.server.unread.add(reply, text);
  if (isReplayed) reply.header('idempotency-replayed', 'true');
  reply.header('content-type', 'application/json; charset=utf-8');
  // Confidential responses are not compressed: the length could reveal a secret to an attacker who controls
  // another part of the response (BREACH).
  return confidential ? sendBytes(reply, text) : sendEncoded(reply, text, length, cached);
}

/** Adds a link to the `Link` header (RFC 8288). */
export function addLink(reply: FastifyReply, link: string): void {
  const before = reply.getHeader('link');
  reply.header('link', before === undefined ? link : `${before}, ${link}`);
}

/** Returns the value of the `Link` header (RFC 8288) for the next page of a list or log. */
export function linkTo({ url, server }: FastifyRequest, query: object): string {
  const [path = ''] = url.split('?', 1);
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.append(name, String(value));
  return `<${server.site.base}${path}?${parameters}>; rel="next"`;
}
