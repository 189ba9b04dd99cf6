import { sql } from 'kysely';
import type { TObject } from 'typebox';
import { type Caller, tenantOf } from '../access/authenticator.ts';
import { type Readable, requireVisible, type Visibility } from '../access/visibility.ts';
import { prepare, q } from '../db/statements.ts';
import { isMemberInSight } from '../db/sweep.ts';
import { invalid } from '../errors.ts';
import type { BackwardPage } from '../feed/backward.ts';
import { CURSOR_SEPARATOR, positionOfEventId, tagOfEventId } from '../feed/eventId.ts';
import { Everywhere, type Opened } from '../feed/everywhere.ts';
import type { Gap } from '../feed/positions.ts';
import type { Reading } from '../feed/reading.ts';
import type { Filter } from '../feed/span.ts';
import type { Kind } from '../limits/table.ts';
import { type Call, callOf } from './call.ts';
import { type Common, commonOf, type Described, type Input, type QueryOf } from './operation.ts';
import type { Services } from './services.ts';

/** The parameters of a request for events. */
interface FollowParameters {
  filter: Filter;
  /** The cursor to start after. */
  after?: string | undefined;
  /** The cursor before which to start, newest first, or `latest`. */
  before?: string | undefined;
  limit: number;
  /** The number of seconds to wait if there are no events yet (long polling). */
  wait: number;
  /** Whether a stream starts with an event named `opening`. */
  opensWithEvent: boolean;
}

export interface FollowRow<
  Path extends string,
  Q extends TObject | undefined,
  T extends Readable & { logId: string },
> extends Common<Path> {
  tag: string;
  /** The visibility rule that a caller must meet to read the target. */
  visible: Visibility;
  query?: Q;
  /** Derives the parameters from the query. Throws INVALID_REQUEST. */
  parameters(call: Call, input: Input<Path, QueryOf<Q> & { limit: number }, undefined>): FollowParameters;
  /** Finds the log. Throws NOT_FOUND. */
  target(call: Call, input: Input<Path, QueryOf<Q>, undefined>): Promise<T> | T;
}

/** The row of an operation that follows all of the caller's servers, and the caller's own log. */
export interface EverywhereRow extends Common<'/events'> {
  tag: string;
  people: true;
  everywhere: true;
  visible: 'self';
  query: TObject;
}

/** An operation that follows the events of a log, as a page or a stream. */
export interface FollowOperation extends Described {
  does: 'follow';
  list: 'feed';
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types are in one list
  row: FollowRow<any, any, any> | EverywhereRow;
}

/** Turns a row into an operation that follows one log. */
export function follow<
  Path extends string,
  Q extends TObject | undefined,
  T extends Readable & { logId: string },
>(row: FollowRow<Path, Q, T>): FollowOperation {
  return followed(row, 'query');
}

/** Turns a row into the operation that follows all of a person's servers. */
export const followEverywhere = (row: EverywhereRow): FollowOperation => followed(row, 'view');

// biome-ignore lint/suspicious/noExplicitAny: rows of all types are made here
function followed(row: FollowRow<any, any, any> | EverywhereRow, kind: Kind): FollowOperation {
  const { tag, query } = row;
  return { does: 'follow', list: 'feed', method: 'GET', kind, ...commonOf(row), tag, query, row };
}

/** An open reader for one or several logs. The caller of `performFollow` must close it. */
export interface Following extends Omit<FollowParameters, 'filter' | 'after' | 'before'> {
  reading: Reading;
  /** Set if the reader covers all of a person's servers. */
  everywhere?: Opened | undefined;
  /**
   * Set if the log cannot continue from the cursor. A stream then continues from the oldest or the latest
   * event.
   */
  gap: Gap | undefined;
  /** The page before a cursor, if one was requested. */
  earlier?: BackwardPage;
}

/**
 * Whether the client requested a stream or a page, and the position at which a reconnecting stream resumes.
 */
interface Form {
  asStream: boolean;
  /** The `Last-Event-ID` header, which takes precedence over the `after` parameter. */
  lastId: string | undefined;
}

/**
 * Opens a reader after the cursor. Without a cursor, a stream starts after the latest event, and a page
 * starts with the oldest one. Throws NOT_FOUND if the log does not exist, and FORBIDDEN if the caller may not
 * read it.
 */
