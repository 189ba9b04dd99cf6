import { isSeen, type Sight } from '../../access/whereVisible.ts';
import { edgeOfUnfiled, messagesOf, type Stretch } from '../../db/byAuthor.ts';
import type { Order, Reader, Reads, SqlDialect } from '../../db/contract.ts';
import { type Examined, type Flags, hasFlags } from '../../db/examined.ts';
import { shownRecord } from '../../db/messageRecord.ts';
import { prepare, q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { FIRST_ID, firstIdAt, isId, LAST_ID } from '../../lib/deps.ts';
import type { Position } from '../../operations/operation.ts';
import type { Page } from '../../operations/read.ts';

export interface MessageQuery extends Flags {
  limit: number;
  order?: Order;
  creatorId?: string;
  type?: 'person' | 'agent' | 'system';
  isThreadReply?: boolean;
  /** In milliseconds. */
  after?: number;
  before?: number;
  q?: string;
  /** The id of a message. The page contains messages before and after it. */
  around?: string;
}

/** Maximum messages that a page scans for a filter without an index, or during a sweep of the channel. */
const MAX_SCAN_ROWS = 5_000;
const MAX_SCAN_IN_SIGHT_ROWS = 2_000;

/**
 * Builds the most common query, which is compiled once. Its condition on the channel is a range that contains
 * only that channel, ordered by channel. With an equality condition, PostgreSQL might search for the messages
 * of a large, quiet channel by scanning the newest messages of all channels.
 */
const latestIn = (p: LatestPage) =>
  q
    .selectFrom('message')
    .select(['id', shownRecord])
    .where('channelId', '>=', p.channelId)
    .where((eb) => eb(eb.refTuple('channelId', 'id'), '<=', eb.tuple(p.channelId, p.from)))
    .orderBy('channelId', 'desc')
    .orderBy('id', 'desc')
    .limit(p.rows);
interface LatestPage {
  channelId: string;
  rows: number;
  from: string;
}
const latest = prepare(latestIn);
const latestIfSeen = prepare((p: LatestPage & Sight) => latestIn(p).where(isSeen(p)));

/**
 * Returns a page of a channel's messages, as JSON assembled by the database engine. The query seeks to its
 * first message in an index, so its cost depends neither on the depth of the page nor on the size of the
 * channel. During a sweep of the channel, it scans each message, and the page may be short. With `sight`, a
 * page without filters is empty unless the viewer can see the channel, except during a sweep.
 */
export async function messagePage(
  db: Reader,
  channelId: string,
  query: MessageQuery,
  isBeingSwept: Promise<boolean>,
  position?: Position,
  sight?: Sight,
  isWanted?: (message: Examined) => boolean,
): Promise<Page> {
  const { limit, creatorId, q: words } = query;
  // This promise rejects if the channel does not exist. The caller reports the error.
  isBeingSwept.catch(() => {});
  // An invalid id belongs to no user.
  if (creatorId !== undefined && !isId(creatorId)) return { records: [], next: null };
  const last = position?.[0] as string | undefined;
  if (words) return searchPage(db, channelId, query, words, await isBeingSwept, last, isWanted);
  // The two reads start together. Sweeps of the channel are rare, so the page rarely has to be read again.
  const [mustLookAtEach, page] = await Promise.all([
    isBeingSwept,
    isPlain(query)
      ? latestPage(db, channelId, limit, last, sight)
      : filteredPage(db, channelId, query, last, false),
  ]);
  return mustLookAtEach ? filteredPage(db, channelId, query, last, true) : page;
}

/** Returns a page of the messages that contain the searched words. */
async function searchPage(
  db: Reader,
  channelId: string,
  { limit, order = 'desc', creatorId, type, isThreadReply, after, before }: MessageQuery,
  text: string,
  isSweeping: boolean,
  from: string | undefined,
  isWanted: ((message: Examined) => boolean) | undefined,
): Promise<Page> {
  const { json, next } = await db.search({
    isWanted,
    channelId,
    text,
    order,
    limit,
    from,
    creatorId: creatorId ?? null,
    type: type ?? null,
    isThreadReply: isThreadReply ?? null,
    firstId: after === undefined ? null : firstIdAt(after + 1),
    beyondId: before === undefined ? null : firstIdAt(before),
    isSweeping,
  });
  return { json, next: next === undefined ? null : [next] };
}

async function latestPage(
  db: Reader,
  channelId: string,
  limit: number,
  from = LAST_ID,
  sight?: Sight,
): Promise<Page> {
  const page = { channelId, rows: limit + 1, from };
  const rows = sight ? latestIfSeen({ ...page, ...sight }) : latest(page);
  const { json, beyond } = await db.json(rows, 'id', 'desc', limit);
  return { json, next: beyond === null ? null : [beyond] };
}

/**
 * Returns a page of a query with filters, up to `maxBytes`. `inSight` excludes messages that are due to be
 * swept.
 */
export async function filteredPage(
  db: Reader,
  channelId: string,
  query: MessageQuery,
  from: string | undefined,
  inSight: boolean,
  maxBytes?: number,
): Promise<JsonPage> {
  const { creatorId } = query;
  const unfiled = creatorId === undefined ? undefined : await unfiledEdge(db, channelId, query, from);
  if (!inSight && query.type === undefined && query.isThreadReply === undefined) {
    // There is an index on author and time.
    return pageUpTo(db, channelId, query, { from, edge: unfiled, inSight, maxBytes });
  }
  return db.inTurn(async (db) => {
    const edge = await scanEdge(db, channelId, query, from, unfiled, inSight);
    return pageUpTo(db, channelId, query, { from, edge: edge ?? unfiled, inSight, maxBytes });
  });
}

type JsonPage = Extract<Page, { json: Uint8Array }>;

interface PagePosition {
  from: string | undefined;
  edge?: string | undefined;
  inSight: boolean;
  maxBytes?: number | undefined;
}

/** Returns a page of the matching messages before `edge`. */
async function pageUpTo(
  db: Reads,
  channelId: string,
  query: MessageQuery,
  { from, edge, inSight, maxBytes }: PagePosition,
): Promise<JsonPage> {
  const { limit, order = 'desc' } = query;
  const { json, beyond } = await db.json(
    select(db.dialect, channelId, query, from, edge, inSight).limit(limit + 1),
    'id',
    order,
    limit,
    maxBytes,
  );
  const next = beyond ?? edge;
  return { json, next: next === undefined ? null : [next] };
}

/**
 * Returns the id of the message (exclusive) at which a page stops scanning for a filter without an index. The
 * page may then be short or empty even though there is a next page. Undefined if the page can scan all
 * remaining messages.
 */
async function scanEdge(
  db: Reads,
  channelId: string,
  query: MessageQuery,
  from: string | undefined,
  edge: string | undefined,
  inSight: boolean,
): Promise<string | undefined> {
  const { creatorId, after, before, limit, order } = query;
  const unfiltered = listed(db.dialect, channelId, { limit, order, creatorId, after, before }, from, edge)
    .clearSelect()
    .offset(inSight ? MAX_SCAN_IN_SIGHT_ROWS : MAX_SCAN_ROWS)
    .limit(1);
  return (await db.first(unfiltered.select('message.id as edge')))?.edge;
}

/**
 * Returns the id (exclusive) at which a page by author stops if too many messages are not in the author index
 * yet; otherwise undefined.
 */
async function unfiledEdge(
  db: Reads,
  channelId: string,
  query: MessageQuery,
  from: string | undefined,
): Promise<string | undefined> {
  const edge = edgeOfUnfiled(db.dialect, stretchOf(channelId, query, from, undefined), MAX_SCAN_ROWS);
  return edge && (await db.first(edge))?.edge;
}

/** Whether the query has no filters and uses the default order. */
export const isPlain = ({
  order,
  creatorId,
  type,
  isThreadReply,
  after,
  before,
  q: words,
  around,
  ...flags
}: Omit<MessageQuery, 'limit'>): boolean =>
  order !== 'asc' &&
  !words &&
  !hasFlags(flags) &&
  [creatorId, type, isThreadReply, after, before, around].every((filter) => filter === undefined);

/**
 * Selects the messages that match a query, from id `from` (inclusive) to id `edge` (exclusive) in the query's
 * order. On a database server, filters without an index apply to a limited subquery: PostgreSQL would
 * otherwise expect few matches, and scan the whole table for them.
 */
function select(
  dialect: SqlDialect,
  channelId: string,
  query: MessageQuery,
  from: string | undefined,
  edge: string | undefined,
  inSight: boolean,
) {
  const { type, isThreadReply, order = 'desc' } = query;
  const range = listed(dialect, channelId, query, from, edge);
  if (!inSight && type === undefined && isThreadReply === undefined) return range;
  const examined = range.select(['type', 'isThreadReply', 'threadId']).limit(MAX_SCAN_ROWS);
  let rows = dialect.isDistant
    ? q
        .selectFrom(examined.as('message'))
        .select(['message.id', 'message.record'])
        .orderBy('message.id', order)
    : range;
  if (type !== undefined) rows = rows.where('message.type', '=', type);
  if (isThreadReply !== undefined) rows = rows.where('message.isThreadReply', '=', isThreadReply);
  return inSight ? rows.where(isInSight) : rows;
}

/** Selects messages in a range of ids. */
function listed(
  dialect: SqlDialect,
  channelId: string,
  query: MessageQuery,
  from: string | undefined,
  edge: string | undefined,
) {
  const stretch = stretchOf(channelId, query, from, edge);
  const { order, first, last } = stretch;
  const rows =
    query.creatorId === undefined
      ? q
          .selectFrom('message')
          // A range instead of an equality (see `latestIn`).
          .where((eb) => eb(eb.refTuple('channelId', 'id'), '>=', eb.tuple(channelId, first)))
          .where((eb) => eb(eb.refTuple('channelId', 'id'), '<=', eb.tuple(channelId, last)))
          .orderBy('channelId', order)
          .orderBy('id', order)
      : messagesOf(dialect, stretch, query.creatorId);
  return rows
    .select(['id', shownRecord])
    .$if(edge !== undefined, (rows) => rows.where('id', '!=', edge as string));
}

/**
 * Returns the id range of a query. An id starts with the time of its message, so `after` and `before` can be
 * converted to ids.
 */
function stretchOf(
  channelId: string,
  { order = 'desc', after, before }: MessageQuery,
  from: string | undefined,
  edge: string | undefined,
): Stretch {
  const [newest, oldest] = order === 'desc' ? [from, edge] : [edge, from];
  const first = largest(FIRST_ID, oldest, after === undefined ? undefined : firstIdAt(after + 1));
  const last = smallest(LAST_ID, newest, before === undefined ? undefined : firstIdAt(before));
  return { channelId, order, first, last };
}

const defined = (ids: (string | undefined)[]): string[] => ids.filter((id) => id !== undefined);
const largest = (...ids: (string | undefined)[]): string => defined(ids).sort().at(-1) as string;
const smallest = (...ids: (string | undefined)[]): string => defined(ids).sort()[0] as string;
