import type { TObject } from 'typebox';
import { type Caller, tenantOf } from '../access/authenticator.ts';
import { type Readable, requireVisible, type Visibility } from '../access/visibility.ts';
import { invalid } from '../errors.ts';
import { placeOfEventId } from '../feed/eventId.ts';
import type { Gap } from '../feed/places.ts';
import type { Reader } from '../feed/reader.ts';
import type { Filter } from '../feed/span.ts';
import { type Call, callOf } from './call.ts';
import type { Common, Described, Input, QueryOf } from './operation.ts';
import type { Services } from './services.ts';

/** The parameters of a request for events. */
interface FollowParameters {
  filter: Filter;
  /** The cursor after which to begin. */
  after?: string | undefined;
  limit: number;
  /** Seconds to wait if there are no events yet. */
  wait: number;
  /** True if a stream begins with the event `opening`. */
  opensWithEvent: boolean;
}

export interface FollowRow<
  Path extends string,
  Q extends TObject | undefined,
  T extends Readable & { logId: string },
> extends Common<Path> {
  tag: string;
  /** The read permission of the target. */
  visible: Visibility;
  query?: Q;
  /** The parameters from the query. Throws INVALID_REQUEST. */
  parameters(call: Call, input: Input<Path, QueryOf<Q> & { limit: number }, undefined>): FollowParameters;
  /** Finds the log. Throws NOT_FOUND. */
  target(call: Call, input: Input<Path, QueryOf<Q>, undefined>): Promise<T> | T;
}

/** An operation that follows the events of a log, as a page or as a stream. */
export interface FollowOperation extends Described {
  does: 'follow';
  list: 'feed';
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types stand in one list
  row: FollowRow<any, any, any>;
}

/** Makes the row of an operation that follows a log. */
export function follow<
  Path extends string,
  Q extends TObject | undefined,
  T extends Readable & { logId: string },
>(row: FollowRow<Path, Q, T>): FollowOperation {
  const { operation, path, tag, summary, description, open, deprecated, query } = row;
  return {
    does: 'follow',
    list: 'feed',
    method: 'GET',
    kind: 'query',
    operation,
    path,
    tag,
    summary,
    description,
    open,
    deprecated,
    query,
    row,
  };
}

/** An open reader of a log. The caller of `performFollow` must close it. */
export interface Following extends FollowParameters {
  reader: Reader;
  /** Set if the log cannot go on from the cursor. */
  gap: Gap | undefined;
}

/**
 * Loads (404), authorizes (403), and opens a reader after the cursor: `lastId`, from the header `Last-Event-ID`, or
 * else `after`. Without a cursor, the reader is after the latest event.
 */
export async function performFollow(
  services: Services,
  { row }: FollowOperation,
  caller: Caller,
  params: Record<string, string>,
  query: Record<string, unknown> & { limit: number },
  lastId: string | undefined,
): Promise<Following> {
  const { authenticator, db, feed } = services;
  const call = callOf(services, caller, db.readFor(tenantOf(caller)));
  const input = { params, query, body: undefined, after: undefined };
  const parameters = row.parameters(call, input);
  const cursor = lastId ?? parameters.after;
  const target = await row.target(call, input);
  requireVisible(call.principal, row.visible, target);
  if (cursor !== undefined && !placeOfEventId(target.logId, cursor)) {
    const name = lastId === undefined ? 'after' : 'Last-Event-ID';
    throw invalid('bad_cursor', name, 'is not the id of an event of this server');
  }
  const loadViewer = async () => (await authenticator.renewed(caller)).principal;
  const { userId, isSignedIn } = caller.principal;
  const personId = isSignedIn ? userId : undefined;
  const reader = await feed.reader(target.logId, parameters.filter, loadViewer, personId);
  try {
    const gap = cursor === undefined ? undefined : await reader.seek(cursor);
    return { ...parameters, after: cursor, reader, gap };
  } catch (error) {
    reader.close();
    throw error;
  }
}
