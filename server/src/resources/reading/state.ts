import type { Principal } from '../../access/principal.ts';
import { whereChannelVisible } from '../../access/whereVisible.ts';
import type { Reader } from '../../db/contract.ts';
import { sql } from '../../db/kysely.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Level } from '../../db/tables/channelReading.ts';
import { latestPlace } from '../../feed/places.ts';
import { LAST_ID } from '../../lib/deps.ts';
import { type Counts, countsOf } from './counts.ts';
import { draftsOf } from './draft.ts';
import { Hundreds } from './hundreds.ts';
import { placeOf } from './markers.ts';
import { MOST } from './record.ts';

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
    .limit(1)
    .as(column);

/**
 * The reading state of a person in the server in which they act: of all channels that they may see, by five statements, and a
 * few more where the log has news (`hundreds.ts`) or messages have to be looked at (`countsOf`). `only` leaves out other channels.
 */
export async function readingOf(
  db: Reader,
  principal: Principal & { serverId: string },
  only?: readonly string[],
): Promise<ServerReading> {
  const { serverId, userId } = principal;
  let rows = q
    .selectFrom('channel')
    .leftJoin('channelReading as own', (join) =>
      join.onRef('own.channelId', '=', 'channel.id').on('own.userId', '=', userId),
    )
    .select(['channel.id as channelId', 'channel.isBeingSwept'])
    .select(['own.messageId', 'own.unreadAt', 'own.level', 'own.mutedUntil'])
    .select([latestOf('seq', serverId), latestOf('epoch', serverId)])
    .where('channel.serverId', '=', serverId)
    .where(whereChannelVisible(principal));
  if (only) rows = rows.where('channel.id', 'in', [...only]);
  const [server, drafts, found] = await Promise.all([
    db.first(ofServer({ serverId, userId })),
    draftsOf(db, principal),
    only?.length === 0 ? [] : db.all(rows),
  ]);
  const whole = {
    readUpTo: server?.readUpTo ?? null,
    readAt: server?.readAt ?? null,
    memberId: server?.memberId ?? null,
  };
  const channels = found
    .map((row) => ({ ...row, messageId: placeOf({ ...row, ...whole }), unreadAt: row.unreadAt ?? 0 }))
    .sort((one, other) => (one.channelId < other.channelId ? -1 : 1));
  // Of one statement with the channels.
  const [place] = found;
  const [counts, notifications] = await Promise.all([
    place && hundreds.at(db, serverId, place).then((known) => countsOf(db, userId, channels, known)),
    only ? null : notificationsAfter(db, { userId, serverId }, channels),
  ]);
  return {
    serverId,
    level: server?.level ?? null,
    mutedUntil: server?.mutedUntil ?? null,
    drafts,
    notifications,
    channels: channels.map(({ isBeingSwept: _, seq: _seq, epoch: _epoch, ...channel }) => ({
      ...channel,
      unread: counts?.get(channel.channelId)?.unread ?? 0,
      mentions: counts?.get(channel.channelId)?.mentions ?? 0,
    })),
  };
}

/** How far counts have what a log tells: all of its events up to `countedFrom`, and none after `countedTo`. */
export interface Counted {
  countedFrom: number;
  countedTo: number;
}

/**
 * Reads counts between two looks at the log of their server, so that a client knows of each event whether they have it. Those that
 * are numbered between the two are in doubt: there is seldom one.
 */
export async function countedIn<T>(
  db: Reader,
  serverId: string,
  read: () => Promise<T>,
): Promise<T & Counted> {
  const { seq: countedFrom } = await latestPlace(db, serverId);
  const found = await read();
  const { seq: countedTo } = await latestPlace(db, serverId);
  return { ...found, countedFrom, countedTo };
}

/** Notifications that are looked at: a person who reads channels, and no notifications, has many that are read by that. */
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

/** The unread notifications of messages after the markers of these channels, of the latest: up to `MOST`. */
async function notificationsAfter(
  db: Reader,
  of: { userId: string; serverId: string },
  channels: readonly Pick<ChannelReading, 'channelId' | 'messageId'>[],
): Promise<number> {
  const rows = await db.all(latestUnread(of));
  if (rows.length === 0) return 0;
  const markers = new Map(channels.map(({ channelId, messageId }) => [channelId, messageId]));
  const isAfter = ({ channelId, messageId }: (typeof rows)[number]) =>
    messageId > (markers.get(channelId) ?? LAST_ID);
  return Math.min(MOST, rows.filter(isAfter).length);
}
