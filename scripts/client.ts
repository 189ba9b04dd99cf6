import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { rules } from '../server/src/access/rules.ts';
import { flagNames } from '../server/src/lib/flags.ts';

// Generates `client/src/generated`: the types, a row per endpoint and the event data types from the OpenAPI document,
// the rules for `may` from the server's rules, and the replica from the web client's. When run as a script, it reads
// docs/openapi.json. The web client is also built where only the server's dependencies are installed. There,
// openapi-typescript is missing, and the types are skipped: a build does not need them.

interface Schema {
  type?: string;
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  discriminator?: { mapping: Record<string, string> };
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { in?: string; name?: string; $ref?: string }[];
  requestBody?: { content?: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const GENERATED = '// Generated from the OpenAPI document. Do not edit.\n\n';
const GENERATED_FROM_RULES = '// Generated from the rules of the server. Do not edit.\n\n';
const GENERATED_FROM_REPLICA = '// Generated from the replica of the web client. Do not edit.\n\n';
const root = join(import.meta.dirname, '..');

/** Paths whose calls are handwritten, because they are streams. */
const handWritten: ReadonlySet<string> = new Set(['/api/v1/events', '/api/people/events']);

const isForKeys = (path: string): boolean => path.startsWith('/api/v1/');
/** People use a browser's cookie or an app's token instead of an API key. */
const isForPeople = (path: string): boolean => path.startsWith('/api/people/');
/** False for paths that are meant for other programs, such as `/hooks/{token}`. */
const isOwn = (path: string): boolean => isForKeys(path) || isForPeople(path);

/** Writes the client's generated files. */
export async function generateClient(document: Document): Promise<void> {
  const files = {
    'events.ts': GENERATED + eventsOf(document),
    'permissions.ts': GENERATED_FROM_RULES + permissions(),
    'rules.ts': `${GENERATED_FROM_RULES}// @ts-nocheck\n\n${await bundledRules()}`,
    'schema.ts': await schemaOf(document),
    'people.ts': GENERATED + operationsOf(document, isForPeople, 'peopleOperations'),
    // Written last, because its modification time shows when the files were generated.
    'operations.ts': GENERATED + operationsOf(document, isForKeys, 'operations'),
  };
  const folder = join(root, 'client', 'src', 'generated');
  mkdirSync(folder, { recursive: true });
  copyReplica(join(folder, 'replica'));
  for (const [file, text] of Object.entries(files))
    if (text !== undefined) writeFileSync(join(folder, file), text);
}

/** Files of the web client's replica that depend on its pages or React, and files that only they use. */
const ofPages: ReadonlySet<string> = new Set(['browser.ts', 'forget.ts', 'hooks.ts', 'index.ts']);

/** Files outside the replica that the copies import, by their path in the web client. */
const moved: Readonly<Record<string, string>> = {
  '../../client/src/index.ts': '../../index.ts',
  '../../client/src/sse.ts': '../../sse.ts',
  '../api/names.ts': './names.ts',
};

/**
 * Copies the web client's self-contained replica into the package. The web client itself uses the originals.
 */
function copyReplica(folder: string): void {
  const from = join(root, 'web', 'replica');
  const files = readdirSync(from).filter((file) => !ofPages.has(file));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const path of [...files.map((file) => join(from, file)), join(root, 'web', 'api', 'names.ts')]) {
    const text = readFileSync(path, 'utf8').replace(
      /(?<=from ')\.\.\/[^']+(?=')/g,
      (other) => moved[other] ?? unmoved(path, other),
    );
    writeFileSync(join(folder, basename(path)), GENERATED_FROM_REPLICA + text);
  }
}

function unmoved(path: string, other: string): never {
  throw new Error(`${path} imports ${other}, which the package does not have`);
}

/**
 * Generates the types. Omits endpoints for other programs, examples and response headers, which make up most of the
 * document. Bodies allow no additional fields, so the compiler finds misspelt names. Undefined without
 * openapi-typescript.
 */
async function schemaOf(document: Document): Promise<string | undefined> {
  const typescript = await import('openapi-typescript').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  });
  if (!typescript) return undefined;
  const { astToString, default: openapiTS } = typescript;
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isOwn(path)));
  const own = { ...document, paths, webhooks: undefined };
  const pruned = JSON.parse(JSON.stringify(own), function (this: object, key, value) {
    if ((key === 'example' || key === 'examples') && 'schema' in this) return undefined;
    if (key === 'headers' && 'content' in this) return undefined;
    return key === 'additionalProperties' && 'properties' in this ? undefined : value;
  });
  return GENERATED + astToString(await openapiTS(pruned, { defaultNonNullable: false }));
}

