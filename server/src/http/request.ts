import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKey } from '../operations/idempotency.ts';
import type { Answer, RawInput } from '../operations/operation.ts';
import { sendBytes } from './portions.ts';

/** The parts of a request that are the input of an operation. */
export const inputOf = ({ params, query, body }: FastifyRequest): RawInput => ({
  params: params as Record<string, string>,
  query: query as Record<string, unknown>,
  body,
});

/** The `Idempotency-Key` of a POST; undefined without one. Throws INVALID_REQUEST. */
export const keyOf = ({ method, headers }: FastifyRequest): string | undefined =>
  method === 'POST' ? idempotencyKey(headers['idempotency-key']) : undefined;

/** Sets the headers of an answer in JSON, and sends its text as `sendBytes` does. Throws RATE_LIMITED, as `Unread.add` does. */
export function send(
  reply: FastifyReply,
  { isReplayed }: Pick<Answer, 'isReplayed'>,
  text: string | Uint8Array,
): string | Uint8Array | FastifyReply {
  reply.server.unread.add(reply, text);
  if (isReplayed) reply.header('idempotency-replayed', 'true');
  reply.header('content-type', 'application/json; charset=utf-8');
  return sendBytes(reply, text);
}

/** The header `Link` (RFC 8288) to the next page of a list or log. */
export function linkTo({ url }: FastifyRequest, query: object): string {
  const [path = ''] = url.split('?', 1);
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.append(name, String(value));
  return `<${path}?${parameters}>; rel="next"`;
}
