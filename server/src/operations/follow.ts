import type { TObject } from 'typebox';
import type { Caller } from '../access/authenticator.ts';
import { type Readable, requireVisible, type Visibility } from '../access/visibility.ts';
import { invalid } from '../errors.ts';
import { placeOfEventId } from '../feed/eventId.ts';
import type { Gap } from '../feed/places.ts';
import type { Reader } from '../feed/reader.ts';
import type { Filter } from '../feed/tail.ts';
import { type Call, callOf } from './call.ts';
import type { Common, Described, Input, QueryOf } from './operation.ts';
import type { Services } from './services.ts';

/** The part of a log that is asked for. */
interface Followed {
  filter: Filter;
  /** The cursor to go on from. */
  after?: string | undefined;
  limit: number;
  /** Seconds to wait for an event where there is none yet. */
  wait: number;
}

export interface FollowRow<
  Path extends string,
  Q extends TObject | undefined,
  T extends Readable & { logId: string },
> extends Common<Path> {
  tag: string;
  /** Who may read the target. */
  visible: Visibility;
  query?: Q;
  /** Reads the question. Throws INVALID_REQUEST. */
  asked(call: Call, input: Input<Path, QueryOf<Q> & { limit: number }, undefined>): Followed;
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

/** Makes a row that follows a log. */
export function follow<
  Path extends string,
  Q extends TObject | undefined,
  T extends Readable & { logId: string },
>(row: FollowRow<Path, Q, T>): FollowOperation {
  const { operation, path, tag, summary, description, open, query } = row;
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
    query,
    row,
  };
}

/** An open reader of a log: whoever gets it closes it. */
export interface Following extends Followed {
  reader: Reader;
  /** Why the log cannot go on from the cursor; undefined where it can. */
  gap: Gap | undefined;
}

/**
 * Load (404), authorize (403), and open a reader at the cursor: `lastId`, which names itself `Last-Event-ID`, wins over `after`.
 * Without a cursor the reader is at the latest event.
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
  const call = callOf(services, caller, db.read);
  const input = { params, query, body: undefined, after: undefined };
  const asked = row.asked(call, input);
  const cursor = lastId ?? asked.after;
  const target = await row.target(call, input);
  requireVisible(call.principal, row.visible, target);
  if (cursor !== undefined && !placeOfEventId(target.logId, cursor)) {
    const name = lastId === undefined ? 'after' : 'Last-Event-ID';
    throw invalid(name, 'is not the id of an event of this server');
  }
  const askViewer = async () => (await authenticator.current(caller)).principal;
  const reader = await feed.reader(target.logId, asked.filter, askViewer);
  try {
    const gap = cursor === undefined ? undefined : await reader.seek(cursor);
    return { ...asked, after: cursor, reader, gap };
  } catch (error) {
    reader.close();
    throw error;
  }
}