function permissions(): string {
  const union = (words: readonly string[]) => words.map((word) => `\n  | '${word}'`).join('');
  const writes = Object.entries(rules).flatMap(([resource, verbs]) =>
    Object.keys(verbs).map((verb) => `${resource} ${verb}`),
  );
  return `/** The flags of roles. */
export type Flag =${union(flagNames)};

/** The writes that have a rule, as resource and verb. */
export type Operation =${union(writes)};
`;
}

/** Bundles the rules and their dependencies into one module. */
async function bundledRules(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'server', 'src', 'access', 'may.ts')],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return (outputFiles[0] as { text: string }).text;
}

function operationsOf(document: Document, isWanted: (path: string) => boolean, name: string): string {
  const rows = Object.entries(document.paths)
    .filter(([path]) => isWanted(path) && !handWritten.has(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => isJson(operation))
        .map(([method, operation]) => rowOf(document, path, method, operation)),
    );
  return `/**
 * The method and path of each endpoint. The paths have no prefix. Without a method, the endpoint is read with GET.
 * \`items\` is the field that contains a list's records, or empty if the data itself is the list. With \`once\`, the
 * endpoint takes no Idempotency-Key.
 */
export const ${name} = {
${rows.join('\n')}
} as const satisfies Record<string, { method?: string; path: string; items?: string; once?: true }>;
`;
}

/** The prefix of paths, which the generated rows omit and `callsOver` adds. */
const PREFIX = /^\/api\/(v1|people)(?=\/)/;

/** False for uploads and downloads, whose calls are not generated. */
const isJson = ({ requestBody, responses }: Operation): boolean =>
  [requestBody, responses[200]].every(
    (part) => part?.content === undefined || 'application/json' in part.content,
  );

function rowOf(document: Document, path: string, method: string, operation: Operation): string {
  const { operationId, parameters = [], responses, summary, description } = operation;
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  if (method !== 'get' && query.length > 0) throw new Error(`${operationId}: a write cannot have a query`);
  const answer = responses[200]?.content?.['application/json']?.schema?.properties ?? {};
  const fields = [
    ...(method === 'get' ? [] : [`method: '${method.toUpperCase()}'`]),
    `path: '${path.replace(PREFIX, '')}'`,
  ];
  if (query.includes('cursor')) fields.push(`items: '${itemsOf(document, answer.data ?? {})}'`);
  const takesKey = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
  if (method === 'post' && !takesKey) fields.push('once: true');
  const [words = ''] = (description ?? '').split('\n\n**Permission');
  const comment = words.startsWith('**Permission') || words === '' ? `${summary}.` : `${summary}. ${words}`;
  return `  /** ${comment} */\n  ${operationId}: { ${fields.join(', ')} },`;
}

/** The name of the record's field that contains the list. Empty if the data itself is the list. */
function itemsOf(document: Document, data: Schema): string {
  if (data.type === 'array') return '';
  const record = document.components.schemas[data.$ref?.split('/').at(-1) ?? ''];
  const lists = Object.entries(record?.properties ?? {}).filter(([, { type }]) => type === 'array');
  if (lists.length !== 1) throw new Error('a record may contain only one list');
  return (lists[0] as [string, Schema])[0];
}

/** The events in one of the document's unions: type, description and data schema. */
export function eventsIn(
  document: Document,
  union: string,
): { type: string; words: string; schema: string }[] {
  const { schemas } = document.components;
  const mapping = Object.entries(schemas[union]?.discriminator?.mapping ?? {});
  return mapping.map(([type, ref]) => {
    const { properties = {} } = schemas[nameIn(ref)] as Schema;
    const words = new RegExp(`\`${RegExp.escape(type)}\`: (.*)`).exec(
      properties.type?.description ?? '',
    )?.[1];
    return { type, words: words ?? '', schema: nameIn(properties.data?.$ref ?? '') };
  });
}

const nameIn = (ref: string): string => ref.split('/').at(-1) as string;

function eventsOf(document: Document): string {
  const rows = (union: string) =>
    eventsIn(document, union).map(
      ({ type, words, schema }) => `  /** ${words} */\n  '${type}': components['schemas']['${schema}'];`,
    );
  return `import type { components } from './schema.ts';

/** The types of logged events, each with its data: the record, as a read shows it. */
export interface LoggedEventData {
${rows('Event').join('\n')}
}

/** The types of live events, which only streams send, each with its data. */
export interface LiveEventData {
${rows('LiveEvent').join('\n')}
}
`;
}

if (process.argv[1] === import.meta.filename)
  await generateClient(JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')));
