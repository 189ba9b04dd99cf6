import { type Expression, expressionBuilder, sql } from 'kysely';
import { amountAuthored } from '../../db/byAuthor.ts';
import type { Reader } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import type { Tables } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { type CountedAfter, MOST } from '../serverState/channelCounts.ts';
import type { LatestOwn } from '../serverState/ownMessages.ts';
import type { ServerState } from '../serverState/serverState.ts';

/** A channel in which to count messages after a marker. */
export interface Counted {
  channelId: string;
  /** The marker. */
  messageId: string;
}

export interface Counts {
  unread: number;
  mentions: number;
}

/** Number of channels per statement that counts messages. */
const COUNTED_CHANNELS = 64;
/**
 * The number of messages that an index-only count reads in each round. Another round is needed if too many of
 * them are the reader's own. The last round reads all messages, so counts are always exact.
 */
const FURTHER = [MOST, 4 * MOST, 16 * MOST, 2_147_483_647];
/** Maximum messages to scan one by one per channel, and maximum channels at once. */
const EXAMINED = 4 * MOST;
const EXAMINED_CHANNELS = 4;

interface CountStart {
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
 * The statement that counts messages after markers, from an index only, and returns the messages around each
 * marker.
 */
const countsAfter = prepareKnown<Pick<CountStart, 'channelId' | 'from'>, CountedAfter>(
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

/** The statement that also counts the reader's own messages, from indexes only. */
const scans = FURTHER.map((rows) =>
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
const mentionsAfter = prepareKnown<CountStart, { channelId: string; mentions: number }>(
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
const looks = prepareKnown<CountStart, { channelId: string; unread: number; mentions: number }>(
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

/** Selects the unread mentions of a person, by the message's channel. */
type Mentions = readonly { channelId: string; messageId: string }[];

interface CountsOf {
  db: Reader;
  userId: string;
  channels: readonly Counted[];
  state: ServerState;
  /** All unread mentions of the person in these channels; undefined if they are not cached. */
  mentions: Mentions | undefined;
}

/**
 * Counts the messages from others after the markers, and the unread mentions among them, by channel. Each
 * count stops at `MOST`. Omits channels without any. Reads only counts that `state` does not have. The
 * messages themselves are scanned only during a sweep, up to `EXAMINED`.
 */
export async function countsOf({ db, userId, channels, state, mentions }: CountsOf) {
  const counts = new Map<string, Counts>();
  const placesOf = (some: readonly Counted[]): CountStart[] =>
    some.map(({ channelId, messageId: from }) => ({ channelId, from, userId }));
  const swept = await sweptAmong(db, channels, state);
  const found = await amountsAfter(db, state, channels, swept);
  const own = found.length === 0 ? undefined : await state.own(db, userId);
  const unclear: Counted[] = [];
  for (const { place, count } of found) {
    if (isOnlyOthers(own, place)) counts.set(place.channelId, { unread: count, mentions: 0 });
    else unclear.push(place);
  }
  for (const [round, statement] of scans.entries()) {
    const some = new Map(unclear.splice(0).map((place) => [place.channelId, place]));
    if (some.size === 0) break;
    for (const { channelId, all, own } of await db.all(statement(db.dialect, placesOf([...some.values()])))) {
      const unread = Math.min(MOST, Number(all) - Number(own));
      // Either all messages were counted, or there are enough from others regardless of the reader's own.
      if (Number(all) < (FURTHER[round] as number) || unread === MOST)
        counts.set(channelId, { unread, mentions: 0 });
      else unclear.push(some.get(channelId) as Counted);
    }
  }
  await addMentions(db, counts, mentions, placesOf(channels));
  for (let at = 0; at < swept.length; at += EXAMINED_CHANNELS) {
    const some = placesOf(swept.slice(at, at + EXAMINED_CHANNELS));
    for (const { channelId, unread, mentions } of await db.inTurn((db) => db.all(looks(db.dialect, some))))
      counts.set(channelId, { unread: Number(unread), mentions: Number(mentions) });
  }
  return counts;
}

const isOnlyOthers = (own: LatestOwn | undefined, { channelId, messageId }: Counted): boolean =>
  own !== undefined && (own.get(channelId) ?? '') <= messageId;

const beingSwept = (channelIds: readonly string[]) =>
  q.selectFrom('channel').select('id').where('id', 'in', channelIds).where('isBeingSwept', '=', true);

/** Returns the channels in which messages are due to be swept. */
async function sweptAmong(db: Reader, channels: readonly Counted[], state: ServerState): Promise<Counted[]> {
  const { mayBeSwept } = state;
  if (mayBeSwept.size === 0) return [];
  const { seq } = state;
  const asked = [...mayBeSwept];
  const ids = new Set((await db.all(beingSwept(asked))).map(({ id }) => id));
  if (state.seq === seq) for (const id of asked) if (!ids.has(id)) mayBeSwept.delete(id);
  return channels.filter(({ channelId }) => ids.has(channelId));
}

interface Amount {
  place: Counted;
  count: number;
}

/**
 * Counts all messages after the markers, up to `MOST`, by channel. Omits channels without messages and the
 * channels in `swept`.
 */
async function amountsAfter(
  db: Reader,
  state: ServerState,
  channels: readonly Counted[],
  swept: readonly Counted[],
): Promise<Amount[]> {
  const amounts: Amount[] = [];
  const look = (places: readonly Counted[]): Counted[] =>
    places.filter((place) => {
      const count = state.counts.after(place.channelId, place.messageId);
      if (count === undefined) return true;
      if (count > 0) amounts.push({ place, count });
      return false;
    });
  const hidden = new Set(swept);
  const missing = look(hidden.size > 0 ? channels.filter((place) => !hidden.has(place)) : channels);
  for (let at = 0; at < missing.length; at += COUNTED_CHANNELS) {
    const some = missing.slice(at, at + COUNTED_CHANNELS);
    await db.inTurn(async (db) => {
      // Another request may have counted the messages while this one was queued.
      const left = new Map(look(some).map((place) => [place.channelId, place]));
      if (left.size === 0) return;
      const { seq } = state;
      const places = [...left].map(([channelId, { messageId: from }]) => ({ channelId, from }));
      for (const found of await db.all(countsAfter(db.dialect, places))) {
        const counted = { ...found, count: Number(found.count) };
        if (state.seq === seq) state.counts.learn(counted);
        const place = left.get(counted.channelId) as Counted;
        if (counted.count > 0) amounts.push({ place, count: counted.count });
      }
    });
  }
  return amounts;
}

/** Adds unread mentions to the channels that have unread messages. */
async function addMentions(
  db: Reader,
  counts: Map<string, Counts>,
  known: Mentions | undefined,
  places: readonly CountStart[],
): Promise<void> {
  if (known?.length === 0 || counts.size === 0) return;
  const of = new Map(places.map((place) => [place.channelId, place]));
  if (known) {
    for (const { channelId, messageId } of known) {
      const counted = counts.get(channelId);
      const from = of.get(channelId)?.from;
      if (counted && from !== undefined && messageId > from && counted.mentions < MOST) counted.mentions++;
    }
    return;
  }
  const some = [...counts.keys()].map((channelId) => of.get(channelId) as CountStart);
  for (const { channelId, mentions } of await db.all(mentionsAfter(db.dialect, some)))
    (counts.get(channelId) as Counts).mentions = Number(mentions);
}

const ofThreads = prepareKnown<
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

/** Counts the replies from others after the marker, by thread, up to `MOST`. */
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
