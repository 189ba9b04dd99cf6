import type { Principal } from '../../access/principal.ts';
import { whereChannelVisible } from '../../access/whereVisible.ts';
import type { Reader } from '../../db/contract.ts';
import { sql } from '../../db/kysely.ts';
import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Level } from '../../db/tables/channelReading.ts';
import { latestPosition } from '../../feed/positions.ts';
import { LAST_ID } from '../../lib/deps.ts';
import { type Counts, countsOf } from './counts.ts';
import { draftsOf } from './draft.ts';
import { Hundreds, type ReadPosition } from './hundreds.ts';
import { readUpToOf } from './markers.ts';
import { MOST } from './readingRecords.ts';

/** The reading state of one channel. */
interface ChannelReading extends Counts {
  channelId: string;
  /** The marker: messages with larger ids are unread. */
  messageId: string;
  /** The last time at which something there was marked as unread, in ms; 0 for never. */
  unreadAt: number;
  /** Null for that of the server. */
  level: Level | null;
  mutedUntil: number | null;
}

/** All reading state of a person in a server. */
export interface ServerReading {
  serverId: string;
  /** Null for all. */
  level: Level | null;
  mutedUntil: number | null;
  /** Of every channel that the person may see, by the channels' ids. */
  channels: ChannelReading[];
  /** Unread notifications of messages after the markers, up to `MOST`; null if only some channels were asked for. */
  notifications: number | null;
  /** Messages that they have begun to write there. */
  drafts: Awaited<ReturnType<typeof draftsOf>>;
}

const ofServer = prepare((p: { serverId: string; userId: string }) =>
  q
    .selectFrom('server')
    .leftJoin('serverReading as whole', (join) =>
      join.onRef('whole.serverId', '=', 'server.id').on('whole.userId', '=', p.userId),
    )
    .leftJoin('serverMember as member', (join) =>
      join.onRef('member.serverId', '=', 'server.id').on('member.userId', '=', p.userId),
    )
    .select(['whole.messageId as readUpTo', 'whole.readAt', 'whole.level', 'whole.mutedUntil'])
    .select('member.id as memberId')
    .where('server.id', '=', p.serverId),
);

/** What is known of the channels of all servers, by this process. */
const hundreds = new Hundreds();

/** A column of the latest event of a log. */
const latestOf = <C extends 'seq' | 'epoch'>(column: C, logId: string) =>
  q
    .selectFrom('event')
    .select(column)
    .where('event.logId', '=', logId)
    .orderBy('event.seq', 'desc')
    .limit(sql.lit(1))
    .as(column);

/** All channels of a server, each with the place of the log at which they were read. */
export const channelsAt = prepare((p: { serverId: string }) =>
  q
    .selectFrom('channel')
    .selectAll()
    .select([latestOf('seq', p.serverId), latestOf('epoch', p.serverId)])
    .where('channel.serverId', '=', p.serverId),
);

/** A channel, as far as its reading state asks for it, with the place of the log at which it was read. */
type ChannelAt = Pick<RowOf<'channel'>, 'id' | 'isBeingSwept'> & ReadPosition;

const marksIn = prepare((p: { serverId: string; userId: string }) =>
  q
    .selectFrom('channelReading as own')
    .innerJoin('channel', 'channel.id', 'own.channelId')
    .select(['own.channelId', 'own.messageId', 'own.unreadAt', 'own.level', 'own.mutedUntil'])
    .where('channel.serverId', '=', p.serverId)
    .where('own.userId', '=', p.userId),
);

/** A channel without a marker of its own. */
const unmarked = { messageId: null, unreadAt: null, level: null, mutedUntil: null };

/** The reading state of a person in the server in which they act: of all channels that they may see. `only` leaves out others. */
export async function readingOf(
  db: Reader,
  principal: Principal & { serverId: string },
  only?: readonly string[],
): Promise<ServerReading> {
  const { serverId } = principal;
  let rows = q
    .selectFrom('channel')
    .select(['channel.id', 'channel.isBeingSwept'])
    .select([latestOf('seq', serverId), latestOf('epoch', serverId)])
    .where('channel.serverId', '=', serverId)
    .where(whereChannelVisible(principal));
  if (only) rows = rows.where('channel.id', 'in', [...only]);
  const channels = only?.length === 0 ? [] : db.all(rows);
  return readingIn(db, principal, channels, only === undefined);
}

