import type { Principal } from '../../access/principal.ts';
import { whereChannelVisible } from '../../access/whereVisible.ts';
import type { Reader } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Level } from '../../db/tables/channelReading.ts';
import { type Counts, countsOf } from './counts.ts';
import { draftsOf } from './draft.ts';
import { placeOf } from './markers.ts';

/** The reading state of one channel. */
export interface ChannelReading extends Counts {
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

/**
 * The reading state of a person in the server in which they act: of all channels that they may see, by four statements, and a
 * fifth where messages have to be looked at (`countsOf`). `only` leaves out other channels.
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
  const counts = await countsOf(db, userId, channels);
  return {
    serverId,
    level: server?.level ?? null,
    mutedUntil: server?.mutedUntil ?? null,
    drafts,
    channels: channels.map(({ isBeingSwept: _, ...channel }) => ({
      ...channel,
      unread: counts.get(channel.channelId)?.unread ?? 0,
      mentions: counts.get(channel.channelId)?.mentions ?? 0,
    })),
  };
}
