import type { Static, TObject, TSchema } from 'typebox';
import type { CachedPage } from '../db/pageCache.ts';
import type { Kind } from '../limits/table.ts';
import type { wordsFor } from './expand.ts';

/** The path prefix of operations (specification, part 9). */
export const API_PREFIX = '/api/v1';
/** The path prefix of operations for people only. */
export const PEOPLE_PREFIX = '/api/people';

/**
 * Asks clients to stop using an operation, field or parameter. `docs/api/conventions.md` describes the
 * policy.
 */
export interface Deprecation {
  /** The date of the deprecation, such as `2027-01-31`, at midnight UTC. */
  since: string;
  /** The earliest date on which the operation, field or parameter may be removed. */
  sunset: string;
  /** The replacement, if there is one: an operation, or a field or parameter of the same operation. */
  use?: string;
}

/** The fields that all rows share. */
export interface Common<Path extends string> {
  /** The name in the specification, which is the `operationId` in OpenAPI. */
  operation: string;
  path: Path;
  summary: string;
  description?: string;
  /** True for an operation without authentication. Its functions have no principal. */
  open?: true;
  /**
   * True for an operation that only people can use, with or without a session. Its path starts with
   * `PEOPLE_PREFIX`.
   */
  people?: true;
  /**
   * True for an operation for people that also accepts an API key, such as that of a platform admin's script.
   */
  keys?: true;
  /**
   * True for an operation that people need to set up two-factor authentication, and that is therefore
   * available without it.
   */
  withoutFactor?: true;
  /** Set if the operation is deprecated. */
  deprecated?: Deprecation;
}

/** Returns the fields of a row that its description (`Described`) also has. */
export function commonOf<Path extends string>(row: Common<Path>): Common<Path> {
  const { operation, path, summary, description, open, people, keys, withoutFactor, deprecated } = row;
  return { operation, path, summary, description, open, people, keys, withoutFactor, deprecated };
}

/** The default HTTP method of a change, by verb. */
export const methods = { insert: 'POST', update: 'PATCH', delete: 'DELETE' } as const;

/** `many` is a list of records; `within`, a single record that contains a list; `feed`, events. */
export type ListKind = 'many' | 'within' | 'feed';

/** An operation's description, derived from its row, with everything that routes and documents need. */
export interface Described {
  does: 'read' | 'write' | 'act' | 'follow' | 'upload' | 'download';
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** The noun, which groups operations in the OpenAPI document. */
  tag: string;
  /** The rate limit (specification, part 8). */
  kind: Kind;
  summary: string;
  description?: string;
  open?: true;
  people?: true | undefined;
  keys?: true | undefined;
  withoutFactor?: true | undefined;
  deprecated?: Deprecation;
  query?: TObject;
  body?: TObject;
  /** Undefined for an operation that returns one record or bytes. */
  list?: ListKind;
  /** Whether some pages have a `previousCursor`. */
  hasPrevious?: true | undefined;
  /** The words that the `expand` parameter accepts. */
  expands?: ReturnType<typeof wordsFor>;
}

/** The parameters of a path: `Params<'/roles/:roleId'>` is `{ roleId: string }`. */
type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name | keyof Params<Rest>]: string }
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

/** A position in a list: the sort key of a page's last record. */
export type Position = readonly (string | number)[];

/** The validated input of a row's functions. */
export interface Input<Path extends string, Q, B> {
  params: Params<Path>;
  query: Q;
  body: B;
  /** The position in a list's `cursor`; undefined on the first page. */
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

/** The result of an operation that returns records. */
export interface Answer {
  /** The record, or the records of a page. Omitted if `text` is set. */
  data?: unknown;
  /** The cursor of the next page of a list; null on the last page. */
  nextCursor?: string | null;
  /** The cursor for paging backwards, if supported; null at the beginning of the list. */
  previousCursor?: string | null;
  /** The query of the next page, if there is one. */
  nextQuery?: Record<string, unknown>;
  /** The referenced records, by id. */
  expanded?: { users: Readonly<Record<string, object>> };
  /** The response as JSON without `expanded`, if it has been serialized already. */
  text?: string | Uint8Array;
  /** The cached page from which `text` was created, if there is one. */
  cached?: CachedPage;
  /** True for the stored response to a repeated request. */
  isReplayed?: true;
}

/** Returns the prefix of an operation's path. */
export const prefixOf = ({ people }: Pick<Described, 'people'>): string =>
  people ? PEOPLE_PREFIX : API_PREFIX;

/** Paths split into segments, cached. */
const segments = new Map<string, readonly string[]>();

/** Returns an operation's path, with the prefix and the parameters. */
export function pathOf(
  { path, people }: Pick<Described, 'path' | 'people'>,
  params: Record<string, string> = {},
): string {
  let parts = segments.get(path);
  if (!parts) {
    parts = path.slice(1).split('/');
    segments.set(path, parts);
  }
  let filled = prefixOf({ people });
  for (const part of parts)
    filled += `/${part.startsWith(':') ? encodeURIComponent(params[part.slice(1)] ?? '') : part}`;
  return filled;
}
