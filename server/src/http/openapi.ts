import type { TSchema } from 'typebox';
import { rules } from '../access/rules.ts';
import { visibility } from '../access/visibility.ts';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { flagMeanings } from '../lib/flags.ts';
import { limitTable, WINDOW_MS } from '../limits/table.ts';
import type { Endpoint } from './endpoint.ts';
import { bodyExamples, exampleOf, nounOf, sampleId } from './examples.ts';
import {
  headers,
  headersOf,
  idempotencyKey,
  lastEventId,
  limited,
  refTo,
  refusalResponse,
  refusals,
} from './openapiAnswers.ts';
import { answerSchema, querySchema } from './schemas.ts';

/** The label of the specification that this implements (part 9). */
const SPECIFICATION_VERSION = 'v2026.03.6600f9';

/** Schemas of records, by their titles. */
type Records = ReadonlyMap<string, TSchema>;

/** What a client may read of every part of the API, before the endpoints. */
const introduction = `Palaver is a chat platform that is driven through this API: servers, channels, messages, threads and what belongs to them.

Every request carries an API key: \`Authorization: Bearer $KEY\`. A key is for one server, acts as one user, and has the flags of its role:

| Flag | Allows |
|---|---|
${Object.entries(flagMeanings)
  .map(([flag, meaning]) => `| ${flag} | ${meaning} |`)
  .join('\n')}

- Answers are JSON: \`{"ok": true, "data": …}\`, or \`{"ok": false, "error": {"code", "message", "requestId"}}\`. Every success is 200.
- Lists carry \`nextCursor\`; send it as \`cursor\` to get the next page. It is null on the last.
- Times are milliseconds since the Unix epoch. Identifiers are UUIDv7 strings.
- Requests are limited per user and kind, in a sliding window. \`RateLimit\` tells what is left, \`Retry-After\` how long to wait.
- A POST may carry \`Idempotency-Key\`, so that it can be repeated without a second effect.
- Unknown fields and query parameters are ignored, and named in \`Ignored-Parameters\`.
- A DELETE needs no body; an \`id\` in a body must equal that of the path.
- A request may carry its own \`X-Request-Id\` of up to 64 letters, digits, \`_\`, \`.\` or \`-\`; the answer repeats it.`;

/** The OpenAPI document, made from the endpoints' rows. `prefix` stands before their paths. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  records: readonly TSchema[],
  tags: readonly { name: string; description: string }[],
  prefix: string,
): object {
  const named = new Map(records.map((schema) => [titleOf(schema), schema]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Palaver',
      version: SPECIFICATION_VERSION,
      summary: 'The REST API of a self-hosted chat platform',
      description: introduction,
      contact: { name: 'The operator of this server' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags,
    security: [{ apiKey: [] }],
    paths: pathsOf(endpoints, named, prefix),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key; it begins with `sk_live_`. It is for one server and has the flags of its role.',
        },
      },
      schemas: Object.fromEntries([...named].map(([title, schema]) => [title, documented(schema)])),
      headers,
      parameters: { IdempotencyKey: idempotencyKey, LastEventId: lastEventId },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([name, refusal]) => [name, refusalResponse(refusal)]),
      ),
    },
  };
}

/** Endpoints whose paths differ in the name of a parameter alone share one path item, as OpenAPI wants it. */
function pathsOf(endpoints: readonly Endpoint[], named: Records, prefix: string): object {
  const shapeOf = (path: string) => path.replace(/:\w+/g, ':');
  const reads = new Map(endpoints.filter(({ read }) => read).map(({ path }) => [shapeOf(path), path]));
  const paths: Record<string, object> = {};
  for (const endpoint of endpoints) {
    const path = reads.get(shapeOf(endpoint.path)) ?? endpoint.path;
    const template = prefix + path.replace(/:(\w+)/g, '{$1}');
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
    paths[template] = {
      ...paths[template],
      [endpoint.method.toLowerCase()]: operationOf(endpoint, names, named),
    };
  }
  return paths;
}

/** A schema as the document has it: references point into the document, and records need no `$id`. */
function documented(schema: TSchema): object {
  const { $id, ...rest } = JSON.parse(JSON.stringify(schema)) as { $id?: string };
  return JSON.parse(JSON.stringify(rest).replace(/"\$ref":"(\w+)#"/g, '"$ref":"#/components/schemas/$1"'));
}

