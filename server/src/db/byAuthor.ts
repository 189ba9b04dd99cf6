import type { Expression } from 'kysely';
import { LAST_ID } from '../lib/deps.ts';
import type { Order, SqlDialect } from './contract.ts';
import { type Kysely, sql } from './kysely.ts';
import type { Tables } from './schema.ts';
import { q } from './statements.ts';

/** A stretch of a channel's messages, between two ids, both inclusive. */
export interface Stretch {
  channelId: string;
  order: Order;
  first: string;
  last: string;
}

/**
 * The messages of an author in a stretch of a channel, named `message`, by an index. On the embedded engine it is filled soon after
 * they were sent (`sqlite/authorIndex.ts`): the view is that index, and the messages that are not in it yet.
 */
export function messagesOf(
  { name }: SqlDialect,
  { channelId, order, first, last }: Stretch,
  creatorId: string,
) {
  if (name === 'sqlite') {
    const view = (q as Kysely<{ messageByAuthor: Tables['message'] }>).selectFrom(
      'messageByAuthor as message',
    );
    // Both have these columns.
    return (view as unknown as ReturnType<typeof fromTable>)
      .where('channelId', '=', channelId)
      .where('creatorId', '=', creatorId)
      .where('id', '>=', first)
      .where('id', '<=', last)
      .orderBy('id', order);
  }
  // A range instead of equality, since PostgreSQL may otherwise scan the newest messages of all channels.
  return fromTable()
    .where('channelId', '=', channelId)
    .where((eb) => eb(eb.refTuple('creatorId', 'id'), '>=', eb.tuple(creatorId, first)))
    .where((eb) => eb(eb.refTuple('creatorId', 'id'), '<=', eb.tuple(creatorId, last)))
    .orderBy('creatorId', order)
    .orderBy('id', order);
}

const fromTable = () => q.selectFrom('message');

/**
 * The `edge` of a stretch: before it are `rows` messages that the index of authors does not have yet, and that a page would
 * look at one by one. Undefined for an engine whose index has all messages.
 */
export function edgeOfUnfiled(
  { name }: SqlDialect,
  { channelId, order, first, last }: Stretch,
  rows: number,
) {
  if (name !== 'sqlite') return undefined;
  const unfiled = sql<string>`(select id from message where ord > (select ord from "authorProgress") order by ord limit 1)`;
  return q
    .selectFrom('message')
    .select('id as edge')
    .where('channelId', '=', channelId)
    .where('id', '>=', unfiled)
    .where('id', '>=', first)
    .where('id', '<=', last)
    .orderBy('id', order)
    .limit(1)
    .offset(rows);
}

/** A place in a channel, and an author, as columns of the query around. */
export interface AuthorAfter {
  channelId: Expression<string>;
  creatorId: Expression<string>;
  /** The id after which messages count. */
  from: Expression<string>;
}

const filed = sql.raw('(select ord from "authorProgress")');

/**
 * How many messages of an author are in a channel after a place, by an index alone: up to `most`. Of those that the embedded engine
 * has not filed yet, which are all later, it adds the ones among the channel's first `most`.
 */
export function amountAuthored(
  { name }: Pick<SqlDialect, 'name'>,
  { channelId, creatorId, from }: AuthorAfter,
  most: number,
): Expression<number> {
  const rows = sql.lit(most);
  if (name === 'postgres')
    // A range, as above.
    return sql`(select count(*) from (select 1 from message where "channelId" = ${channelId}
      and ("creatorId", id) > (${creatorId}, ${from}) and ("creatorId", id) <= (${creatorId}, ${sql.lit(LAST_ID)}::uuid)
      order by "creatorId", id limit ${rows}) as authored)`;
  const unfiled = sql`(select id from message where ord > ${filed} order by ord limit 1)`;
  // One lower bound: SQLite seeks to one of two, perhaps to that which many messages come after.
  return sql`((select count(*) from (select 1 from "authorIndex" where "channelId" = ${channelId} and "creatorId" = ${creatorId}
      and id > ${from} limit ${rows}))
    + case when ${unfiled} is null then 0 else (select count(*) from (select "creatorId" from message
      where "channelId" = ${channelId} and id >= max(${from}, ${unfiled}) and +id > ${from} and +ord > ${filed}
      order by "channelId", id limit ${rows}) where "creatorId" = ${creatorId}) end)`;
}
