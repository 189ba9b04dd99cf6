import { type Expression, expressionBuilder, sql } from 'kysely';
import { amountAuthored } from '../../db/byAuthor.ts';
import type { Reader } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import type { Tables } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { MOST } from './readingRecords.ts';
import type { ThousandsAt } from './thousands.ts';

/** A channel in which to count messages after a marker. */
export interface Counted {
  channelId: string;
  /** The marker. */
  messageId: string;
  /** Whether some of its messages may have been deleted but not swept yet. */
  isBeingSwept: boolean;
}

export interface Counts {
  unread: number;
  mentions: number;
}

/**
 * Messages that an index-only count reads if the reader's own are among the first `MOST`: more and more, and at last all, so
 * that counts are exact however many are the reader's own.
 */
const FURTHER = [4 * MOST, 16 * MOST, 2_147_483_647];
/** Maximum messages scanned one by one per channel, and channels at once. */
const EXAMINED = 4 * MOST;
const EXAMINED_CHANNELS = 4;

interface CountStart {
  channelId: string;
  from: string;
  userId: string;
}

interface Known extends CountStart {
  /** 1 if there are probably fewer messages after the marker than the limit. Those are then counted first. */
  isFew: number;
}

const placeColumns = { channelId: 'uuid', from: 'uuid', userId: 'uuid' } as const;
const columns = { ...placeColumns, isFew: 'bigint' } as const;
const known = (column: keyof Known) => sql.ref<string>(`known.${column}`);
const most = sql.lit(MOST);

type Rows = Expression<unknown>;
const amountOf = (rows: Rows) => sql<number>`(select count(*) from ${rows} as counted)`;

/**
 * Unread mentions after a marker, and whether the user has any, which does not depend on the row and so is
 * evaluated once.
 */
const isUnread = sql`type = 'mention' and "readAt" is null`;
const mentionsAfter = amountOf(sql`(select 1 from notification where "userId" = ${known('userId')}
  and "channelId" = ${known('channelId')} and "messageId" > ${known('from')} and ${isUnread} limit ${most})`);
const hasMentions = (table: Expression<unknown>) => sql`exists (select 1 from notification
  where "userId" = (select "userId" from ${table} as one limit 1) and ${isUnread})`;
const place = { channelId: known('channelId'), creatorId: known('userId'), from: known('from') };

/** A channel's counts, read from the indexes. */
interface Scanned {
  channelId: string;
  /** Messages after the marker, up to the limit. */
  all: number;
  own: number;
  mentions: number;
  /** The message from which on there are that many messages; null if there are fewer. */
  last: string | null;
}

/**
 * The statement for all channels. It counts messages after the marker, up to a limit, and the reader's own,
 * from indexes only, without reading the messages. It scans back from the latest message, so the result is
 * valid for other markers too. Detecting that the limit is reached is cheaper than counting up to it. If
 * there are no messages, nothing else is counted.
 */
const scansOf = (rows: number) =>
  prepareKnown<Known, Scanned>(columns, (table, engine) => {
    const all = sql.lit(rows);
    const after = sql`from message where "channelId" = ${known('channelId')} and id > ${known('from')}
      order by "channelId" desc, id desc`;
    const amount = sql<number>`(select count(*) from (select 1 ${after} limit ${all}) as counted)`;
    const last = sql<string | null>`(select id ${after} limit 1 offset ${sql.lit(rows - 1)})`;
    return q
      .with(
        (name) => name('looked').materialized(),
        () => sql<Known & { place: string | null }>`(select *,
          case when ${known('isFew')} = 0 then ${last} end as place from ${table} as known)`,
      )
      .with(
        (name) => name('known').materialized(),
        () =>
          sql<
            Known & { place: string | null; all: number }
          >`(select *, case when place is not null then ${all} else ${amount} end as "all" from looked as known)`,
      )
      .selectFrom('known')
      .select(['channelId', 'all'])
      .select([
        sql<string | null>`case when "isFew" = 1 and "all" = ${all} then ${last} else place end`.as('last'),
        sql<number>`case when "all" = 0 then 0 else ${amountAuthored(engine, place, rows)} end`.as('own'),
        sql<number>`case when "all" > 0 and ${hasMentions(sql`looked`)} then ${mentionsAfter} else 0 end`.as(
          'mentions',
        ),
      ]);
  });

const scans = scansOf(MOST);
const furtherScans = FURTHER.map(scansOf);

