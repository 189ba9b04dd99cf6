import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKey } from '../operations/idempotency.ts';
import type { Answer, RawInput } from '../operations/operation.ts';

/** The parsed parts of a request that an operation looks at. */
export const inputOf = ({ params, query, body }: FastifyRequest): RawInput => ({
  params: params as Record<string, string>,
  query: query as Record<string, unknown>,
  body,
});

/** The `Idempotency-Key` of a request, if it is a POST that has one. Throws INVALID_REQUEST. */
export const keyOf = ({ method, headers }: FastifyRequest): string | undefined =>
  method === 'POST' ? idempotencyKey(headers['idempotency-key']) : undefined;

/** Sends an answer that is JSON already. */
export function send(
  reply: FastifyReply,
  { isReplayed }: Answer,
  text: string | Uint8Array,
): string | Uint8Array {
  if (isReplayed) reply.header('idempotency-replayed', 'true');
  reply.header('content-type', 'application/json; charset=utf-8');
  return text;
}

/** The address of another page of the same list or log, for the header Link. */
export function linkTo({ url }: FastifyRequest, query: object): string {
  const [path = ''] = url.split('?', 1);
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.append(name, String(value));
  return `<${path}?${parameters}>; rel="next"`;
}
