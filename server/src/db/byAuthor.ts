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