/**
 * The statement for channels known to reach the limit after the marker. It returns the channels with the
 * reader's own messages or mentions, usually none.
 */
const exceptions = prepareKnown<CountStart, Pick<Scanned, 'channelId' | 'own' | 'mentions'>>(
  placeColumns,
  (table, engine) =>
    q
      .with(
        (name) => name('looked').materialized(),
        () => sql<CountStart>`(select * from ${table} as given)`,
      )
      .with(
        (name) => name('found').materialized(),
        () => sql<Pick<Scanned, 'channelId' | 'own' | 'mentions'>>`(select "channelId",
          ${amountAuthored(engine, place, MOST)} as own,
          case when ${hasMentions(sql`looked`)} then ${mentionsAfter} else 0 end as mentions from looked as known)`,
      )
      .selectFrom('found')
      .selectAll()
      .where((eb) => eb.or([eb('own', '>', sql.lit(0)), eb('mentions', '>', sql.lit(0))])),
);

/** The statement for channels whose messages have to be scanned one by one, up to a limit per channel. */
const looksAt = (rows: number) =>
  prepareKnown<CountStart, { channelId: string; unread: number; mentions: number }>(placeColumns, (table) => {
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

/**
 * The messages from others after the marker, and the unread mentions among them, by channel; each count stops
 * at `MOST`. The cost does not depend on the number of messages, unless many of them are the reader's own. Messages
 * themselves are scanned, up to `EXAMINED`, only during a sweep. `thousands` caches which channels have at least `MOST`
 * messages, and is updated.
 */
export async function countsOf(
  db: Reader,
  userId: string,
  channels: readonly Counted[],
  thousands: ThousandsAt,
): Promise<ReadonlyMap<string, Counts>> {
  const counts = new Map<string, Counts>();
  const placesOf = (some: readonly Counted[]): CountStart[] =>
    some.map(({ channelId, messageId: from }) => ({ channelId, from, userId }));
  /** Channels that the indexes alone cannot count. */
  const unclear: Counted[] = [];
  /**
   * Counts channels known to reach the limit after the marker, where a few of the reader's own messages may
   * leave the count open.
   */
  const except = async (some: readonly Counted[]): Promise<void> => {
    if (some.length === 0) return;
    const found = await db.all(exceptions(db.dialect, placesOf(some)));
    const ofChannels = new Map(found.map((one) => [one.channelId, one]));
    for (const one of some) {
      const { own = 0, mentions = 0 } = ofChannels.get(one.channelId) ?? {};
      if (Number(own) > 0) unclear.push(one);
      else counts.set(one.channelId, { unread: MOST, mentions: Number(mentions) });
    }
  };
  /** Counts by using the indexes. */
  const scan = async (statement: typeof scans, rows: number, some: readonly Counted[]): Promise<void> => {
    if (some.length === 0) return;
    const given = placesOf(some).map((place) => {
      const isFew = thousands.isTried(place.channelId) && !thousands.has(place.channelId, place.from);
      return { ...place, isFew: isFew ? 1 : 0 };
    });
    const ofChannels = new Map(some.map((one) => [one.channelId, one]));
    for (const found of await db.all(statement(db.dialect, given))) {
      thousands.add(found.channelId, found.last);
      const unread = Math.min(MOST, Number(found.all) - Number(found.own));
      // Either everything was counted, or there are enough messages from others, wherever the reader's own
      // are.
      if (Number(found.all) < rows || unread === MOST)
        counts.set(found.channelId, { unread, mentions: Number(found.mentions) });
      else unclear.push(ofChannels.get(found.channelId) as Counted);
    }
  };
  const {
    swept = [],
    full = [],
    others = [],
  } = Object.groupBy(channels, ({ channelId, messageId, isBeingSwept }) =>
    isBeingSwept ? 'swept' : thousands.has(channelId, messageId) ? 'full' : 'others',
  );
  await Promise.all([except(full), scan(scans, MOST, others)]);
  for (const [round, rows] of FURTHER.entries())
    await scan(furtherScans[round] as typeof scans, rows, unclear.splice(0));
  for (let at = 0; at < swept.length; at += EXAMINED_CHANNELS) {
    const some = placesOf(swept.slice(at, at + EXAMINED_CHANNELS));
    for (const { channelId, unread, mentions } of await db.inTurn((db) => db.all(looks(db.dialect, some))))
      counts.set(channelId, { unread: Number(unread), mentions: Number(mentions) });
  }
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

/** The replies from others after the marker, by thread, up to `MOST`. */
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
