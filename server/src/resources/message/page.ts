import { sql } from 'kysely';
import type { Order, Reader, SqlDialect } from '../../db/contract.ts';
import { idAt, placeOf, searching, searchOrder } from '../../db/search.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Page, Position } from '../../http/endpoint.ts';
import { firstIdAt, isId } from '../../lib/deps.ts';

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

/** How many messages a page looks at for those that its filter lets through. */
const MAX_SCAN = 20_000;

/** The two queries that nearly every reader sends, compiled once. */
const latest = prepare((p: { channelId: string; rows: number }) =>
  q
    .selectFrom('message')
    .select(['id', 'record'])
    .where('channelId', '=', p.channelId)
    .orderBy('id', 'desc')
    .limit(p.rows),
);
const older = prepare((p: { channelId: string; rows: number; from: string }) =>
  q
    .selectFrom('message')
    .select(['id', 'record'])
    .where('channelId', '=', p.channelId)
    .where('id', '<=', p.from)
    .orderBy('id', 'desc')
    .limit(p.rows),
);

/**
 * A page of a channel's messages, as JSON that the engine put together. It seeks to its place in an index by the id of
 * the message that it begins with (in a search on SQLite by its number), so that it costs the same at any depth of any channel.
 */
export async function messagePage(
  db: Reader,
  channelId: string,
  query: MessageQuery,
  position?: Position,
): Promise<Page> {
  const { limit, order = 'desc', creatorId, q: words } = query;
  // What is no identifier has sent nothing.
  if (creatorId !== undefined && !isId(creatorId)) return { records: [], next: null };
  const rows = limit + 1;
  const last = position?.[0] as string | undefined;
  const from = words && last !== undefined ? await placeOf(db, last, order) : last;
  if (words) await db.searchable();
  const edge = await scanEdge(db, channelId, query, from);
  const found = isPlain(query)
    ? await db.json(
        from === undefined ? latest({ channelId, rows }) : older({ channelId, rows, from: from as string }),
        'id',
        'desc',
        limit,
      )
    : await db.json(
        select(db.dialect, channelId, query, from, edge).limit(rows),
        words ? searchOrder(db.dialect).key : 'id',
        order,
        limit,
      );
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
): Promise<string | number | undefined> {
  const { type, isThreadReply, creatorId, after, before, limit, order, q: words } = query;
  // Outside of a search an author and a span of time have an index.
  const scanned = words ? [type, isThreadReply, creatorId, after, before] : [type, isThreadReply];
  if (scanned.every((filter) => filter === undefined)) return undefined;
  const indexed = words ? { limit, order, q: words } : { limit, order, creatorId, after, before };
  const unfiltered = select(db.dialect, channelId, indexed, from).clearSelect().offset(MAX_SCAN).limit(1);
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
  const { order = 'desc', creatorId, type, isThreadReply, after, before, q: words } = query;
  const found = searchOrder(dialect);
  const { column, key } = words ? found : { column: sql.ref<string>('message.id'), key: 'id' as const };
  let rows = q
    .selectFrom('message')
    .select([`message.${key}`, 'message.record'])
    .where('message.channelId', '=', channelId)
    .orderBy(column, order);
  if (words) rows = searching(rows, dialect, 'message', channelId, words);
  if (from !== undefined) rows = rows.where(column, order === 'asc' ? '>=' : '<=', from);
  if (edge !== undefined) rows = rows.where(column, order === 'asc' ? '<' : '>', edge);
  if (creatorId !== undefined) rows = rows.where('message.creatorId', '=', creatorId);
  if (type !== undefined) rows = rows.where('message.type', '=', type);
  if (isThreadReply !== undefined) rows = rows.where('message.isThreadReply', '=', isThreadReply);
  // A message's id begins with the moment it was made.
  if (after !== undefined) rows = rows.where('message.id', '>=', firstIdAt(after + 1));
  if (before !== undefined) rows = rows.where('message.id', '<', firstIdAt(before));
  return rows;
}
