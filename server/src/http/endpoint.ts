import type { Static, TObject, TSchema } from 'typebox';
import type { Target } from '../access/predicates.ts';
import type { Principal } from '../access/principal.ts';
import type { Resource, Verb } from '../access/rules.ts';
import type { Readable, Visibility } from '../access/visibility.ts';
import type { Reader, Tx } from '../db/contract.ts';
import type { EventType } from '../feed/events.ts';
import type { Filter } from '../feed/tail.ts';
import type { Seal } from '../lib/seal.ts';
import type { Kind } from '../limits/table.ts';

/** The names of a path's parameters: `Params<'/roles/:roleId'>` is `{ roleId: string }`. */
type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name | keyof Params<Rest>]: string }
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

/** What an endpoint's functions get, beside the request: who asks, and the outside world. */
export interface Call<R extends Reader = Reader> {
  principal: Principal;
  /** What is committed; in a write, the transaction. */
  db: R;
  now: number;
  /** `id`, `createdAt` and `updatedAt` of a new row. */
  newRow(): { id: string; createdAt: number; updatedAt: number };
  randomBytes(size: number): Uint8Array;
  seal: Seal;
  privateWebhooks: boolean;
}

/** What a change needs, whoever asked for it: an endpoint or a command. */
export interface Work extends Pick<Call<Tx>, 'db' | 'now' | 'newRow' | 'randomBytes'> {
  /** Appends an event beside the one that the endpoint's row declares. */
  emit(event: { type: EventType; serverId: string; channelId?: string | null; data: unknown }): Promise<void>;
}

/** A call inside a write. */
export type WriteCall = Call<Tx> & Work;

/** Where a list goes on: the sort key of the last record of the page before. */
export type Position = readonly (string | number)[];

interface Input<Path extends string, Q, B> {
  params: Params<Path>;
  query: Q;
  body: B;
  /** From the `cursor` of a list; undefined on its first page. */
  after: Position | undefined;
}

/**
 * One page of a list: records, or their JSON where the engine has built it, or one record that holds them.
 * `next` is null on the last.
 */
export type Page = ({ records: unknown[] } | { json: Uint8Array } | { of: object }) & {
  next: Position | null;
};

/** What of a server's log is asked for. */
export interface Followed {
  filter: Filter;
  /** The cursor to go on from. */
  after?: string | undefined;
  limit: number;
  /** Seconds to wait for an event where there is none yet. */
  wait: number;
}

interface Common<Path extends string> {
  /** The name in the specification; `operationId` in OpenAPI. */
  operation: string;
  path: Path;
  summary: string;
  description?: string;
}

type QueryOf<Q> = Q extends TSchema ? Static<Q> : Record<never, never>;

export interface ReadRow<Path extends string, Q extends TObject | undefined, T extends Readable, A>
  extends Common<Path> {
  tag: string;
  /** Who may read what `target` finds. */
  visible: Visibility;
  query?: Q;
  /** The schema of the record; of each record, in a list. */
  answer: TSchema;
  /**
   * `many`: a list with `limit` and `cursor`, and `run` gives a `Page`. `within`: one record that holds the page. `feed`: events,
   * as a page or a stream, and `run` gives what is `Followed`.
   */
  list?: 'many' | 'within' | 'feed';
  /** Finds what is read or throws NOT_FOUND. */
  target(call: Call, input: Input<Path, QueryOf<Q>, undefined>): Promise<T> | T;
  /**
   * Reads it. It is begun beside `target`, so that both are one round trip to a database server where one does not need
   * the other; what it gives is shown to nobody who may not see the target.
   */
  run(
    call: Call,
    input: Input<Path, QueryOf<Q> & { limit: number }, undefined>,
    target: Promise<T>,
  ): Promise<A>;
}

export interface WriteRow<
  Path extends string,
  B extends TObject | undefined,
  T extends Target,
  R extends { id: string },
> extends Common<Path> {
  method: 'POST' | 'PATCH' | 'DELETE';
  resource: Resource;
  verb: Verb;
  body?: B;
  /** Bodies for the documents, by what they do; made from the fields' examples if left out. */
  examples?: Record<string, BodyOf<B>>;
  /** True if it may answer ALREADY_EXISTS. */
  conflict?: boolean;
  /** The schema of the record that is answered; fields that it lacks are left out. */
  answer: TSchema;
  /** True if the answer holds what must never lie in the database as it is. */
  confidential?: boolean;
  /**
   * The event's data, from what `run` gave; false if this write logs none, or emits its own; `live` if it is told to those who are
   * there, and not logged.
   */
  event?: false | 'live' | ((result: R) => unknown);
  /** What the schema cannot say of the request's shape. Throws INVALID_REQUEST. */
  check?(input: Input<Path, unknown, BodyOf<B>>, now: number): void;
  /** Finds what is written or throws NOT_FOUND. */
  target(call: WriteCall, input: Input<Path, unknown, BodyOf<B>>): Promise<T>;
  /** Does it, in the transaction, once the rule has allowed it. */
  run(call: WriteCall, input: Input<Path, unknown, BodyOf<B>>, target: T): Promise<R>;
}

type BodyOf<B> = B extends TSchema ? Static<B> : unknown;

/** An endpoint whose types are forgotten: what the pipeline, the documents and the tables work with. */
export interface Endpoint {
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** What it counts against (specification, part 8). */
  kind: Kind;
  query?: TObject;
  body?: TObject;
  examples?: Record<string, object>;
  conflict?: boolean;
  answer: TSchema;
  list?: 'many' | 'within' | 'feed';
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types stand in one list
  read?: ReadRow<any, any, any, any>;
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types stand in one list
  write?: WriteRow<any, any, any, any>;
}

/** An endpoint that reads. */
export function read<Path extends string, Q extends TObject | undefined, T extends Readable, A>(
  row: ReadRow<Path, Q, T, A>,
): Endpoint {
  const { operation, path, tag, summary, description, query, answer, list } = row;
  return {
    operation,
    method: 'GET',
    path,
    tag,
    summary,
    description,
    kind: 'query',
    query,
    answer,
    list,
    read: row,
  };
}

/** An endpoint that changes something. */
export function write<
  Path extends string,
  B extends TObject | undefined,
  T extends Target,
  R extends { id: string },
>(row: WriteRow<Path, B, T, R>): Endpoint {
  const { operation, method, path, resource, summary, description, body, examples, conflict, answer } = row;
  return {
    operation,
    method,
    path,
    tag: resource,
    summary,
    description,
    kind: resource,
    body,
    examples: examples as Record<string, object> | undefined,
    conflict,
    answer,
    write: row,
  };
}
