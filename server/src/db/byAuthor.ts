import { type Expression, expressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import { FIRST_ID, LAST_ID } from '../lib/deps.ts';
import type { Order, Reader, SqlDialect } from './contract.ts';
import { memberChannels } from './memberChannels.ts';
import type { Tables } from './schema.ts';
import { prepare, q, type Statement } from './statements.ts';

/** A range of a channel's messages between two ids, both inclusive. */
export interface Stretch {
  channelId: string;
  order: Order;
  first: string;
  last: string;
}

/**
 * Selects an author's messages in a range of a channel, from an index. The result is aliased as `message`.
 * The embedded engine fills that index asynchronously (`sqlite/authorIndex.ts`), so it uses a view that
 * combines the index and the messages not indexed yet.
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
    // The view has the same columns as the table.
    return (view as unknown as ReturnType<typeof fromTable>)
      .where('channelId', '=', channelId)
      .where('creatorId', '=', creatorId)
      .where('id', '>=', first)
      .where('id', '<=', last)
      .orderBy('id', order);
  }
  // Compares `creatorId` with a range: with an equality, PostgreSQL may scan the newest messages of all
  // channels.
  return fromTable()
    .where('channelId', '=', channelId)
    .where((eb) => eb(eb.refTuple('creatorId', 'id'), '>=', eb.tuple(creatorId, first)))
    .where((eb) => eb(eb.refTuple('creatorId', 'id'), '<=', eb.tuple(creatorId, last)))
    .orderBy('creatorId', order)
    .orderBy('id', order);
}

const fromTable = () => q.selectFrom('message');

/**
 * Selects the `edge` of a range: the message after the first `rows` that are not in the author index yet. A
 * page scans unindexed messages one by one, and stops at the edge. Undefined for an engine whose index is
 * always complete.
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

/** An author, a channel and a position in the channel, as columns of the outer query. */
export interface AuthorAfter {
  channelId: Expression<string>;
  creatorId: Expression<string>;
  /** Only messages after this id are counted. */
  from: Expression<string>;
}

const filed = sql.raw('(select ord from "authorProgress")');

/**
 * Counts an author's messages in a channel after a position, up to `most`, by reading only an index. On the
 * embedded engine, all unindexed messages are newer, and only the channel's first `most` of them are
 * examined.
 */
export function amountAuthored(
  { name }: Pick<SqlDialect, 'name'>,
  { channelId, creatorId, from }: AuthorAfter,
  most: number,
): Expression<number> {
  const rows = sql.lit(most);
  if (name === 'postgres')
    // Compares `creatorId` with a range, for the same reason as `messagesOf`.
    return sql`(select count(*) from (select 1 from message where "channelId" = ${channelId}
      and ("creatorId", id) > (${creatorId}, ${from}) and ("creatorId", id) <= (${creatorId}, ${sql.lit(LAST_ID)}::uuid)
      order by "creatorId", id limit ${rows}) as authored)`;
  const unfiled = sql`(select id from message where ord > ${filed} order by ord limit 1)`;
  // Uses a single lower bound, because with two, SQLite may seek to the lower one.
  return sql`((select count(*) from (select 1 from "authorIndex" where "channelId" = ${channelId} and "creatorId" = ${creatorId}
      and id > ${from} limit ${rows}))
    + case when ${unfiled} is null then 0 else (select count(*) from (select "creatorId" from message
      where "channelId" = ${channelId} and id >= max(${from}, ${unfiled}) and +id > ${from} and +ord > ${filed}
      order by "channelId", id limit ${rows}) where "creatorId" = ${creatorId}) end)`;
}

/** Maximum number of messages outside the author index that are read one by one. */
const MAX_UNFILED = 2_000;

/**
 * A channel with a message of an author, often the latest one. The channel is null if too many messages are
 * outside the index.
 */
export interface Authored {
  channelId: string | null;
  own: string;
}

interface OfAuthor {
  serverId: string;
  creatorId: string;
}

const channelsOf = ({ serverId, creatorId: userId }: OfAuthor) =>
  sql`${memberChannels({ serverId, userId })} as channel`;

const authored = (rows: (p: OfAuthor) => RawBuilder<Authored>) =>
  prepare((p: OfAuthor) =>
    expressionBuilder<Tables, never>()
      .selectFrom(rows(p).as('authored'))
      .select(['authored.channelId', 'authored.own']),
  );

const onPostgres = authored(
  (of) => sql`(select "channelId", own from (select id as "channelId",
    (select id from message where "channelId" = channel.id and ("creatorId", id) > (${of.creatorId}, ${sql.lit(FIRST_ID)}::uuid)
      and ("creatorId", id) <= (${of.creatorId}, ${sql.lit(LAST_ID)}::uuid) order by "creatorId" desc, id desc limit 1) as own
    from ${channelsOf(of)}) as found where own is not null)`,
);

const unfiledRows = (rows: number) =>
  sql`(select "channelId", "creatorId", id from message where ord > ${filed} order by ord limit ${sql.lit(rows)})`;
/** Selects one row if too many messages are outside the author index, and otherwise none. */
const tooMany = sql`select null, '' where (select count(*) from ${unfiledRows(MAX_UNFILED + 1)}) > ${sql.lit(MAX_UNFILED)}`;

const onSqlite = authored(
  (of) => sql`(select "channelId", own from (select id as "channelId",
      (select id from "authorIndex" where "channelId" = channel.id and "creatorId" = ${of.creatorId}
        order by id desc limit 1) as own
      from ${channelsOf(of)}) where own is not null
    union all select "channelId", id from ${unfiledRows(MAX_UNFILED)} where "creatorId" = ${of.creatorId}
    union all ${tooMany})`,
);

/**
 * Selects an author's latest message in each channel of a server; channels without one are omitted. May
 * return several messages for a channel, and on SQLite also recent messages in other servers.
 */
export const latestAuthored = ({ name }: Pick<SqlDialect, 'name'>, of: OfAuthor): Statement<Authored> =>
  name === 'sqlite' ? onSqlite(of) : onPostgres(of);

/** Maximum number of messages that `allAuthored` returns. */
const MAX_AUTHORED = 500;

/** Selects up to one more message than the maximum, to detect that there are more. */
const allOnSqlite = authored(
  ({ creatorId }) => sql`(select "channelId", own from (select "channelId", id as own from "authorIndex"
      where "creatorId" = ${creatorId} limit ${sql.lit(MAX_AUTHORED + 1)})
    union all select "channelId", id from ${unfiledRows(MAX_UNFILED)} where "creatorId" = ${creatorId}
    union all ${tooMany})`,
);

/** Whether all messages of an author can be read quickly. On PostgreSQL, each may be on a different page. */
export const canReadAll = ({ name }: Pick<SqlDialect, 'name'>): boolean => name === 'sqlite';

/**
 * Returns the messages that an author sent, in all servers. Undefined if there are more than `MAX_AUTHORED`,
 * or if too many messages are outside the index. Call this only if `canReadAll`.
 */
export async function allAuthored(db: Reader, of: OfAuthor): Promise<Authored[] | undefined> {
  const rows = await db.all(allOnSqlite(of));
  const isWhole = rows.length <= MAX_AUTHORED && rows.every(({ channelId }) => channelId !== null);
  return isWhole ? rows : undefined;
}
