import type { FastifySchema } from 'fastify';
import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
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

const feedCursor = Type.String({
  description: 'Where the feed goes on, also where nothing has happened yet',
});

const limit = Type.Integer({
  minimum: 1,
  maximum: MAX_LIMIT,
  default: DEFAULT_LIMIT,
  description: 'Records in a page',
});

/** The query parameters that each kind of list has. */
export const paging: Record<NonNullable<Endpoint['list']>, TProperties> = {
  many: { limit: Type.Optional(limit), cursor: Type.Optional(cursor) },
  within: { cursor: Type.Optional(cursor) },
  feed: { limit: Type.Optional(limit) },
};

const refTo = (schema: TSchema): TSchema => Type.Unsafe({ $ref: `${(schema as { $id?: string }).$id}#` });

/** The envelope of an endpoint's success. */
export function answerSchema({ answer, list }: Endpoint): TObject {
  const data = refTo(answer);
  if (list === 'many') return Type.Object({ ok, data: Type.Array(data), nextCursor });
  if (list === 'feed') return Type.Object({ ok, data: Type.Array(data), nextCursor: feedCursor });
  if (list === 'within') return Type.Object({ ok, data, nextCursor });
  return Type.Object({ ok, data });
}

/** The query parameters of an endpoint, those of its list among them. */
export const querySchema = ({ query, list }: Endpoint): TObject | undefined =>
  query || list ? Type.Object({ ...query?.properties, ...(list && paging[list]) }) : undefined;

/** Everything that Fastify validates and serializes of an endpoint, from its row. */
export function routeSchema(endpoint: Endpoint): FastifySchema {
  const { body } = endpoint;
  const querystring = querySchema(endpoint);
  return {
    ...(querystring && { querystring }),
    ...(body && { body }),
    response: { 200: answerSchema(endpoint) },
  };
}
