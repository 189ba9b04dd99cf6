import type { TSchema } from 'typebox';
import { rules } from '../../access/rules.ts';
import { visibility } from '../../access/visibility.ts';
import { type ErrorCode, errorCodes } from '../../errors.ts';
import type { EventTable } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import { limitTable, WINDOW_MS } from '../../limits/table.ts';
import { deprecatedUses, deprecationWords } from '../../operations/deprecation.ts';
import { bodyExamples, exampleOf } from '../../operations/examples.ts';
import { prefixOf } from '../../operations/operation.ts';
import type { Operation } from '../../operations/perform.ts';
import { envelopeOf, expandedField, querySchemaOf } from '../../operations/schemas.ts';
import type { WriteOperation } from '../../operations/write.ts';
import {
  deprecationHeaders,
  headers,
  headersOf,
  idempotencyKey,
  lastEventId,
  limited,
  refTo,
  refusalResponse,
  refusals,
} from './answers.ts';
import { describeEvents, EVENT, eventExample, LIVE_EVENT } from './events.ts';
import { hookPaths } from './hooks.ts';
import { introduction } from './introduction.ts';
import { oauthPaths } from './oauth.ts';
import { pathParameter, queryParameter } from './parameters.ts';
import { definition, documented, namedSchemas, titleOf } from './schemas.ts';
import { securitySchemes, sessions } from './security.ts';
import { pingEvent, webhookHeaders, webhooksOf } from './webhooks.ts';

/** The implemented version of the specification (part 9). */
const SPECIFICATION_VERSION = 'v2026.03.6600f9';

/** A group of operations in the documentation. `description` is CommonMark; `x-displayName` is the title. */
interface Tag {
  name: string;
  description: string;
  'x-displayName': string;
}

/** Related groups, in reading order. */
export interface TagGroup {
  name: string;
  tags: readonly Tag[];
}

/**
 * Builds the OpenAPI document from the operations' rows and the event table. `address` is the server's, such
 * as `https://chat.example.com`.
 */
export function openApiDocument(
  operations: readonly Operation[],
  events: EventTable,
  groups: readonly TagGroup[],
  address: string,
): object {
  const described = describeEvents(events);
  const named = namedSchemas([...operations.flatMap(schemasIn), ...described.schemas, pingEvent]);
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
    servers: [{ url: address, description: 'This server' }],
    tags: groups.flatMap(({ tags }) => tags),
    'x-tagGroups': groups.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) })),
    security: [{ apiKey: [] }, ...sessions],
    paths: { ...pathsOf(operations, events), ...hookPaths, ...oauthPaths },
    webhooks: webhooksOf(events),
    components: {
      securitySchemes,
      schemas: {
        ...Object.fromEntries([...named].map(([name, schema]) => [name, definition(schema)])),
        ...described.unions,
      },
      headers,
      parameters: { IdempotencyKey: idempotencyKey, LastEventId: lastEventId, ...webhookHeaders },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([name, refusal]) => [name, refusalResponse(refusal)]),
      ),
    },
  };
}

const schemasIn = (operation: Operation): TSchema[] => [
  ...(operation.body ? [operation.body] : []),
  ...answersIn(operation),
];

const answersIn = (operation: Operation): TSchema[] =>
  operation.does === 'read' || operation.does === 'write' || operation.does === 'act'
    ? [operation.answer]
    : operation.does === 'upload'
      ? [operation.row.answer]
      : [];

/** Returns the path items. Paths that differ only in a parameter's name must share a path item. */
function pathsOf(operations: readonly Operation[], events: EventTable): object {
  const shapeOf = (path: string) => path.replace(/:\w+/g, ':');
  const gets = operations.filter(({ method }) => method === 'GET');
  const pathOfShape = new Map(gets.map(({ path }) => [shapeOf(path), path]));
  const paths: Record<string, object> = {};
  for (const operation of operations) {
    const path = pathOfShape.get(shapeOf(operation.path)) ?? operation.path;
    const template = prefixOf(operation) + path.replace(/:(\w+)/g, '{$1}');
    paths[template] = {
      ...paths[template],
      [operation.method.toLowerCase()]: describe(operation, path, events),
    };
  }
  return paths;
}

