import { sampleId } from '../../server/src/operations/examples.ts';
import type { Special } from './plan.ts';

interface Example {
  value: object;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: object[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { example?: object; examples?: Record<string, Example> }> };
  responses: Record<string, unknown>;
}

interface Parameter {
  $ref?: string;
  in: string;
  name: string;
  required?: boolean;
  description: string;
  schema: { examples?: unknown[] };
  example?: string;
}

export interface Described {
  info: { description: string };
  servers: { url: string }[];
  tags: { name: string; description: string; 'x-displayName': string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}

/** An operation with one example of its body. */
export interface Call {
  path: string;
  method: string;
  operation: Operation;
  example: string | undefined;
  body: object | undefined;
  special: Special;
}

/** `Channel` for `channel`. */
const capital = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1);

/** True for a POST to a collection, which makes a thing. */
export const makes = ({ method, path }: Pick<Call, 'method' | 'path'>): boolean =>
  method === 'post' && /^\/api\/v1\/[\w-]+$/.test(path);

/** The facts about other calls that a call needs. */
export interface Maker {
  described: Described;
  /** The nouns that a request makes. */
  made: ReadonlySet<string>;
  nouns: readonly string[];
  /** True in the first folder. */
  isFirst: boolean;
}

/** A request of the collection. */
export interface Item {
  name: string;
  event: object[];
  request: object;
}

/** The request of a call, with its test. */
export function itemOf(call: Call, maker: Maker): Item {
  const { operation, method, path, example, special } = call;
  const parameters = operation.parameters.map((parameter) =>
    parameter.$ref
      ? (maker.described.components.parameters[parameter.$ref.split('/').at(-1) as string] as Parameter)
      : parameter,
  );
  const placed = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => filled(segment, placed('path'), call, maker));
  const query = placed('query').map(({ name, required, description, schema }) => {
    const value = special.values?.[name] ?? schema.examples?.[0] ?? '';
    return {
      key: name,
      value: String(value),
      description,
      disabled: !required && special.values?.[name] === undefined,
    };
  });
  const raw = `{{baseUrl}}/${segments.join('/')}`;
  const header = placed('header').map(headerOf);
  const body = call.body && withIds({ ...call.body, ...valuesIn(call.body, special) }, call, maker);
  return {
    name:
      example === undefined || example === 'Example'
        ? operation.summary
        : `${operation.summary}: ${example.replaceAll('-', ' ')}`,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(call, maker) } }],
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      ...(operation.security?.length === 0 && { auth: { type: 'noauth' } }),
      header: [...header, ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : [])],
      ...(body && {
        body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
      }),
      ...('multipart/form-data' in (operation.requestBody?.content ?? {}) && { body: smallForm }),
      url: { raw, host: ['{{baseUrl}}'], path: segments, ...(query.length > 0 && { query }) },
    },
  };
}

/** A form with a file of one word: it is there on every machine. */
const smallForm = {
  mode: 'formdata',
  formdata: [{ key: 'file', type: 'text', value: 'Hello', contentType: 'application/octet-stream' }],
};

/** The variable for a thing: in its own folder the one that the folder has made, if it makes any. */
function variableOf(noun: string, { operation, path, method }: Call, { made, isFirst }: Maker): string {
  const isOwn = operation.tags[0] === noun && made.has(noun) && !isFirst && !makes({ method, path });
  return `{{${isOwn ? `new${capital(noun)}Id` : noun === 'answered message' ? 'messageId' : `${noun}Id`}}}`;
}

/** Puts variables in place of the identifiers of examples, which stand for the same thing throughout the document. */
function withIds<T>(value: T, call: Call, maker: Maker): T {
  let text = JSON.stringify(value);
  for (const noun of maker.nouns) text = text.replaceAll(sampleId(noun), variableOf(noun, call, maker));
  return JSON.parse(text);
}

/** A segment of a path with its parameter filled in. */
function filled(segment: string, parameters: readonly Parameter[], call: Call, maker: Maker): string {
  const parameter = parameters.find(({ name }) => segment === `{${name}}`);
  if (!parameter) return segment;
  const { name, example } = parameter;
  return String(
    call.special.values?.[name] ?? (name === 'token' ? '{{token}}' : withIds(example, call, maker)),
  );
}

function valuesIn(body: object, { values = {} }: Special): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in body));
}

/** A header: a key of its own for each request that can be repeated, and nothing for what need not be sent. */
function headerOf({ name, description, example }: Parameter): object {
  if (name === 'Idempotency-Key') return { key: name, value: '{{$guid}}', description };
  return { key: name, value: example ?? '', description, disabled: example === undefined };
}

/** The test of an answer, which also sets the variables. */
function scriptOf(call: Call, { isFirst }: Maker): string[] {
  const { operation, special } = call;
  const noun = operation.tags[0] as string;
  const status =
    special.refusal ?? Number(Object.keys(operation.responses).find((code) => code.startsWith('2')));
  const made = makes(call) ? { [isFirst ? `${noun}Id` : `new${capital(noun)}Id`]: 'made.id' } : {};
  const sets = (isFirst && special.setsFirst) || special.sets || made;
  const lines = Object.entries(sets).map(
    ([name, value]) => `pm.collectionVariables.set('${name}', ${value});`,
  );
  return [
    `pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`,
    ...(lines.length > 0 ? ['const { data: made } = pm.response.json();', ...lines] : []),
  ];
}
