import type { TObject, TSchema } from 'typebox';
import { type Caller, tenantOf } from '../access/authenticator.ts';
import { type Readable, requireVisible, type Visibility, visibility } from '../access/visibility.ts';
import type { CachedPage } from '../db/pageCache.ts';
import { isId } from '../lib/deps.ts';
import { type Call, callOf } from './call.ts';
import { scopeOf } from './cursor.ts';
import { fieldsIn, usersIn, wordsFor } from './expand.ts';
import {
  type Answer,
  type Common,
  commonOf,
  type Described,
  type Input,
  type Position,
  pathOf,
  type QueryOf,
} from './operation.ts';
import type { Services } from './services.ts';

/**
 * A page of a list. It has either `records`, or `json` with the elements of the array as serialized by the
 * engine. With `json`, `of` contains the other fields of the record, and `field` is the field that contains
 * the elements. `next` is null on the last page.
 */
export type Page = (
  | { records: unknown[] }
  | {
      json: Uint8Array;
      of?: object;
      field?: string;
      /**
       * The page, if it is cached. Its response is cached with it, so the response must depend only on the
       * path.
       */
      cached?: CachedPage;
    }
) & {
  next: Position | null;
  /**
   * The position for paging backwards; null at the beginning of the list, undefined if the page has no
   * `previousCursor`.
   */
  previous?: Position | null;
};

export interface ReadRow<Path extends string, Q extends TObject | undefined, T extends Readable, A>
  extends Common<Path> {
  tag: string;
  /** The rate limit, if other than `query`. */
  kind?: 'view';
  /** The visibility rule that a caller must meet to read the target. */
  visible: Visibility;
  query?: Q;
  /** The schema of the record; for `many`, of each record in the list. */
  answer: TSchema;
  /**
   * If set, `run` returns a `Page`. `many` accepts `limit` and `cursor`; `within` accepts `cursor`, and its
   * page has `of`.
   */
  list?: 'many' | 'within';
  /** Whether some pages have a `previousCursor`. */
  hasPrevious?: true;
  /** Finds the target of the read. Throws NOT_FOUND. */
  target(call: Call, input: Input<Path, QueryOf<Q>, undefined>): Promise<T> | T;
  /**
   * Returns the part of the target that is known without the database. If the caller may read it, `run`
   * starts at the same time as `target`, and both share a round trip to a database server. If the target has
   * a channel, the queries in `run` must return nothing unless the caller can see the channel (`isSeen`).
   * Otherwise, the duration of an error would reveal information that the caller may not see. If omitted,
   * `run` starts once the caller is known to have access to the target.
   */
  ahead?(call: Call, input: Input<Path, QueryOf<Q>, undefined>): Readable | undefined;
  /** Reads the result. `target` rejects if the target does not exist, or if the caller may not read it. */
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
  hasPrevious?: true;
  expands: ReturnType<typeof wordsFor>;
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types are in one list
  row: ReadRow<any, any, any, any>;
}

/** Creates a read from its row. */
export function read<Path extends string, Q extends TObject | undefined, T extends Readable, A>(
  row: ReadRow<Path, Q, T, A>,
): ReadOperation {
  const { tag, query, answer, list, hasPrevious } = row;
  const described = { ...commonOf(row), tag, query, answer, list, hasPrevious };
  return {
    does: 'read',
    method: 'GET',
    kind: row.kind ?? 'query',
    ...described,
    expands: wordsFor(answer),
    row,
  };
}

/**
 * Runs a read with valid input. Throws NOT_FOUND if its target does not exist, and FORBIDDEN if the caller
 * may not read it.
 */
