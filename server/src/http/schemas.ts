import type { FastifySchema } from 'fastify';
import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import type { Resource } from '../access/rules.ts';
import { ruleText } from '../access/rules.ts';
import { visibility } from '../access/visibility.ts';
import { errorCodes } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';

/** Page sizes (decisions, part 4). */
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** The error envelope (decisions, part 1). */
export const errorSchema = Type.Object(
  {
    ok: Type.Unsafe<false>({ type: 'boolean', enum: [false] }),
    error: Type.Object({
      code: Type.Unsafe<string>({ type: 'string', enum: Object.keys(errorCodes) }),
      message: Type.String({ description: 'What to change' }),
      requestId: Type.String({ description: 'Equals the X-Request-Id header' }),
      details: Type.Optional(
        Type.Unsafe({
          description:
            'INVALID_REQUEST: a list of {path, message}. FORBIDDEN: the rule, the flags you have, the flags that would do.',
        }),
      ),
    }),
  },
  { $id: 'Error', title: 'Error' },
);

const ok = Type.Unsafe<true>({ type: 'boolean', enum: [true] });
const cursor = Type.String({ minLength: 1, maxLength: 2048, description: 'What nextCursor gave' });
const nextCursor = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Null on the last page',
});

const paging: Record<string, TProperties> = {
  many: {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: 'Records in a page',
      }),
    ),
    cursor: Type.Optional(cursor),
  },
  within: { cursor: Type.Optional(cursor) },
};

const refTo = (schema: TSchema): TSchema => Type.Unsafe({ $ref: `${(schema as { $id?: string }).$id}#` });

function answerOf({ answer, list }: Endpoint): TObject {
  const data = refTo(answer);
  if (list === 'many') return Type.Object({ ok, data: Type.Array(data), nextCursor });
  if (list === 'within') return Type.Object({ ok, data, nextCursor });
  return Type.Object({ ok, data });
}

const refusals: Record<number, string> = {
  400: 'INVALID_REQUEST: fields are missing or have invalid values',
  401: 'UNAUTHORIZED or INVALID_API_KEY',
  403: 'FORBIDDEN: the key lacks the permission',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RATE_LIMITED: wait for Retry-After',
  500: 'INTERNAL_ERROR',
};

/** Everything that Fastify validates, serializes and documents of an endpoint, from its row. */
export function routeSchema(endpoint: Endpoint): FastifySchema {
  const { body, list, method, operation, path, query, summary, tag } = endpoint;
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const statuses =
    method === 'POST' ? Object.keys(refusals) : Object.keys(refusals).filter((status) => status !== '409');
  return {
    operationId: operation,
    tags: [tag],
    summary,
    description: describe(endpoint),
    security: [{ apiKey: [] }],
    ...(names.length > 0 && { params: pathParameters(names) }),
    ...((query || list) && { querystring: Type.Object({ ...query?.properties, ...(list && paging[list]) }) }),
    ...(body && { body }),
    ...(method === 'POST' && { headers: idempotencyHeader }),
    response: {
      200: { description: 'Done', ...answerOf(endpoint) },
      ...Object.fromEntries(
        statuses.map((status) => [status, { description: refusals[Number(status)], $ref: 'Error#' }]),
      ),
    },
  } as FastifySchema;
}

const pathParameters = (names: string[]): TObject =>
  Type.Object(
    Object.fromEntries(
      names.map((name) => [name, Type.String({ examples: ['0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90'] })]),
    ),
  );

const idempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'Send the same key again to get the first answer again instead of a second effect',
    }),
  ),
});

function describe({ description, kind, read, write }: Endpoint): string {
  const rule = write
    ? `Rule: ${ruleText(write.resource as Resource, write.verb)}.`
    : `Visible to: ${visibility[read?.visible as keyof typeof visibility].words}.`;
  return [description, rule, `Counts against: ${kind}.`].filter(Boolean).join('\n\n');
}
