import { type Expression, expressionBuilder, sql } from 'kysely';
import { amountAuthored } from '../../db/byAuthor.ts';
import { prepareKnown } from '../../db/known.ts';
import type { Tables } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { type CountedAfter, MOST } from '../serverState/channelCounts.ts';

/**
 * The number of messages that an index-only count reads in each round. Another round is needed if too many of
 * them are the reader's own. The last round reads all messages, so counts are always exact.
 */
export const FURTHER = [MOST, 4 * MOST, 16 * MOST, 2_147_483_647];
/** Maximum messages to scan one by one per channel. */
const EXAMINED = 4 * MOST;

/** A person's marker in a channel. */
export interface CountStart {
  channelId: string;
  from: string;
  userId: string;
}

const placeColumns = { channelId: 'uuid', from: 'uuid', userId: 'uuid' } as const;
const known = (column: keyof CountStart) => sql.ref<string>(`known.${column}`);
const most = sql.lit(MOST);
const anyTable = expressionBuilder<Tables, never>();

type Rows = Expression<unknown>;
const amountOf = (rows: Rows) => sql<number>`(select count(*) from ${rows} as counted)`;

const ofChannel = sql`from message where "channelId" = ${known('channelId')}`;
const afterMarker = sql`${ofChannel} and id > ${known('from')}`;
const backwards = sql`order by "channelId" desc, id desc`;

/**
 * The statement that counts messages after markers, using only an index, and returns the messages around each
 * marker.
 */
export const countsAfter = prepareKnown<Pick<CountStart, 'channelId' | 'from'>, CountedAfter>(
  { channelId: 'uuid', from: 'uuid' },
  (table) => {
    const amount = amountOf(sql`(select 1 ${afterMarker} ${backwards} limit ${most})`);
    const ofFull = (full: Expression<unknown>, few: Expression<unknown>) =>
      sql<string | null>`case when known.count = ${most} then ${full} else ${few} end`;
    const nothing = sql`null`;
    return q
      .with(
        (name) => name('known').materialized(),
        () => sql<CountStart & { count: number }>`(select *, ${amount} as count from ${table} as known)`,
      )
      .selectFrom('known')
      .select(['channelId', 'count'])
      .select([
        sql<string | null>`(select id ${ofChannel} ${backwards} limit 1)`.as('latest'),
        ofFull(nothing, sql`(select id ${afterMarker} order by "channelId", id limit 1)`).as('before'),
        ofFull(nothing, sql`(select id ${ofChannel} and id <= ${known('from')} ${backwards} limit 1)`).as(
          'from',
        ),
        ofFull(sql`(select id ${afterMarker} ${backwards} limit 1 offset ${sql.lit(MOST - 1)})`, nothing).as(
          'last',
        ),
      ]);
  },
);

/** The statement that counts the reader's own messages after markers, using only an index. */
export const authored = prepareKnown<CountStart, { channelId: string; own: number }>(
  placeColumns,
  (table, engine) => {
    const place = { channelId: known('channelId'), creatorId: known('userId'), from: known('from') };
    return anyTable
      .selectFrom(table.as('known'))
      .select([
        sql<string>`${known('channelId')}`.as('channelId'),
        sql<number>`${amountAuthored(engine, place, MOST)}`.as('own'),
      ]);
  },
);

/** The statements that count all messages and the reader's own, using only indexes. */
export const scans = FURTHER.map((rows) =>
  prepareKnown<CountStart, { channelId: string; all: number; own: number }>(placeColumns, (table, engine) => {
    const all = sql.lit(rows);
    const place = { channelId: known('channelId'), creatorId: known('userId'), from: known('from') };
    return anyTable
      .selectFrom(table.as('known'))
      .select([
        sql<string>`${known('channelId')}`.as('channelId'),
        amountOf(sql`(select 1 ${afterMarker} ${backwards} limit ${all})`).as('all'),
        sql<number>`${amountAuthored(engine, place, rows)}`.as('own'),
      ]);
  }),
);

/** The statement that counts unread mentions after markers. */
export const mentionsAfter = prepareKnown<CountStart, { channelId: string; mentions: number }>(
  placeColumns,
  (table) =>
    anyTable.selectFrom(table.as('known')).select([
      sql<string>`${known('channelId')}`.as('channelId'),
      amountOf(sql`(select 1 from notification where "userId" = ${known('userId')}
      and "channelId" = ${known('channelId')} and "messageId" > ${known('from')}
      and type = 'mention' and "readAt" is null limit ${most})`).as('mentions'),
    ]),
);

/** The statement for channels whose messages have to be scanned one by one, up to a limit per channel. */
export const looks = prepareKnown<CountStart, { channelId: string; unread: number; mentions: number }>(
  placeColumns,
  (table) => {
    const first = sql`(select id, "creatorId", "threadId" ${afterMarker} order by "channelId", id
      limit ${sql.lit(EXAMINED)})`;
    const unread = sql`(select 1 from ${first} as message where "creatorId" <> ${known('userId')} and ${isInSight}
      limit ${most})`;
    const mentions = sql`(select 1 from notification join message on message.id = notification."messageId"
      where notification."userId" = ${known('userId')} and notification."channelId" = ${known('channelId')}
      and notification."messageId" > ${known('from')} and notification.type = 'mention' and notification."readAt" is null
      and ${isInSight} limit ${most})`;
    return anyTable
      .selectFrom(table.as('known'))
      .select([
        sql<string>`${known('channelId')}`.as('channelId'),
        amountOf(unread).as('unread'),
        amountOf(mentions).as('mentions'),
      ]);
  },
);

/** The statement that counts replies from others after markers, by thread. */
export const ofThreads = prepareKnown<
  { threadId: string; from: string; userId: string },
  { threadId: string; unread: number }
>({ threadId: 'uuid', from: 'uuid', userId: 'uuid' }, (rows) => {
  const first = sql`(select "creatorId" from message where "threadId" = ${sql.ref('known.threadId')}
      and id > ${known('from')} order by "threadId", id limit ${sql.lit(EXAMINED)})`;
  const unread = sql`(select 1 from ${first} as replies where "creatorId" <> ${known('userId')} limit ${most})`;
  return anyTable
    .selectFrom(rows.as('known'))
    .select([sql<string>`${sql.ref('known.threadId')}`.as('threadId'), amountOf(unread).as('unread')]);
});
