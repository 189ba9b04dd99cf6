import type { Order, Reader } from '../../db/contract.ts';
import { hits } from '../../db/search.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Page, Position } from '../../http/endpoint.ts';
import { firstIdAt } from '../../lib/deps.ts';
import { shownColumns } from './record.ts';

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

const columns = shownColumns.map((column) => `message.${column}` as const);

/** The two queries that nearly every reader sends, compiled once. */
const latest = prepare((p: { channelId: string; limit: number }) =>
  q
    .selectFrom('message')
    .select(columns)
    .where('channelId', '=', p.channelId)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
const older = prepare((p: { channelId: string; limit: number; last: string }) =>
  q
    .selectFrom('message')
    .select(columns)
    .where('channelId', '=', p.channelId)
    .where('id', '<', p.last)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
const anyOlder = prepare((p: { channelId: string; last: string }) =>
  q.selectFrom('message').select('id').where('channelId', '=', p.channelId).where('id', '<', p.last).limit(1),
);

/**
 * A page of a channel's messages, as JSON that the engine built. It seeks to its place in an index by the last
 * message's id (or, in a search, by its number), so that it costs the same at any depth of any channel.
 */
export async function messagePage(
  db: Reader,
  channelId: string,
  query: MessageQuery,
  position?: Position,
): Promise<Page> {
  const { limit, order = 'desc' } = query;
  if (isPlain(query)) {
    const last = position?.[0] as string | undefined;
    const page = await db.json(
      last === undefined ? latest({ channelId, limit }) : older({ channelId, limit, last }),
      'id',
      'desc',
    );
    const more = page.count === limit && (await db.first(anyOlder({ channelId, last: page.last as string })));
    return { json: page.json, next: more ? [page.last as string] : null };
  }
  const key = query.q ? 'ord' : 'id';
  const rows = select(channelId, query, position?.[0]);
  const page = await db.json(rows.limit(limit), key, order);
  const more =
    page.count === limit &&
    page.last !== null &&
    (await db.first(select(channelId, query, page.last).limit(1)));
  return { json: page.json, next: more ? [page.last as string | number] : null };
}

const isPlain = ({ order, creatorId, type, isThreadReply, after, before, q: words }: MessageQuery): boolean =>
  order !== 'asc' &&
  !words &&
  [creatorId, type, isThreadReply, after, before].every((filter) => filter === undefined);

function select(channelId: string, query: MessageQuery, last: string | number | undefined) {
  const { order = 'desc', creatorId, type, isThreadReply, after, before, q: words } = query;
  const beyond = order === 'asc' ? '>' : '<';
  let rows = q
    .selectFrom('message')
    .select([...columns, 'message.ord'])
    .where('message.channelId', '=', channelId);
  if (words) {
    const found = rows
      .innerJoin(hits('message', channelId, words).as('hit'), 'hit.ord', 'message.ord')
      .orderBy('hit.ord', order);
    rows = last === undefined ? found : found.where('hit.ord', beyond, last as number);
  } else {
    rows = rows.orderBy('message.id', order);
    if (last !== undefined) rows = rows.where('message.id', beyond, last as string);
  }
  if (creatorId !== undefined) rows = rows.where('message.creatorId', '=', creatorId);
  if (type !== undefined) rows = rows.where('message.type', '=', type);
  if (isThreadReply !== undefined) rows = rows.where('message.isThreadReply', '=', isThreadReply);
  // A message's id begins with the moment it was made.
  if (after !== undefined) rows = rows.where('message.id', '>=', firstIdAt(after + 1));
  if (before !== undefined) rows = rows.where('message.id', '<', firstIdAt(before));
  return rows;
}
