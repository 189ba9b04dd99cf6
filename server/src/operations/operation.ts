import type { Static, TObject, TSchema } from 'typebox';
import type { Kind } from '../limits/table.ts';

/** The path that all operations are under (specification, part 9). */
export const API_PREFIX = '/api/v1';

/** The fields that the row of every operation has. */
export interface Common<Path extends string> {
  /** The name in the specification; `operationId` in OpenAPI. */
  operation: string;
  path: Path;
  summary: string;
  description?: string;
  /** True if nobody needs to be known to ask for it: its functions have no principal. */
  open?: true;
}

/** Lists of records, one record that holds a list, and events. */
export type ListKind = 'many' | 'within' | 'feed';

/** The fields that all operations have once their rows are made. */
export interface Described {
  does: 'read' | 'write' | 'follow' | 'upload' | 'download';
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** The group that the documents show it in: the noun that it is about. */
  tag: string;
  /** The limit that it counts against (specification, part 8). */
  kind: Kind;
  summary: string;
  description?: string;
  open?: true;
  query?: TObject;
  body?: TObject;
  /** The kind of list that it answers with; undefined for one that answers with a record, or with bytes. */
  list?: ListKind;
}

/** The names of a path's parameters: `Params<'/roles/:roleId'>` is `{ roleId: string }`. */
type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name | keyof Params<Rest>]: string }
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

/** Where a list goes on: the sort key of the last record of the page before. */
export type Position = readonly (string | number)[];

/** The validated input that the functions of a row get. */
export interface Input<Path extends string, Q, B> {
  params: Params<Path>;
  query: Q;
  body: B;
  /** From the `cursor` of a list; undefined on its first page. */
  after: Position | undefined;
}

/** The same before it is validated, as an adapter hands it over. */
export interface RawInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export type QueryOf<Q> = Q extends TSchema ? Static<Q> : Record<never, never>;
export type BodyOf<B> = B extends TSchema ? Static<B> : unknown;

/** The result of an operation that answers with records. */
export interface Answer {
  /** The record, or the records of a page; absent where `text` has them. */
  data?: unknown;
  /** Of a list: null on its last page. */
  nextCursor?: string | null;
  /** The query of the next page, where there is one. */
  nextQuery?: Record<string, unknown>;
  /** The whole answer in JSON, where it was made already. */
  text?: string | Uint8Array;
  /** True if this is the first answer to a repeated request again. */
  isReplayed?: true;
}

const segments = new Map<string, readonly string[]>();

/** The path of an operation with its parameters filled in. */
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
