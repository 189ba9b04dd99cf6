import { sql } from 'kysely';
import type { Principal } from '../../access/principal.ts';
import { whereChannelVisible } from '../../access/whereVisible.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Level } from '../../db/tables/channelReading.ts';
import { latestPosition } from '../../feed/positions.ts';
import { LAST_ID } from '../../lib/deps.ts';
import { type Counts, countsOf } from './counts.ts';
import { draftsOf } from './draft.ts';
import { readUpToOf } from './markers.ts';
import { MOST } from './readingRecords.ts';
import { type ReadPosition, Thousands } from './thousands.ts';

/** The reading state of one channel. */
interface ChannelReading extends Counts {
  channelId: string;
  /** The marker: messages with greater ids are unread. */
  messageId: string;
  /** When something in the channel was last marked as unread, in ms; 0 for never. */
  unreadAt: number;
  /** Null to use the server's level. */
  level: Level | null;
  mutedUntil: number | null;
}

/** A person's whole reading state in a server. */
export interface ServerReading {
  serverId: string;
  /** Null for the default, `all`. */
  level: Level | null;
  mutedUntil: number | null;
  /** Every channel the person can see, ordered by channel id. */
  channels: ChannelReading[];
  /**
   * Unread notifications about messages after the markers, up to `MOST`; null if only some channels were
   * requested.
   */
  notifications: number | null;
  /** The person's drafts in the server. */
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

/** This process's cache for channels in all servers. */
const thousands = new Thousands();

/** A column of the latest event in a log. */
const latestOf = <C extends 'seq' | 'epoch'>(column: C, logId: string) =>
  q
    .selectFrom('event')
    .select(column)
    .where('event.logId', '=', logId)
    .orderBy('event.seq', 'desc')
    .limit(sql.lit(1))
    .as(column);

/** All channels of a server, each with the log position at which it was read. */
export const channelsAt = prepare((p: { serverId: string }) =>
  q
    .selectFrom('channel')
    .selectAll()
    .select([latestOf('seq', p.serverId), latestOf('epoch', p.serverId)])
    .where('channel.serverId', '=', p.serverId),
);

/** The columns of a channel that its reading state needs, with the log position at which it was read. */
type ChannelAt = Pick<RowOf<'channel'>, 'id' | 'isBeingSwept'> & ReadPosition;

const marksIn = prepare((p: { serverId: string; userId: string }) =>
  q
    .selectFrom('channelReading as own')
    .innerJoin('channel', 'channel.id', 'own.channelId')
    .select(['own.channelId', 'own.messageId', 'own.unreadAt', 'own.level', 'own.mutedUntil'])
    .where('channel.serverId', '=', p.serverId)
    .where('own.userId', '=', p.userId),
);

/** A channel without its own marker. */
const unmarked = { messageId: null, unreadAt: null, level: null, mutedUntil: null };

/**
 * A person's reading state in the server they act in, for all channels they can see. `only` restricts it to
 * some channels.
 */
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
 * A person's reading state in some channels of the server they act in, which one statement has read. Takes
 * five more statements, and a few extra if the log has new events (`thousands.ts`) or messages have to be
 * scanned (`countsOf`). `isWhole` also counts notifications.
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
  // All channels were read by one statement, so the first one's position applies to all.
  const [place] = found;
  const counts = place && (await countsOf(db, userId, places, await thousands.at(db, serverId, place)));
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

/** Which events the counts include: all log events up to `countedFrom`, and none after `countedTo`. */
export interface Counted {
  countedFrom: number;
  countedTo: number;
}

/**
 * Reads counts between two reads of the server's log position, so clients know for each event whether the
 * counts include it. Only events numbered between the two are uncertain, and there are seldom any. `from`
 * is the first position, if the caller has already read it.
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

/**
 * Maximum notifications to scan for unread ones: a person who reads channels but not the inbox has many
 * whose messages are already read.
 */
const MAX_NOTIFICATIONS = 2_000;

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

/** The number of unread notifications after these channels' markers, up to `MOST`. */
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
