import type { TObject, TSchema } from 'typebox';
import type { Caller } from '../access/authenticator.ts';
import { type Readable, requireVisible, type Visibility } from '../access/visibility.ts';
import { isId } from '../lib/deps.ts';
import { type Call, callOf } from './call.ts';
import { scopeOf } from './cursor.ts';
import {
  type Answer,
  type Common,
  type Described,
  type Input,
  type Position,
  pathOf,
  type QueryOf,
} from './operation.ts';
import type { Services } from './services.ts';

/**
 * One page of a list: records, or their JSON where the engine has built it, or one record that holds them.
 * `next` is null on the last.
 */
export type Page = ({ records: unknown[] } | { json: Uint8Array } | { of: object }) & {
  next: Position | null;
};

export interface ReadRow<Path extends string, Q extends TObject | undefined, T extends Readable, A>
  extends Common<Path> {
  tag: string;
  /** Who may read the target. */
  visible: Visibility;
  query?: Q;
  /** The schema of the record; of each record, in a list. */
  answer: TSchema;
  /** `many`: a list with `limit` and `cursor`, and `run` gives a `Page`. `within`: one record that holds the page. */
  list?: 'many' | 'within';
  /** Finds the target of the read. Throws NOT_FOUND. */
  target(call: Call, input: Input<Path, QueryOf<Q>, undefined>): Promise<T> | T;
  /**
   * Reads it. It is begun beside `target`, so that both are one round trip to a database server where one does not need
   * the other; nobody who may not see the target is given its result.
   */
  run(
    call: Call,
    input: Input<Path, QueryOf<Q> & { limit: number }, undefined>,
    target: Promise<T>,
  ): Promise<A>;
}

/** An operation that reads records. */
export interface ReadOperation extends Described {
  does: 'read';
  answer: TSchema;
  list?: 'many' | 'within';
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types stand in one list
  row: ReadRow<any, any, any, any>;
}

/** Makes a row that reads records. */
export function read<Path extends string, Q extends TObject | undefined, T extends Readable, A>(
  row: ReadRow<Path, Q, T, A>,
): ReadOperation {
  const { operation, path, tag, summary, description, open, query, answer, list } = row;
  const described = { operation, path, tag, summary, description, open, query, answer, list };
  return { does: 'read', method: 'GET', kind: 'query', ...described, row };
}

/** Load (404), authorize (403) and run a read whose input is valid. */
export async function performRead(
  services: Services,
  operation: ReadOperation,
  caller: Caller | undefined,
  params: Record<string, string>,
  query: Record<string, unknown> & { limit: number },
): Promise<Answer> {
  const { row, list, open } = operation;
  const { cursors, db } = services;
  const scope = list
    ? scopeOf(pathOf(operation, params), query, Object.keys(row.query?.properties ?? {}))
    : '';
  const after =
    list && query.cursor !== undefined ? cursors.decode(scope, query.cursor as string) : undefined;
  const input = { params, query, body: undefined, after };

  const call = callOf(services, caller, db.read);
  const target = Promise.resolve(row.target(call, input));
  const running = isFound(params) ? row.run(call, input, target) : target;
  running.catch(() => {});
  const found = await target;
  if (!open) requireVisible(call.principal, row.visible, found);
  const result = await running;

  if (!list) return { data: result };
  const page = result as Page;
  const nextCursor = page.next && cursors.encode(scope, page.next);
  const nextQuery = nextCursor ? { ...query, cursor: nextCursor } : undefined;
  if ('json' in page) return { text: listText(page.json, nextCursor), nextCursor, nextQuery };
  if ('of' in page) return { data: { ...page.of, nextCursor }, nextCursor, nextQuery };
  return { data: page.records, nextCursor, nextQuery };
}

/** False if the path names a thing that cannot be there: then `target` says so, and nothing is read beside it. */
function isFound(params: Record<string, string>): boolean {
  for (const name in params) if (!isId(params[name] as string)) return false;
  return true;
}

const OPENING = Buffer.from('{"ok":true,"data":[');

const listText = (json: Uint8Array, nextCursor: string | null): Buffer =>
  Buffer.concat([OPENING, json, Buffer.from(`],"nextCursor":${JSON.stringify(nextCursor)}}`)]);
