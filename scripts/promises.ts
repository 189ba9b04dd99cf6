/** A schema of the OpenAPI document. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  default?: unknown;
  pattern?: string;
  'x-deprecation'?: { sunset: string };
  'x-stability'?: 'none';
  [bound: string]: unknown;
}

interface Parameter {
  $ref?: string;
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

type Contents = Record<string, { schema?: Schema }>;

interface Operation {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Contents };
  responses: Record<string, { content?: Contents }>;
  'x-deprecation'?: { sunset: string };
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

/** The facts in a document that clients rely on, one per line. */
export interface Promises {
  /** Facts that must stay true, each with the earliest date on which it may be removed, or an empty string. */
  kept: Map<string, string>;
  /**
   * Requirements for requests that must not become stricter: the subject, the kind of requirement, and the
   * bound.
   */
  demands: Map<string, string>;
}

const lowest = ['minLength', 'minItems', 'minimum', 'exclusiveMinimum'];
const highest = ['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum'];

/** Derives the promises from a document. Fields with `x-stability: none` promise nothing. */
export function promisesOf(document: Document): Promises {
  const reader = new PromiseReader(document);
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) reader.readOperation(path, method, operation);
  for (const [name, schema] of Object.entries(document.components.schemas))
    reader.read(name, schema, false, '');
  const { kept, demands } = reader;
  return { kept, demands };
}

/** Collects the promises of a document. */
class PromiseReader implements Promises {
  readonly kept = new Map<string, string>();
  readonly demands = new Map<string, string>();
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  #keep(fact: string, until: string): void {
    this.kept.set(fact, until);
  }

  /** Collects the promises about a part of a request or response. */
  read(at: string, schema: Schema, isInput: boolean, until: string): void {
    if (schema['x-stability'] === 'none') return;
    const ends = schema['x-deprecation']?.sunset ?? until;
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) {
      // Requests promise the fields of a named schema instead of its name, because clients send the fields.
      if (isInput) this.read(at, this.#document.components.schemas[name] as Schema, true, ends);
      else this.#keep(`${at}: ${name}`, ends);
      return;
    }
    const types = [schema.type ?? []].flat();
    // A client sends one of the types, so each must stay accepted. Clients have to handle all types of a response.
    if (isInput) for (const type of types) this.#keep(`${at}: ${type}`, ends);
    else this.#keep(`${at}: ${types.toSorted().join(' or ') || 'anything'}`, ends);
    for (const value of schema.enum ?? []) this.#keep(`${at} = ${JSON.stringify(value)}`, ends);
    for (const each of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
      this.read(`${at} | ${isInput ? (each.$ref?.split('/').at(-1) ?? '') : ''}`, each, isInput, ends);
    if (isInput) {
      if (schema.default !== undefined)
        this.#keep(`${at} is ${JSON.stringify(schema.default)} if left out`, ends);
      for (const bound of [...lowest, ...highest, 'pattern'])
        if (schema[bound] !== undefined) this.demands.set(`${at} ${bound}`, String(schema[bound]));
      if (schema.additionalProperties === false) this.demands.set(`${at} closed`, 'true');
    }
    for (const [field, property] of Object.entries(schema.properties ?? {})) {
      const isRequired = schema.required?.includes(field) ?? false;
      if (isInput && isRequired) this.demands.set(`${at}.${field} required`, 'true');
      if (!isInput && isRequired && property['x-stability'] !== 'none')
        this.#keep(`${at}.${field} always`, ends);
      this.read(`${at}.${field}`, property, isInput, ends);
    }
    if (schema.items) this.read(`${at}[]`, schema.items, isInput, ends);
    if (typeof schema.additionalProperties === 'object')
      this.read(`${at}.*`, schema.additionalProperties, isInput, ends);
  }

  readOperation(path: string, method: string, operation: Operation): void {
    const { operationId: id, parameters = [], requestBody, responses } = operation;
    const until = operation['x-deprecation']?.sunset ?? '';
    this.#keep(`${id}: ${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`, until);
    for (const given of parameters) {
      const parameter = resolved(this.#document, given);
      if (parameter.in === 'path') continue;
      const at = `${id} ${parameter.in} ${parameter.name}`;
      if (parameter.required) this.demands.set(`${at} required`, 'true');
      this.read(at, parameter.schema, true, until);
    }
    if (requestBody?.required) this.demands.set(`${id} body required`, 'true');
    for (const [type, { schema = {} }] of Object.entries(requestBody?.content ?? {}))
      this.read(`${id} body ${type}`, schema, true, until);
    for (const [type, { schema = {} }] of Object.entries(responses[200]?.content ?? {}))
      this.read(`${id} answer ${type}`, schema, false, until);
  }
}

function resolved({ components }: Document, given: Parameter | { $ref: string }): Parameter {
  if (given.$ref === undefined) return given as Parameter;
  return components.parameters?.[given.$ref.split('/').at(-1) as string] as Parameter;
}

/** The breaking changes between two documents. `today` is a date such as `2027-01-31`. */
export function broken(before: Promises, now: Promises, today: string): string[] {
  const gone = [...before.kept]
    .filter(([fact, until]) => !now.kept.has(fact) && (until === '' || until > today))
    .map(([fact]) => `gone: ${fact}`);
  const operationsBefore = new Set([...before.kept.keys()].map(operationIn));
  const isKnown = (thing: string) => [...before.kept.keys()].some((fact) => fact.startsWith(`${thing}:`));
  const grown = [...now.demands]
    .filter(([demand, bound]) => {
      const known = before.demands.get(demand);
      if (known !== undefined) return isStricter(demand.split(' ').at(-1) as string, known, bound);
      // A new optional field may have limits.
      const [thing = '', word] = [demand.slice(0, demand.lastIndexOf(' ')), demand.split(' ').at(-1)];
      if (word === 'required' && !thing.includes('.')) return operationsBefore.has(operationIn(demand));
      // A new optional field may have required fields of its own.
      if (word === 'required') return isKnown(thing.slice(0, thing.lastIndexOf('.')));
      return isKnown(thing);
    })
    .map(([demand, bound]) => `demanded: ${demand} ${bound}`);
  return [...gone, ...grown];
}

const operationIn = (fact: string): string => fact.split(/[ :]/, 1)[0] as string;

function isStricter(word: string, before: string, now: string): boolean {
  if (lowest.includes(word)) return Number(now) > Number(before);
  if (highest.includes(word)) return Number(now) < Number(before);
  return now !== before;
}

/** Serializes promises for a file. */
export const textOf = ({ kept, demands }: Promises): string =>
  [
    ...[...kept].map(([fact, until]) => `${fact}${until && `\tuntil ${until}`}`).toSorted(),
    '',
    ...[...demands].map(([demand, bound]) => `${demand}\t${bound}`).toSorted(),
    '',
  ].join('\n');

/** Parses the output of `textOf`. */
export function promisesIn(text: string): Promises {
  const [kept = '', demands = ''] = text.split('\n\n');
  const pairsOf = (lines: string): [string, string][] =>
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t') as [string, string?])
      .map(([first, second = '']) => [first, second.replace(/^until /, '')]);
  return { kept: new Map(pairsOf(kept)), demands: new Map(pairsOf(demands)) };
}