function operationOf(endpoint: Endpoint, names: string[], named: Records): object {
  const { body, conflict, list, method, operation, summary, tag } = endpoint;
  const query = querySchema(endpoint);
  return {
    operationId: operation,
    tags: [tag],
    summary,
    description: describe(endpoint),
    parameters: [
      ...names.map((name) => pathParameter(name, tag)),
      ...Object.entries(query?.properties ?? {}).map(queryParameter),
      ...(method === 'POST' ? [refTo('parameters', 'IdempotencyKey')] : []),
      ...(list === 'feed' ? [refTo('parameters', 'LastEventId')] : []),
    ],
    ...(body && {
      requestBody: {
        required: ((body.required as string[] | undefined) ?? []).length > 0,
        content: {
          'application/json': { schema: documented(body), ...mediaExamples(bodyExamples(endpoint)) },
        },
      },
    }),
    responses: {
      200: {
        description: describeAnswer(endpoint),
        headers: headersOf([
          'X-Request-Id',
          ...limited,
          'Ignored-Parameters',
          ...(list ? ['Link'] : []),
          ...(method === 'POST' ? ['Idempotency-Replayed'] : []),
        ]),
        content: {
          'application/json': {
            schema: documented(answerSchema(endpoint)),
            example: answerExample(endpoint, named),
          },
          ...(list === 'feed' && { 'text/event-stream': eventStream(answerExample(endpoint, named)) }),
        },
      },
      ...Object.fromEntries(
        Object.entries(refusals)
          .filter(([name]) => name !== 'AlreadyExists' || conflict)
          .map(([name, { codes, status }]) => [
            status ?? errorCodes[codes[0] as ErrorCode],
            refTo('responses', name),
          ]),
      ),
    },
  };
}

function queryParameter([name, schema]: [string, TSchema]): object {
  const { description, ...rest } = documented(schema) as { description?: string };
  return { in: 'query', name, required: false, description: description ?? queryWords(name), schema: rest };
}

const queryWords = (name: string) => `Only those of this ${nounOf(name) ?? name}`;

const pathParameter = (name: string, tag: string) => {
  const noun = nounOf(name) ?? tag;
  const words = noun.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return {
    in: 'path',
    name,
    required: true,
    description: `Identifier of the ${words}`,
    schema: { type: 'string' },
    example: sampleId(noun),
  };
};

function mediaExamples(examples: Record<string, object>): object {
  const all = Object.entries(examples);
  if (all.length === 1) return { example: all[0]?.[1] };
  return {
    examples: Object.fromEntries(
      all.map(([summary, value]) => [summary.replaceAll(/\W+/g, '-'), { summary, value }]),
    ),
  };
}

function describe({ description, kind, read, write }: Endpoint): string {
  const who = write
    ? `**Who may:** ${rules[write.resource][write.verb].words}.`
    : `**Who may read it:** ${visibility[read?.visible as keyof typeof visibility].words}.`;
  const limit = `**Limit:** ${kind}, ${limitTable[kind]} in ${WINDOW_MS / 1000} s unless the operator has set another.`;
  return [description, who, limit].filter(Boolean).join('\n\n');
}

const titleOf = (schema: TSchema): string => (schema as { title?: string }).title as string;

function describeAnswer({ answer, list, write }: Endpoint): string {
  if (list === 'feed') return `A page, or a stream, of events: ${titleOf(answer)}`;
  if (list === 'many') return `A page of records: ${titleOf(answer)}`;
  if (write?.verb === 'delete') return `The record as it was just before: ${titleOf(answer)}`;
  return `The record: ${titleOf(answer)}`;
}

function answerExample({ answer, list, tag }: Endpoint, named: Records) {
  const data = exampleOf(answer, titleOf(answer) === 'PinnedMessage' ? 'message' : tag, named);
  if (list === 'feed') return { ok: true, data: [data], nextCursor: (data as { id: string }).id };
  return { ok: true, data: list === 'many' ? [data] : data, ...(list && { nextCursor: null }) };
}

/** The same events as a stream of server-sent events. */
function eventStream({ data }: { data: unknown }): object {
  const [event] = data as [{ id: string }];
  return { schema: { type: 'string' }, example: `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n` };
}
