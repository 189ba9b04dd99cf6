import type { TObject, TProperties, TSchema } from 'typebox';
import { errorCodes, problem, reasons } from '../errors.ts';
import { Type, unstable } from '../lib/schema.ts';
import type { Described, ListKind } from './operation.ts';

/** Maximum and default page sizes (decisions, part 4). */
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

const messageSchema = unstable(
  Type.String({
    description: 'A human-readable description of the problem. The wording may change in any version',
  }),
);

/** An entry in the `details` of INVALID_REQUEST. */
const problemSchema = Type.Object(
  {
    path: Type.String({
      description: 'The path of the field in the body or query; empty for the body or query as a whole',
    }),
    message: messageSchema,
    reason: Type.Unsafe<string>({
      type: 'string',
      enum: Object.keys(reasons),
      description: `${Object.entries(reasons)
        .map(([reason, meaning]) => `- \`${reason}\`: ${meaning}`)
        .join('\n')}`,
    }),
    help: Type.String({ description: 'The path of the page that explains the reason, on this server' }),
    cursor: Type.Optional(
      Type.String({
        description: 'The cursor to continue from; only with `expired` and `other_history`',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        format: 'int64',
        minimum: 0,
        description:
          'The length of the streamed message so far, in UTF-16 code units, or of the import archive so far, in bytes; only with `wrong_offset` and `ended`',
      }),
    ),
    stream: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['done', 'stopped'],
        description: 'How the streamed message ended; only with `ended`',
      }),
    ),
  },
  {
    $id: 'Problem',
    title: 'Problem',
    examples: [problem('wrong_type', 'content', 'must be a string')],
  },
);

/** The error envelope (decisions, part 1). */
export const errorSchema = Type.Object(
  {
    ok: Type.Unsafe<false>({ type: 'boolean', enum: [false] }),
    error: Type.Object({
      code: Type.Unsafe<string>({ type: 'string', enum: Object.keys(errorCodes) }),
      message: messageSchema,
      requestId: Type.String({ description: 'Same as the X-Request-Id header' }),
      details: Type.Optional(
        Type.Unsafe({
          anyOf: [
            { type: 'array', items: problemSchema },
            { type: 'object', additionalProperties: true },
          ],
          description:
            'INVALID_REQUEST: a list of `Problem`. FORBIDDEN: the rule, the flags you have, and missing flags that would allow the request. UNAUTHORIZED at sign-in: `need`, if a code or a username is required. ALREADY_EXISTS: the `id` of the existing record, if you can read it.',
        }),
      ),
    }),
  },
  { $id: 'Error', title: 'Error' },
);

const ok = Type.Unsafe<true>({ type: 'boolean', enum: [true] });
const cursor = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The `nextCursor` of the previous page',
});
const nextCursor = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Null on the last page',
});

const previousCursor = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'With `around`: pass it as `cursor` for newer records. Null if there are none yet',
  }),
);

const feedCursor = Type.String({
  description: 'Pass it as `after` to continue. Never null',
});

const limit = Type.Integer({
  minimum: 1,
  maximum: MAX_LIMIT,
  default: DEFAULT_LIMIT,
  description: 'Maximum number of records in the page',
});

/** The query parameters of each kind of list. */
const paging: Record<ListKind, TProperties> = {
  many: { limit: Type.Optional(limit), cursor: Type.Optional(cursor) },
  within: { cursor: Type.Optional(cursor) },
  feed: { limit: Type.Optional(limit) },
};

/** The field of the envelope that `expand` adds. */
export const expandedField = {
  expanded: Type.Optional(
    Type.Object(
      {
        users: Type.Unsafe<object>({
          type: 'object',
          additionalProperties: { $ref: '#/components/schemas/User' },
          description: 'User profiles by user id',
        }),
      },
      { description: 'Present if `expand` was given' },
    ),
  ),
};

/**
 * Returns the envelope of a successful response (decisions, part 1). With `hasPrevious`, some pages have a
 * `previousCursor`.
 */
export function envelopeOf(data: TSchema, list: ListKind | undefined, hasPrevious = false): TObject {
  if (list === 'many') {
    return Type.Object({ ok, data: Type.Array(data), nextCursor, ...(hasPrevious && { previousCursor }) });
  }
  if (list === 'feed') return Type.Object({ ok, data: Type.Array(data), nextCursor: feedCursor });
  if (list === 'within') return Type.Object({ ok, data, nextCursor });
  return Type.Object({ ok, data });
}

const expandOf = (words: readonly string[]) =>
  Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Adds user profiles to the response, in \`expanded\`: ${words.map((word) => `\`${word}\``).join(' or ')}, separated by commas`,
      examples: [words[0]],
    }),
  );

const querySchemas = new WeakMap<Described, TObject>();

/**
 * Returns an operation's query parameters, including those for its kind of list. Undefined if it has none.
 */
export function querySchemaOf(operation: Described): TObject | undefined {
  const { list, expands = [] } = operation;
  if (!operation.query && !list && expands.length === 0) return undefined;
  let schema = querySchemas.get(operation);
  if (!schema) {
    schema = Type.Object({
      ...operation.query?.properties,
      ...(expands.length > 0 && { expand: expandOf(expands) }),
      ...(list && paging[list]),
    });
    querySchemas.set(operation, schema);
  }
  return schema;
}