export async function performFollow(
  services: Services,
  { row }: FollowOperation,
  caller: Caller,
  params: Record<string, string>,
  query: Record<string, unknown> & { limit: number },
  { asStream, lastId }: Form,
): Promise<Following> {
  if ('everywhere' in row) return performEverywhere(services, caller, query, lastId);
  const { authenticator, db, feed } = services;
  const call = callOf(services, caller, db.readFor(tenantOf(caller)));
  const input = { params, query, body: undefined, after: undefined };
  const { filter, after, before, ...parameters } = row.parameters(call, input);
  const isForward = asStream || after !== undefined || parameters.wait > 0 || parameters.opensWithEvent;
  if (before !== undefined && isForward)
    throw invalid(
      'not_together',
      'before',
      'returns a page, so it cannot be combined with after, wait or opening',
    );
  const fromEnd = before === LATEST;
  const cursor = lastId ?? after ?? (fromEnd ? undefined : before);
  const target = await row.target(call, input);
  requireVisible(call.principal, row.visible, target);
  if (cursor !== undefined && !positionOfEventId(target.logId, cursor))
    throw badCursor(lastId, 'the id of an event of this server', before && 'before');
  const loadViewer = async () => (await authenticator.renewed(caller)).principal;
  const { userId, isSignedIn } = caller.principal;
  const personId = isSignedIn ? userId : undefined;
  const reading = await feed.reader(target.logId, filter, loadViewer, personId);
  try {
    const gap = cursor === undefined ? undefined : await reading.seek(cursor);
    if (before !== undefined) {
      // Without a cursor, the reader is positioned after the latest event. There are no events before an
      // expired cursor.
      const isOver = gap?.reason === 'expired';
      const earlier = isOver ? nothing : await reading.backward(parameters.limit, fromEnd);
      return { ...parameters, reading, gap: isOver ? undefined : gap, earlier };
    }
    if (gap && asStream) await (gap.reason === 'expired' ? reading.seekOldest() : reading.seekLatest());
    if (cursor === undefined && !asStream) await reading.seekOldest();
    return { ...parameters, reading, gap };
  } catch (error) {
    reading.close();
    throw error;
  }
}

const badCursor = (lastId: string | undefined, what: string, name = 'after') =>
  invalid('bad_cursor', lastId === undefined ? name : 'Last-Event-ID', `is not ${what}`);

/** The value of `before` that selects the end of the log. */
const LATEST = 'latest';
const nothing: BackwardPage = { events: [], cursor: undefined, hasMore: false };

/** Maximum servers per person in one stream, starting with those joined first. */
const MAX_SERVERS = 200;

const serversOf = prepare((p: { userId: string }) =>
  q
    .selectFrom('serverMember')
    .innerJoin('server', 'server.id', 'serverMember.serverId')
    .select('serverMember.serverId')
    .where('serverMember.userId', '=', p.userId)
    .where('server.deletedAt', 'is', null)
    .where(isMemberInSight)
    .orderBy('serverMember.id')
    .limit(sql.lit(MAX_SERVERS)),
);

async function performEverywhere(
  { authenticator, db, feed }: Services,
  caller: Caller,
  { after, limit, wait = 0 }: { after?: string; limit: number; wait?: number },
  lastId: string | undefined,
): Promise<Following> {
  const given = lastId ?? after;
  const cursors = given === undefined ? [] : given.split(CURSOR_SEPARATOR);
  if (!cursors.every((cursor) => tagOfEventId(cursor) !== undefined))
    throw badCursor(lastId, 'a list of event ids, separated by commas');
  const { userId } = caller.principal;
  const membership = {
    userId,
    servers: async () => (await db.read.all(serversOf({ userId }))).map(({ serverId }) => serverId),
    viewer: async (logId: string) =>
      (await authenticator.actingIn(caller, logId === userId ? null : logId)).principal,
  };
  const everywhere = await Everywhere.open(feed, membership, cursors);
  const [lapse] = everywhere.lapses;
  const { reading } = everywhere;
  // A page reports only the first gap. Its cursor covers all logs, each at the position from which it can
  // continue.
  const gap = lapse && { ...lapse, oldest: reading.cursor, latest: reading.cursor };
  return { reading, everywhere, gap, limit, wait, opensWithEvent: true };
}
