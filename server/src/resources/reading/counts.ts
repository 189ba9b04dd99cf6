import type { Expression } from 'kysely';
import type { Reader } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import { expressionBuilder, sql } from '../../db/kysely.ts';
import type { Tables } from '../../db/schema.ts';
import { isInSight } from '../../db/sweep.ts';
import { MOST } from './record.ts';

/** A channel whose messages after a place are counted. */
export interface Counted {
  channelId: string;
  /** The marker. */
  messageId: string;
  /** True if messages of it may be rows that a sweep has yet to remove. */
  isBeingSwept: boolean;
}

export interface Counts {
  unread: number;
  mentions: number;
}

/** Messages of a channel that a count looks at one by one, at most; and in each of more than `MANY` channels. */
const EXAMINED = 1_000;
const EXAMINED_OF_MANY = 200;
const MANY = 50;

interface Known {
  channelId: string;
  from: string;
  userId: string;
}

const columns = { channelId: 'uuid', from: 'uuid', userId: 'uuid' } as const;
const known = (column: keyof Known) => sql.ref<string>(`known.${column}`);
const most = sql.lit(MOST);

type Rows = Expression<unknown>;
const amountOf = (rows: Rows) => sql<number>`(select count(*) from ${rows} as counted)`;

/**
 * The statement for all channels. Each number comes from the first `MOST` messages after the marker, or from as many
 * notifications: those of everybody, and those of oneself among them.
 */
const scans = prepareKnown<Known, { channelId: string; all: number; own: number; mentions: number }>(
  columns,
  (rows) => {
    const all = sql`(select id from message where "channelId" = ${known('channelId')} and id > ${known('from')}
      order by "channelId", id limit ${most})`;
    const first = sql`(select "creatorId" from message where "channelId" = ${known('channelId')} and id > ${known('from')}
      order by "channelId", id limit ${most})`;
    const own = sql`(select 1 from ${first} as message where "creatorId" = ${known('userId')})`;
    const mentions = sql`(select 1 from notification where "userId" = ${known('userId')}
      and "channelId" = ${known('channelId')} and "messageId" > ${known('from')} and type = 'mention' and "readAt" is null
      limit ${most})`;
    return expressionBuilder<Tables, never>()
      .selectFrom(rows.as('known'))
      .select([
        sql<string>`${known('channelId')}`.as('channelId'),
        amountOf(all).as('all'),
        amountOf(own).as('own'),
        amountOf(mentions).as('mentions'),
      ]);
  },
);

/** The statement for channels where messages have to be looked at one by one, up to so many in each. */
const looksAt = (rows: number) =>
  prepareKnown<Known, { channelId: string; unread: number; mentions: number }>(columns, (table) => {
    const first = sql`(select id, "creatorId", "threadId" from message where "channelId" = ${known('channelId')}
      and id > ${known('from')} order by "channelId", id limit ${sql.lit(rows)})`;
    const unread = sql`(select 1 from ${first} as message where "creatorId" <> ${known('userId')} and ${isInSight}
      limit ${most})`;
    const mentions = sql`(select 1 from notification join message on message.id = notification."messageId"
      where notification."userId" = ${known('userId')} and notification."channelId" = ${known('channelId')}
      and notification."messageId" > ${known('from')} and notification.type = 'mention' and notification."readAt" is null
      and ${isInSight} limit ${most})`;
    return expressionBuilder<Tables, never>()
      .selectFrom(table.as('known'))
      .select([
        sql<string>`${known('channelId')}`.as('channelId'),
        amountOf(unread).as('unread'),
        amountOf(mentions).as('mentions'),
      ]);
  });

const looks = looksAt(EXAMINED);
const looksAtMany = looksAt(EXAMINED_OF_MANY);

/**
 * The messages of others after the marker, and the unread notifications of mentions among them, by channel: each up to `MOST`.
 * It costs the same however many messages there are. The messages are looked at, up to `EXAMINED` of them, only where
 * the person has sent some among the first hundred, or where a sweep is under way.
 */
export async function countsOf(
  db: Reader,
  userId: string,
  channels: readonly Counted[],
): Promise<ReadonlyMap<string, Counts>> {
  const counts = new Map<string, Counts>();
  if (channels.length === 0) return counts;
  const rowOf = ({ channelId, messageId }: Counted): Known => ({ channelId, from: messageId, userId });
  const plain = channels.filter(({ isBeingSwept }) => !isBeingSwept);
  const byId = new Map(channels.map((channel) => [channel.channelId, channel]));
  const left: Counted[] = channels.filter(({ isBeingSwept }) => isBeingSwept);
  for (const { channelId, all, own, mentions } of await db.all(scans(db.dialect, plain.map(rowOf)))) {
    counts.set(channelId, { unread: Number(all) - Number(own), mentions: Number(mentions) });
    // Some of one's own may come after the first hundred.
    if (Number(all) === MOST && Number(own) > 0) left.push(byId.get(channelId) as Counted);
  }
  if (left.length === 0) return counts;
  const look = left.length > MANY ? looksAtMany : looks;
  const examined = await db.inTurn((db) => db.all(look(db.dialect, left.map(rowOf))));
  for (const { channelId, unread, mentions } of examined)
    counts.set(channelId, { unread: Number(unread), mentions: Number(mentions) });
  return counts;
}

const ofThreads = prepareKnown<
  { threadId: string; from: string; userId: string },
  { threadId: string; unread: number }
>({ threadId: 'uuid', from: 'uuid', userId: 'uuid' }, (rows) => {
  const first = sql`(select "creatorId" from message where "threadId" = ${sql.ref('known.threadId')}
      and id > ${known('from')} order by "threadId", id limit ${sql.lit(EXAMINED)})`;
  const unread = sql`(select 1 from ${first} as replies where "creatorId" <> ${known('userId')} limit ${most})`;
  return expressionBuilder<Tables, never>()
    .selectFrom(rows.as('known'))
    .select([sql<string>`${sql.ref('known.threadId')}`.as('threadId'), amountOf(unread).as('unread')]);
});

/** The replies of others after the marker, by thread, up to `MOST`. */
export async function repliesAfter(
  db: Reader,
  userId: string,
  threads: readonly { threadId: string; messageId: string }[],
): Promise<ReadonlyMap<string, number>> {
  if (threads.length === 0) return new Map();
  const rows = threads.map(({ threadId, messageId }) => ({ threadId, from: messageId, userId }));
  const found = await db.all(ofThreads(db.dialect, rows));
  return new Map(found.map(({ threadId, unread }) => [threadId, Number(unread)]));
}
