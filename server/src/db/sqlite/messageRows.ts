import { type Compilable, type OperationNodeSource, type SqlBool, sql } from 'kysely';
import type { MessageSearch, Order } from '../contract.ts';
import { shownRecord } from '../messageRecord.ts';
import { prepare, q } from '../statements.ts';
import { isInSight } from '../sweep.ts';

// The queries of the message search (`messageSearch.ts`).

/** Maximum unindexed messages that one chunk scans. */
export const SCAN_ROWS = 100;
/** Maximum chunks per page. */
export const MAX_CHUNKS = 2_000;

/** The conditions of a search other than its text. */
export interface Conditions
  extends Omit<MessageSearch, 'channelId' | 'text' | 'order' | 'limit' | 'from' | 'isSweeping'> {
  inSight: boolean;
}
export interface Found extends Conditions {
  channelId: string;
  match: string;
  /** The `ord` at which the page starts. */
  start: number;
  /** The last message in the index when the search started. Later messages are scanned. */
  indexed: number;
  rows: number;
}
/** Messages that are not in the index, between two ids, both inclusive. */
interface Texts extends Conditions {
  channelId: string;
  first: string;
  last: string;
  indexed: number;
}

const isLeftOut = (value: unknown) => sql<SqlBool>`${value} is null`;

/**
 * Messages that meet the conditions of a search. The unary pluses keep SQLite from using any index but the
 * intended one.
 */
export const meeting = (p: Conditions) =>
  q
    .selectFrom('message')
    .where((eb) => eb.or([isLeftOut(p.creatorId), eb(sql<string>`+"creatorId"`, '=', p.creatorId)]))
    .where((eb) => eb.or([isLeftOut(p.type), eb(sql<string>`message.type`, '=', p.type)]))
    .where((eb) =>
      eb.or([isLeftOut(p.isThreadReply), eb('message.isThreadReply', '=', p.isThreadReply as boolean)]),
    )
    .where((eb) => eb.or([isLeftOut(p.firstId), eb(sql<string>`+message.id`, '>=', p.firstId)]))
    .where((eb) => eb.or([isLeftOut(p.beyondId), eb(sql<string>`+message.id`, '<', p.beyondId)]))
    .where((eb) => eb.or([sql<SqlBool>`${p.inSight}`, isInSight]));

const inBothOrders = <P extends object, R>(
  of: (order: Order, p: P) => Compilable<R> & OperationNodeSource,
) => ({
  asc: prepare((p: P) => of('asc', p)),
  desc: prepare((p: P) => of('desc', p)),
});

export const foundIn = inBothOrders((order, p: Found) =>
  meeting(p)
    .select(['message.ord', shownRecord])
    .where(sql<string>`+"channelId"`, '=', p.channelId)
    .where('message.ord', order === 'desc' ? '<=' : '>=', p.start)
    .where(
      sql<SqlBool>`message.ord <= ${p.indexed} and message.ord in (select rowid from message_search where message_search match ${p.match})`,
    )
    .orderBy('message.ord', order)
    .limit(p.rows),
);

/** Uses the channel's index, so bursts in other channels cost nothing. */
export const textsIn = inBothOrders((order, p: Texts) =>
  meeting(p)
    .select(['message.ord', 'message.id', 'message.content'])
    .where('channelId', '=', p.channelId)
    .where('message.id', '>=', p.first)
    .where('message.id', '<=', p.last)
    .where(sql<SqlBool>`+message.ord > ${p.indexed}`)
    .orderBy('message.id', order),
);
/** The last message in the next chunk of texts, and the one after it. */
export const edgeOfTexts = inBothOrders((order, p: Pick<Texts, 'channelId' | 'first' | 'last'>) =>
  q
    .selectFrom('message')
    .select('id')
    .where('channelId', '=', p.channelId)
    .where('id', '>=', p.first)
    .where('id', '<=', p.last)
    .orderBy('id', order)
    .limit(2)
    .offset(SCAN_ROWS - 1),
);
export const recordsOf = inBothOrders((order, p: { ords: string; rows: number }) =>
  q
    .selectFrom('message')
    .select(['ord', shownRecord])
    .where(sql<SqlBool>`ord in (select value from json_each(${p.ords}))`)
    .orderBy('ord', order)
    .limit(p.rows),
);

export const atOrBefore = prepare((p: { id: string }) =>
  q.selectFrom('message').select('ord').where('id', '<=', p.id).orderBy('id', 'desc').limit(1),
);
export const atOrAfter = prepare((p: { id: string }) =>
  q.selectFrom('message').select('ord').where('id', '>=', p.id).orderBy('id').limit(1),
);
/**
 * The channel's message at a position, or the next one in search order. If a page ended early, the position
 * may be another channel's message; `ord` and `id` have the same order.
 */
export const idBefore = prepare((p: { channelId: string; ord: number }) =>
  q
    .selectFrom('message')
    .select('id')
    .where('channelId', '=', p.channelId)
    .where(
      'id',
      '<=',
      q.selectFrom('message').select('id').where('ord', '<=', p.ord).orderBy('ord', 'desc').limit(1),
    )
    .orderBy('id', 'desc')
    .limit(1),
);
export const idAfter = prepare((p: { channelId: string; ord: number }) =>
  q
    .selectFrom('message')
    .select('id')
    .where('channelId', '=', p.channelId)
    .where('id', '>=', q.selectFrom('message').select('id').where('ord', '>=', p.ord).orderBy('ord').limit(1))
    .orderBy('id')
    .limit(1),
);
export const newestMessage = prepare(() =>
  q.selectFrom('message').select(['ord', 'id']).orderBy('ord', 'desc').limit(1),
);
export const firstBeyond = prepare((p: { indexed: number }) =>
  q.selectFrom('message').select('id').where('ord', '>', p.indexed).orderBy('ord').limit(1),
);
export const progress = prepare(() =>
  q.selectFrom(sql<{ ord: number }>`"searchProgress"`.as('progress')).select('ord'),
);

/** The blocks of a channel, starting with the block that contains `start`. */
export const blocksOf = (channelId: string, order: MessageSearch['order'], start: number) => {
  const blocks = sql<{ block: number }>`(select block from "searchBlock" where "channelId" = ${channelId})`;
  const ofChannel = q
    .selectFrom(blocks.as('found'))
    .select('block')
    .orderBy('block', order)
    .limit(MAX_CHUNKS);
  if (order === 'desc') return ofChannel.where('block', '<=', start);
  const first = sql<number>`(select coalesce(max(block), 0) from "searchBlock" where "channelId" = ${channelId} and block <= ${start})`;
  return ofChannel.where('block', '>=', first);
};