function describe(operation: Operation, path: string, events: EventTable): object {
  const { does, list, method, summary, tag, open, people, deprecated } = operation;
  const uses = deprecatedUses(operation) !== undefined;
  const query = querySchemaOf(operation);
  // Acts are not replayed, because their responses set cookies.
  const isPost = method === 'POST' && does !== 'act';
  const conflict = (does === 'write' || does === 'act') && operation.conflict;
  return {
    operationId: operation.operation,
    tags: [tag],
    summary,
    description: wordsOf(operation),
    ...((open || people) && { security: open ? (people ? [{ server: [] }] : []) : sessions }),
    ...(deprecated && { deprecated: true, 'x-deprecation': deprecated }),
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => pathParameter(name as string, tag, path)),
      ...Object.entries(query?.properties ?? {}).map(queryParameter(query?.required)),
      ...(isPost ? [refTo('parameters', 'IdempotencyKey')] : []),
      ...(does === 'follow' ? [refTo('parameters', 'LastEventId')] : []),
    ],
    ...requestBodyOf(operation),
    responses: {
      200: {
        description: describeAnswer(operation),
        headers: {
          ...headersOf([
            'X-Request-Id',
            ...limited,
            'Ignored-Parameters',
            ...(list || uses ? ['Link'] : []),
            ...(isPost ? ['Idempotency-Replayed'] : []),
          ]),
          ...(uses && deprecationHeaders),
        },
        content: contentOf(operation, events),
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

function requestBodyOf(operation: Operation): object {
  if (operation.does === 'upload') {
    const bytes = { type: 'string', format: 'binary' };
    const form = { type: 'object', properties: { file: bytes }, required: ['file'] };
    const content = Object.fromEntries(
      operation.row.takes.map((type: string) => [
        type,
        { schema: type === 'multipart/form-data' ? form : bytes },
      ]),
    );
    return { requestBody: { required: true, content } };
  }
  if ((operation.does !== 'write' && operation.does !== 'act') || !operation.body) return {};
  const { body } = operation;
  return {
    requestBody: {
      required: ((body.required as string[] | undefined) ?? []).length > 0,
      content: {
        'application/json': { schema: documented(body), ...mediaExamples(bodyExamples(operation)) },
      },
    },
  };
}

/** Returns the media types of a success response, each with its schema and an example. */
function contentOf(operation: Operation, events: EventTable): object {
  if (operation.does === 'download') {
    return { [operation.type]: { schema: { type: 'string', format: 'binary' } } };
  }
  if (operation.does === 'follow') {
    const event = eventExample(events);
    const data = Type.Unsafe({ $ref: `#/components/schemas/${EVENT}` });
    const unions = [EVENT, LIVE_EVENT].map((name) => refTo('schemas', name));
    const stream = {
      type: 'string',
      description: 'Server-sent events; each `data` is the JSON of an event',
      contentMediaType: 'application/json',
      contentSchema: { anyOf: unions },
    };
    return {
      'application/json': {
        schema: documented(envelopeOf(data, 'feed')),
        example: { ok: true, data: [event], nextCursor: event.id },
      },
      'text/event-stream': {
        schema: stream,
        example: `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`,
      },
    };
  }
  const answer = operation.does === 'upload' ? operation.row.answer : operation.answer;
  const { list, hasPrevious, expands = [] } = operation;
  const envelope = envelopeOf(answer, list, hasPrevious);
  const schema = expands.length === 0 ? envelope : Type.Object({ ...envelope.properties, ...expandedField });
  const record = exampleOf(answer, operation.tag);
  const data = list === 'many' ? [record] : record;
  return {
    'application/json': {
      schema: documented(schema),
      example: { ok: true, data, ...(list && { nextCursor: null }) },
    },
  };
}

function mediaExamples(examples: Record<string, object>): object {
  const all = Object.entries(examples);
  if (all.length === 1) return { example: all[0]?.[1] };
  return {
    examples: Object.fromEntries(
      all.map(([summary, value]) => [summary.replaceAll(/\W+/g, '-'), { summary, value }]),
    ),
  };
}

/** Returns an operation's description, with its permissions and its rate limit. */
function wordsOf(operation: Operation): string {
  const { description, kind, deprecated } = operation;
  const limit = `**Limit:** ${kind}, ${limitTable[kind]} in ${WINDOW_MS / 1000} s unless the operator has changed it.`;
  const end = deprecated && deprecationWords(deprecated);
  return [end, description, permissionWords(operation), limit].filter(Boolean).join('\n\n');
}

function permissionWords(operation: Operation): string {
  if (operation.open) return `**Permission:** anyone, without a ${operation.people ? 'session' : 'key'}.`;
  if (operation.does === 'write' || operation.does === 'act' || operation.does === 'upload') {
    const { resource, verb } = (operation as WriteOperation).row;
    return `**Permission:** ${rules[resource as keyof typeof rules][verb as 'insert'].words}.`;
  }
  return `**Permission to read:** ${visibility[operation.row.visible as keyof typeof visibility].words}.`;
}

function describeAnswer(operation: Operation): string {
  switch (operation.does) {
    case 'follow':
      return 'A page or a stream of events';
    case 'download':
      return 'The content of the file';
    case 'act':
      return `The ${titleOf(operation.answer)} record`;
    case 'upload':
      return `The ${titleOf(operation.row.answer)} record`;
    case 'read': {
      const title = titleOf(operation.answer);
      return operation.list === 'many' ? `A page of ${title} records` : `The ${title} record`;
    }
    case 'write':
      return `The ${operation.row.verb === 'delete' ? 'deleted ' : ''}${titleOf(operation.answer)} record`;
  }
}
