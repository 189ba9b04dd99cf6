/** The parts of an OpenAPI document that the pages display (OpenAPI 3.1). */
export interface Description {
  info: { title: string; version: string; description?: string };
  tags?: Tag[];
  /** Groups of tags, a widely supported extension. */
  'x-tagGroups'?: { name: string; tags: string[] }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks?: Record<string, Record<string, OperationObject>>;
  components: Record<string, Record<string, object>>;
}

export interface Tag {
  name: string;
  description?: string;
  'x-displayName'?: string;
}

interface OperationObject {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: object[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, Content> };
  responses?: Record<string, Answer | Reference>;
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

export interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value?: unknown }>;
}

export interface Answer {
  description?: string;
  content?: Record<string, Content>;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  deprecated?: boolean;
}

/** An operation with its position in the document. */
export interface Described {
  id: string;
  method: string;
  path: string;
  operation: OperationObject;
}

/** The operations of one tag, which share a page. */
export interface Group {
  /** The last segment of the page's URL. */
  name: string;
  title: string;
  description: string;
  operations: Described[];
}

export const REFERENCE = '/docs/reference';

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Turns words into a path segment: `App installs` becomes `app-installs`. */
const slugOf = (words: string): string =>
  words
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');

const operationsIn = (paths: Description['paths'] = {}): Described[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => {
        const operation = item[method] as OperationObject;
        return { id: operation.operationId ?? `${method}-${slugOf(path)}`, method, path, operation };
      }),
  );

export const titleOf = (tag: Tag): string => tag['x-displayName'] ?? tag.name;

/** Returns the document's groups, in the order of its tags. Tags without operations have no group. */
export function groupsOf(document: Description): Group[] {
  const all = operationsIn(document.paths);
  const groups = (document.tags ?? []).map((tag) => {
    const title = titleOf(tag);
    const operations = all.filter(({ operation }) => (operation.tags?.[0] ?? '') === tag.name);
    return { name: slugOf(title), title, description: tag.description ?? '', operations };
  });
  return groups.filter(({ operations }) => operations.length > 0);
}

/** Returns the requests sent to webhooks; empty if the document has none. */
export const sentEvents = (document: Description): Described[] =>
  Object.entries(document.webhooks ?? {}).flatMap(([name, item]) =>
    operationsIn({ [name]: item }).map((described) => ({ ...described, path: name })),
  );

/** Resolves a reference; returns any other object unchanged. */
export function resolve<T extends object>(document: Description, object: T | Reference): T {
  if (!('$ref' in object) || typeof object.$ref !== 'string') return object as T;
  const [, , kind = '', name = ''] = object.$ref.split('/');
  return document.components[kind]?.[name] as T;
}

/** Returns the name of the record that a schema refers to. */
export const recordOf = (schema: Schema): string | undefined => schema.$ref?.split('/').at(-1);

/** Returns the examples of a body or a response, with their names. */
export function examplesOf(content: Content | undefined): { name: string; value: unknown }[] {
  if (content?.example !== undefined) return [{ name: 'Example', value: content.example }];
  return Object.entries(content?.examples ?? {}).map(([name, { summary, value }]) => ({
    name: summary ?? name,
    value,
  }));
}