/**
 * The reading state of a person in some channels of the server in which they act, which one statement has read: by five statements more,
 * and a few where the log has news (`hundreds.ts`) or messages have to be looked at (`countsOf`). `isWhole` counts notifications, too.
 */
export async function readingIn(
  db: Reader,
  principal: Principal & { serverId: string },
  given: readonly ChannelAt[] | Promise<readonly ChannelAt[]>,
  isWhole = true,
): Promise<ServerReading> {
  const { serverId, userId } = principal;
  const [server, drafts, marks, unread, found] = await Promise.all([
    db.first(ofServer({ serverId, userId })),
    draftsOf(db, principal),
    db.all(marksIn({ serverId, userId })),
    isWhole ? db.all(latestUnread({ serverId, userId })) : undefined,
    given,
  ]);
  const whole = {
    readUpTo: server?.readUpTo ?? null,
    readAt: server?.readAt ?? null,
    memberId: server?.memberId ?? null,
  };
  const marked = new Map(marks.map((mark) => [mark.channelId, mark]));
  const places = found.map(({ id: channelId, isBeingSwept }) => {
    const own = marked.get(channelId) ?? unmarked;
    const { unreadAt, level, mutedUntil } = own;
    return {
      channelId,
      isBeingSwept,
      messageId: readUpToOf({ ...own, ...whole }),
      unreadAt,
      level,
      mutedUntil,
    };
  });
  // Of one statement with the channels.
  const [place] = found;
  const counts = place && (await countsOf(db, userId, places, await hundreds.at(db, serverId, place)));
  const channels = places
    .map(({ channelId, messageId, unreadAt, level, mutedUntil }): ChannelReading => {
      const { unread = 0, mentions = 0 } = counts?.get(channelId) ?? {};
      return { channelId, messageId, unreadAt: unreadAt ?? 0, unread, mentions, level, mutedUntil };
    })
    .sort((one, other) => (one.channelId < other.channelId ? -1 : 1));
  return {
    serverId,
    level: server?.level ?? null,
    mutedUntil: server?.mutedUntil ?? null,
    drafts,
    notifications: unread ? amountAfter(unread, channels) : null,
    channels,
  };
}

/** How far counts have what a log tells: all of its events up to `countedFrom`, and none after `countedTo`. */
export interface Counted {
  countedFrom: number;
  countedTo: number;
}

/**
 * Reads counts between two looks at the log of their server, so that a client knows of each event whether they have it. Those that
 * are numbered between the two are in doubt: there is seldom one. `from` is the first look, where the caller had one.
 */
export async function countedIn<T>(
  db: Reader,
  serverId: string,
  read: () => Promise<T>,
  from?: number,
): Promise<T & Counted> {
  const countedFrom = from ?? (await latestPosition(db, serverId)).seq;
  const found = await read();
  const { seq: countedTo } = await latestPosition(db, serverId);
  return { ...found, countedFrom, countedTo };
}

/** Unread notifications that are looked at: a person who reads channels, and no notifications, has many that are read by that. */
const MAX_NOTIFICATIONS = 500;

const latestUnread = prepare((p: { userId: string; serverId: string }) =>
  q
    .selectFrom('notification')
    .select(['channelId', 'messageId'])
    .where('userId', '=', p.userId)
    .where('serverId', '=', p.serverId)
    .where('readAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(sql.lit(MAX_NOTIFICATIONS)),
);

/** The number of unread ones after the markers of these channels: up to `MOST`. */
function amountAfter(
  unread: readonly { channelId: string; messageId: string }[],
  channels: readonly Pick<ChannelReading, 'channelId' | 'messageId'>[],
): number {
  if (unread.length === 0) return 0;
  const markers = new Map(channels.map(({ channelId, messageId }) => [channelId, messageId]));
  const isAfter = ({ channelId, messageId }: (typeof unread)[number]) =>
    messageId > (markers.get(channelId) ?? LAST_ID);
  return Math.min(MOST, unread.filter(isAfter).length);
}
