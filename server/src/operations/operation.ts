import type { Static, TObject, TSchema } from 'typebox';
import type { Kind } from '../limits/table.ts';
import type { wordsFor } from './expand.ts';

/** The prefix of the paths of all operations (specification, part 9). */
export const API_PREFIX = '/api/v1';

/** Tells clients to leave an operation, a field or a parameter. The policy is in `docs/api/conventions.md`. */
export interface Deprecation {
  /** The date from which it is deprecated: `2027-01-31`, at midnight UTC. */
  since: string;
  /** The date from which it may be gone. */
  sunset: string;
  /** The replacement, if there is one: the name of an operation, or of a field or parameter of the same operation. */
  use?: string;
}

/** The fields of every operation's row. */
export interface Common<Path extends string> {
  /** The name in the specification; `operationId` in OpenAPI. */
  operation: string;
  path: Path;
  summary: string;
  description?: string;
  /** True for an operation without authentication: its functions have no principal. */
  open?: true;
  /** Set if clients should leave it. */
  deprecated?: Deprecation;
}

/** `many`: a list of records. `within`: one record that contains a list. `feed`: events. */
export type ListKind = 'many' | 'within' | 'feed';

/** The description of an operation, made from its row: all that routes and documents need. */
export interface Described {
  does: 'read' | 'write' | 'follow' | 'upload' | 'download';
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** The noun: the group of the operation in the documents. */
  tag: string;
  /** The limit against which calls count (specification, part 8). */
  kind: Kind;
  summary: string;
  description?: string;
  open?: true;
  deprecated?: Deprecation;
  query?: TObject;
  body?: TObject;
  /** Undefined for an operation that answers with a record or with bytes. */
  list?: ListKind;
  /** True if some of its pages have a `previousCursor`. */
  hasPrevious?: true | undefined;
  /** The words of the parameter `expand`. */
  expands?: ReturnType<typeof wordsFor>;
}

/** The parameters of a path: `Params<'/roles/:roleId'>` is `{ roleId: string }`. */
type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name | keyof Params<Rest>]: string }
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

/** A place in a list: the sort key of the last record of a page. */
export type Position = readonly (string | number)[];

/** The validated input of a row's functions. */
export interface Input<Path extends string, Q, B> {
  params: Params<Path>;
  query: Q;
  body: B;
  /** The position in the `cursor` of a list; undefined on its first page. */
  after: Position | undefined;
}

/** Input before validation. */
export interface RawInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export type QueryOf<Q> = Q extends TSchema ? Static<Q> : Record<never, never>;
export type BodyOf<B> = B extends TSchema ? Static<B> : unknown;

/** The result of an operation that answers with records. */
export interface Answer {
  /** The record, or the records of a page. May be absent if there is `text`. */
  data?: unknown;
  /** Of a list; null on its last page. */
  nextCursor?: string | null;
  /** Of a page that can be gone back from; null at the start of its list. */
  previousCursor?: string | null;
  /** The query of the next page, if there is one. */
  nextQuery?: Record<string, unknown>;
  /** Records that others name, by their ids. */
  expanded?: { users: Readonly<Record<string, object>> };
  /** The answer as JSON but for `expanded`, if it was made already. */
  text?: string | Uint8Array;
  /** True for the stored answer to a repeated request. */
  isReplayed?: true;
}

/** The segments of paths, split once. */
const segments = new Map<string, readonly string[]>();

/** The path of an operation, with its prefix and its parameters filled in. */
export function pathOf({ path }: Pick<Described, 'path'>, params: Record<string, string> = {}): string {
  let parts = segments.get(path);
  if (!parts) {
    parts = path.slice(1).split('/');
    segments.set(path, parts);
  }
  let filled = API_PREFIX;
  for (const part of parts)
    filled += `/${part.startsWith(':') ? encodeURIComponent(params[part.slice(1)] ?? '') : part}`;
  return filled;
}
