import type { Client } from 'openapi-fetch';
import { errorOf, noAnswer } from './error.ts';
import type { operations } from './generated/operations.ts';
import type { peopleOperations } from './generated/people.ts';
import type { components, operations as Described, paths } from './generated/schema.ts';
import { parsed } from './json.ts';
import { List, type Page } from './list.ts';
import { attemptsFor } from './persistence.ts';

/** Options for every call. */
export interface CallOptions {
  /** Aborts the call, even while it is waiting to retry. The call then throws the signal's reason. */
  signal?: AbortSignal;
  /** For a POST: the key that makes it safe to repeat. By default, each call gets a new random key. */
  idempotencyKey?: string;
}

/** The types of the OpenAPI document's components, such as `Records['Channel']`. */
export type Records = components['schemas'];

type Known<T> = [T] extends [never] ? unknown : T;
type Flat<T> = { [Key in keyof T]: T[Key] };

type PathOf<O> = O extends { parameters: { path: infer P } } ? P : unknown;
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? Known<Exclude<Q, undefined>> : unknown;
type BodyOf<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : unknown;
/**
 * A call's path parameters, query parameters and body fields in one object. If a path parameter and a body
 * field have the same name, the path parameter wins.
 */
type InputOf<O> = Flat<PathOf<O> & QueryOf<O> & Omit<BodyOf<O>, keyof PathOf<O>>>;

type DataOf<O> = O extends { responses: { 200: { content: { 'application/json': { data: infer D } } } } }
  ? D
  : never;
/** The fields that `expand` adds to a response; `unknown` if the operation has no such parameter. */
type ExpandedOf<O> = O extends { responses: { 200: { content: { 'application/json': infer E } } } }
  ? 'expanded' extends keyof E
    ? Exclude<E['expanded' & keyof E], undefined>
    : unknown
  : unknown;
type ListOf<D, Items, Expanded> = D extends (infer Item)[]
  ? List<Item, Page<Item, Expanded>>
  : D extends { nextCursor: string | null }
    ? List<
        Items extends keyof D ? (D[Items] extends (infer Item)[] ? Item : never) : never,
        D & { expanded?: Expanded }
      >
    : never;
type RecordOf<D, Expanded> = unknown extends Expanded ? D : D & { expanded?: Expanded };
type ResultOf<O, Row> = Row extends { items: infer Items }
  ? ListOf<DataOf<O>, Items, ExpandedOf<O>>
  : Promise<RecordOf<DataOf<O>, ExpandedOf<O>>>;

type Call<O, Row> =
  Record<never, never> extends InputOf<O>
    ? (input?: InputOf<O>, options?: CallOptions) => ResultOf<O, Row>
    : (input: InputOf<O>, options?: CallOptions) => ResultOf<O, Row>;

type CallsOf<Rows> = { [Name in keyof Rows & keyof Described]: Call<Described[Name], Rows[Name]> };

/**
 * All endpoints available to API keys, as methods named as in the OpenAPI document. Each method returns the
 * response's data, or throws PalaverError.
 */
export type Calls = CallsOf<typeof operations>;
/** The same for the endpoints that only people can use. */
export type PeopleCalls = CallsOf<typeof peopleOperations>;

type Input = Record<string, unknown>;

interface Row {
  /** GET if omitted. */
  method?: string;
  path: string;
  items?: string;
  once?: true;
}

interface Ways {
  /** The `fetch` for requests that must not be repeated. */
  once?: (request: Request) => Promise<Response>;
  /** Called with each successful response before it is returned. May modify it. */
  received?: ((answer: object) => void) | undefined;
}

/**
 * Creates the methods for these endpoints, whose paths are below a prefix, from a client that returns raw
 * responses.
 */
export function callsOver<Made>(
  client: Client<paths>,
  prefix: string,
  rows: Record<string, Row>,
  ways: Ways = {},
): Made {
  const calls = Object.entries(rows).map(([name, row]) => [
    name,
    callOf(client, name, { ...row, path: prefix + row.path }, ways),
  ]);
  return Object.fromEntries(calls) as Made;
}

function callOf(client: Client<paths>, name: string, row: Row, ways: Ways) {
  const { items } = row;
  if (items === undefined) {
    return async (input?: Input, options?: CallOptions) => {
      const { data, expanded } = await ask(client, name, row, ways, input, options);
      return expanded === undefined ? data : Object.assign(data as object, { expanded });
    };
  }
  return (input?: Input, options?: CallOptions) =>
    new List(
      async (cursor) => {
        const given = cursor === undefined ? input : { ...input, cursor };
        const { data, nextCursor = null, ...more } = await ask(client, name, row, ways, given, options);
        const { previousCursor, expanded } = more;
        return Object.assign(data as object, {
          nextCursor,
          ...(previousCursor !== undefined && { previousCursor }),
          ...(expanded !== undefined && { expanded }),
        });
      },
      (page) => (items === '' ? page : (page as unknown as Input)[items]) as unknown[],
    );
}

/** Sends a request. Throws PalaverError, or TypeError if a path parameter is missing. */
async function ask(
  client: Client<paths>,
  name: string,
  { method = 'GET', path, once: isOnce }: Row,
  { once, received }: Ways,
  input: Input = {},
  { signal, idempotencyKey }: CallOptions = {},
): Promise<Answered> {
  const rest = { ...input };
  const inPath: Record<string, string> = {};
  for (const [, key] of path.matchAll(/\{(\w+)\}/g) as Iterable<[string, string]>) {
    const value = rest[key];
    // Values are percent-encoded, so only an empty string, `.` and `..` could change the path.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`${name}: ${key} must be an identifier`);
    }
    inPath[key] = value;
    delete rest[key];
  }
  const isRead = method === 'GET';
  const { data, error, response } = await (client.request as Requesting)(method.toLowerCase(), path, {
    params: { path: inPath, query: isRead ? rest : {} },
    ...(!isRead && method !== 'DELETE' && { body: rest }),
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
    ...(signal && { signal }),
    ...(isOnce && once && { fetch: once }),
    parseAs: 'text',
  });
  const attempts = attemptsFor(response);
  if (!response.ok) throw errorOf(response, error, attempts);
  const answer = typeof data === 'string' ? parsed(data) : undefined;
  if ((answer as { ok?: unknown } | undefined)?.ok !== true) {
    throw noAnswer('the response is not from Palaver', { status: response.status, attempts });
  }
  received?.(answer as object);
  return answer as Answered;
}

/** A successful response. */
interface Answered {
  data: unknown;
  nextCursor?: string | null;
  previousCursor?: string | null;
  expanded?: unknown;
}

/** The `request` method of openapi-fetch, for paths that are only known at run time. */
type Requesting = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
