import { sql } from 'kysely';
import type { Order, Reader, SqlDialect } from '../../db/contract.ts';
import { idAt, placeOf, searching, searchOrder } from '../../db/search.ts';
import { prepare, q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { firstIdAt, isId } from '../../lib/deps.ts';
import type { Position } from '../../operations/operation.ts';
import type { Page } from '../../operations/read.ts';

export interface MessageQuery {
  limit: number;
  order?: Order;
  creatorId?: string;
  type?: 'person' | 'agent' | 'system';
  isThreadReply?: boolean;
  /** Milliseconds. */
  after?: number;
  before?: number;
  q?: string;
}

/** How many messages a page looks at for those that its filter lets through, and for those in sight while others are swept. */
const MAX_SCAN = 20_000;
const MAX_SCAN_IN_SIGHT = 2_000;

/** No identifier comes before the one, or after the other. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The query that nearly every reader sends, compiled once. It asks for a range of channels, from and to the same one, in
 * their order: of a channel that has most of all messages, but none of late, a database server would else take the newest
 * of all messages and look there for those of the channel.
 */
const latest = prepare((p: { channelId: string; rows: number; from: string }) =>
  q
    .selectFrom('message')
    .select(['id', 'record'])
    .where('channelId', '>=', p.channelId)
    .where((eb) => eb(eb.refTuple('channelId', 'id'), '<=', eb.tuple(p.channelId, p.from)))
    .orderBy('channelId', 'desc')
    .orderBy('id', 'desc')
    .limit(p.rows),
);

/**
 * A page of a channel's messages, as JSON that the engine put together. It seeks to its place in an index by the id of
 * the message that it begins with (in a search on SQLite by its number), so that it costs the same at any depth of any channel.
 * In a channel that is being swept it looks at each message, and may be short.
 */
export async function messagePage(
  db: Reader,
  channelId: string,
  query: MessageQuery,
  isBeingSwept: Promise<boolean>,
  position?: Position,
): Promise<Page> {
  const { limit, order = 'desc', creatorId, q: words } = query;
  // It fails where there is no channel, which is reported elsewhere.
  isBeingSwept.catch(() => {});
  // What is no identifier has sent nothing.
  if (creatorId !== undefined && !isId(creatorId)) return { records: [], next: null };
  const last = position?.[0] as string | undefined;
  const from = words && last !== undefined ? await placeOf(db, last, order) : last;
  if (words) await db.searchable();
  // Begun together, for while a channel is swept is rare.
  const [mustLookAtEach, page] = await Promise.all([
    isBeingSwept,
    isPlain(query) ? latestPage(db, channelId, limit, last) : filteredPage(db, channelId, query, from, false),
  ]);
  return mustLookAtEach ? filteredPage(db, channelId, query, from, true) : page;
}

async function latestPage(db: Reader, channelId: string, limit: number, from = LAST_ID): Promise<Page> {
  const { json, beyond } = await db.json(latest({ channelId, rows: limit + 1, from }), 'id', 'desc', limit);
  return { json, next: beyond === null ? null : [beyond] };
}

/** A page of those that a query lets through; with `inSight`, without those that have yet to be swept away. */
async function filteredPage(
  db: Reader,
  channelId: string,
  query: MessageQuery,
  from: string | number | undefined,
  inSight: boolean,
): Promise<Page> {
  const { limit, order = 'desc', q: words } = query;
  const edge = await scanEdge(db, channelId, query, from, inSight);
  let rows = select(db.dialect, channelId, query, from, edge).limit(limit + 1);
  if (inSight) rows = rows.where(isInSight);
  const found = await db.json(rows, words ? searchOrder(db.dialect).key : 'id', order, limit);
  const beyond = found.beyond ?? edge;
  const next = words && beyond !== undefined ? await idAt(db, beyond, order) : beyond;
  return { json: found.json, next: next === undefined ? null : [next] };
}

/**
 * Where a page stops to look for messages that a filter without an index of its own lets through: a page may then be
 * short, or empty, and still have a next one. Undefined where it need not stop.
 */
async function scanEdge(
  db: Reader,
  channelId: string,
  query: MessageQuery,
  from: string | number | undefined,
  inSight: boolean,
): Promise<string | number | undefined> {
  const { type, isThreadReply, creatorId, after, before, limit, order, q: words } = query;
  // Outside of a search an author and a span of time have an index.
  const scanned = words ? [type, isThreadReply, creatorId, after, before] : [type, isThreadReply];
  if (!inSight && scanned.every((filter) => filter === undefined)) return undefined;
  const indexed = words ? { limit, order, q: words } : { limit, order, creatorId, after, before };
  const unfiltered = select(db.dialect, channelId, indexed, from)
    .clearSelect()
    .offset(inSight ? MAX_SCAN_IN_SIGHT : MAX_SCAN)
    .limit(1);
  const key = words ? searchOrder(db.dialect).column : sql.ref<string>('message.id');
  return (await db.first(unfiltered.select(key.as('edge'))))?.edge;
}

const isPlain = ({ order, creatorId, type, isThreadReply, after, before, q: words }: MessageQuery): boolean =>
  order !== 'asc' &&
  !words &&
  [creatorId, type, isThreadReply, after, before].every((filter) => filter === undefined);

/** The messages that a query asks for, from the one at `from` on, and not as far as the one at `edge`. */
function select(
  dialect: SqlDialect,
  channelId: string,
  query: MessageQuery,
  from: string | number | undefined,
  edge?: string | number,
) {
  const { type, isThreadReply, q: words } = query;
  let rows = words
    ? searched(dialect, channelId, query, words, from, edge)
    : listed(channelId, query, from as string | undefined, edge as string | undefined);
  if (type !== undefined) rows = rows.where('message.type', '=', type);
  if (isThreadReply !== undefined) rows = rows.where('message.isThreadReply', '=', isThreadReply);
  return rows;
}

/** Those that have the words, in the order that the search has an index for. */
function searched(
  dialect: SqlDialect,
  channelId: string,
  { order = 'desc', creatorId, after, before }: MessageQuery,
  words: string,
  from: string | number | undefined,
  edge: string | number | undefined,
) {
  const { column, key } = searchOrder(dialect);
  let rows = q
    .selectFrom('message')
    .select([`message.${key}`, 'message.record'])
    .where('message.channelId', '=', channelId)
    .orderBy(column, order);
  rows = searching(rows, dialect, 'message', channelId, words);
  if (from !== undefined) rows = rows.where(column, order === 'asc' ? '>=' : '<=', from);
  if (edge !== undefined) rows = rows.where(column, order === 'asc' ? '<' : '>', edge);
  if (creatorId !== undefined) rows = rows.where('message.creatorId', '=', creatorId);
  if (after !== undefined) rows = rows.where('message.id', '>=', firstIdAt(after + 1));
  if (before !== undefined) rows = rows.where('message.id', '<', firstIdAt(before));
  return rows;
}

/** Those in a range of identifiers, each of which begins with the moment that its message was made. */
function listed(
  channelId: string,
  { order = 'desc', creatorId, after, before }: MessageQuery,
  from: string | undefined,
  edge: string | undefined,
) {
  const [newest, oldest] = order === 'desc' ? [from, edge] : [edge, from];
  const first = largest(FIRST_ID, oldest, after === undefined ? undefined : firstIdAt(after + 1));
  const last = smallest(LAST_ID, newest, before === undefined ? undefined : firstIdAt(before));
  const byCreator = creatorId !== undefined;
  // As above, what they have in common is a range: that of the last column before the identifier in the index.
  const column = byCreator ? 'creatorId' : 'channelId';
  const shared = creatorId ?? channelId;
  return q
    .selectFrom('message')
    .select(['id', 'record'])
    .$if(byCreator, (rows) => rows.where('channelId', '=', channelId))
    .where((eb) => eb(eb.refTuple(column, 'id'), '>=', eb.tuple(shared, first)))
    .where((eb) => eb(eb.refTuple(column, 'id'), '<=', eb.tuple(shared, last)))
    .$if(edge !== undefined, (rows) => rows.where('id', '!=', edge as string))
    .orderBy(column, order)
    .orderBy('id', order);
}

const defined = (ids: (string | undefined)[]): string[] => ids.filter((id) => id !== undefined);
const largest = (...ids: (string | undefined)[]): string => defined(ids).sort().at(-1) as string;
const smallest = (...ids: (string | undefined)[]): string => defined(ids).sort()[0] as string;