export async function performRead(
  services: Services,
  operation: ReadOperation,
  caller: Caller | undefined,
  params: Record<string, string>,
  query: Record<string, unknown> & { limit: number },
): Promise<Answer> {
  const { row, list } = operation;
  const { cursors, db } = services;
  const scope = list
    ? scopeOf(pathOf(operation, params), query, Object.keys(row.query?.properties ?? {}))
    : '';
  const fields = query.expand === undefined ? undefined : fieldsIn(query.expand as string, operation.expands);
  const after =
    list && query.cursor !== undefined ? cursors.decode(scope, query.cursor as string) : undefined;
  const input = { params, query, body: undefined, after };

  const call = callOf(services, caller, db.readFor(caller ? tenantOf(caller) : ''));
  const target = seenTarget(call, operation, input);
  const known = db.read.dialect.isDistant && hasIds(params) ? row.ahead?.(call, input) : undefined;
  const isAhead = known !== undefined && visibility[row.visible].holds(call.principal, known);
  const begun = isAhead ? row.run(call, input, target) : undefined;
  begun?.catch(() => {});
  await target;
  const result = await (begun ?? row.run(call, input, target));

  const answer: Answer = list ? answerOf(services, result as Page, scope, query) : { data: result };
  if (fields) {
    const userIds = usersIn(list ? recordsOf(result as Page) : [result], fields);
    // Platform admins see all accounts.
    const isPlatform = row.visible === 'platform';
    answer.expanded = { users: await services.usersBeside(call.db, call.principal, userIds, isPlatform) };
  }
  return answer;
}

/** Returns the response for a page. */
function answerOf({ cursors }: Services, page: Page, scope: string, query: Record<string, unknown>): Answer {
  const cached = 'cached' in page ? page.cached : undefined;
  const known = cached?.derived<CachedResponse>(RESPONSE);
  const nextCursor = known ? known.nextCursor : page.next && cursors.encode(scope, page.next);
  const nextQuery = nextCursor ? { ...query, cursor: nextCursor } : undefined;
  if (cached) {
    const { text } = known ?? cacheResponse(cached, nextCursor);
    return { text, nextCursor, nextQuery, cached };
  }
  const { previous } = page;
  const previousCursor = previous && cursors.encode(scope, previous);
  if ('records' in page)
    return {
      data: page.records,
      nextCursor,
      nextQuery,
      ...(previousCursor !== undefined && { previousCursor }),
    };
  return { text: pageText(page, nextCursor), nextCursor, nextQuery };
}

/** The response for a cached page. */
interface CachedResponse {
  text: Buffer;
  nextCursor: string | null;
}
/** The name under which the response is cached with its page. */
const RESPONSE = 'response';

function cacheResponse(page: CachedPage, nextCursor: string | null): CachedResponse {
  const { length } = page.json;
  const text = pageText(page, nextCursor);
  // The response contains the page, so the page's bytes are kept in memory only once.
  page.json = text.subarray(OPENING.length, OPENING.length + length);
  return page.keep(RESPONSE, { text, nextCursor }, text.length - length);
}

/** Returns a page's records, preceded by the record that contains them if there is one. */
function recordsOf(page: Page): unknown[] {
  if ('records' in page) return page.records;
  return [page.of, ...JSON.parse(`[${Buffer.from(page.json).toString()}]`)];
}

/**
 * Returns the target of a read, once the read is authorized. Rejects if the caller may not see the target.
 */
async function seenTarget(
  call: Call,
  { row, open }: ReadOperation,
  input: Input<string, unknown, undefined>,
): Promise<Readable> {
  const found = await row.target(call, input);
  if (!open) requireVisible(call.principal, row.visible, found);
  return found;
}

/** Whether all ids in the path are UUIDs. Otherwise `target` throws NOT_FOUND, and `run` must not start. */
function hasIds(params: Record<string, string>): boolean {
  for (const name in params) if (!isId(params[name] as string)) return false;
  return true;
}

const OPENING = Buffer.from('{"ok":true,"data":[');

/** Returns the response for a page that the engine has serialized. */
function pageText(
  { json, of, field }: Omit<Extract<Page, { json: Uint8Array }>, 'next'>,
  nextCursor: string | null,
): Buffer {
  const ending = `],"nextCursor":${JSON.stringify(nextCursor)}}`;
  if (!of) return Buffer.concat([OPENING, json, Buffer.from(ending)]);
  const fields = JSON.stringify(of).slice(0, -1);
  return Buffer.concat([
    Buffer.from(`{"ok":true,"data":${fields},"${field}":[`),
    json,
    Buffer.from(`${ending},"nextCursor":${JSON.stringify(nextCursor)}}`),
  ]);
}
