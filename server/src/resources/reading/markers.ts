import { sql } from 'kysely';
import type { Principal } from '../../access/principal.ts';
import { canSeeChannel } from '../../access/visibility.ts';
import type { Reads } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Level } from '../../db/tables/channelReading.ts';
import { FIRST_ID, isId } from '../../lib/deps.ts';

/** The columns that determine a marker. */
interface Rows {
  /** The marker itself; null if there is none. */
  messageId: string | null;
  unreadAt: number | null;
  /** Everything in the server up to this id is read; null if the server was never marked as read. */
  readUpTo: string | null;
  readAt: number | null;
  /** The membership's id, which contains the time of joining; null for non-members. */
  memberId: string | null;
}

const largest = (...ids: (string | null)[]): string =>
  ids.reduce<string>((most, id) => (id !== null && id > most ? id : most), FIRST_ID);

/**
 * Returns the id up to which a person has read. Without a marker, this is the id of their membership, because
 * messages from before they joined are not new to them. If they marked something as unread after marking
 * everything as read, it stays unread.
 */
export const readUpToOf = ({ messageId, unreadAt, readUpTo, readAt, memberId }: Rows): string =>
  messageId !== null && (unreadAt ?? 0) > (readAt ?? 0) ? messageId : largest(messageId, readUpTo, memberId);

const ofChannels = [
  'channel.id as channelId',
  'channel.serverId',
  'channel.private',
  'channel.readonly',
  'channel.roleIds',
  'channel.memberIds',
] as const;
const ofServer = ['whole.messageId as readUpTo', 'whole.readAt', 'member.id as memberId'] as const;

/** The values for a channel in which a person has no row. */
export const noMark = {
  messageId: null,
  unreadAt: 0,
  level: null,
  mutedUntil: null,
  favorite: false,
  hidden: false,
};

/** The query reads only rows of one person, so other people's marks do not conflict with it. */
const ofPerson = { serverReading: { userId: 'userId' }, serverMember: { userId: 'userId' } };

const ofChannel = prepare(
  (p: { channelId: string; userId: string }) =>
    q
      .selectFrom('channel')
      .leftJoin('channelReading as own', (join) =>
        join.onRef('own.channelId', '=', 'channel.id').on('own.userId', '=', p.userId),
      )
      .leftJoin('serverReading as whole', (join) =>
        join.onRef('whole.serverId', '=', 'channel.serverId').on('whole.userId', '=', p.userId),
      )
      .leftJoin('serverMember as member', (join) =>
        join.onRef('member.serverId', '=', 'channel.serverId').on('member.userId', '=', p.userId),
      )
      .select(ofChannels)
      .select(['own.messageId', 'own.unreadAt', 'own.level', 'own.mutedUntil', 'own.favorite', 'own.hidden'])
      .select('channel.kind')
      .select(ofServer)
      .where('channel.id', '=', p.channelId),
  { ...ofPerson, channel: { id: 'channelId' }, channelReading: { channelId: 'channelId', userId: 'userId' } },
  { byIds: true },
);

const ofThread = prepare(
  (p: { threadId: string; userId: string }) =>
    q
      .selectFrom('thread')
      .innerJoin('channel', 'channel.id', 'thread.channelId')
      .leftJoin('threadReading as own', (join) =>
        join.onRef('own.threadId', '=', 'thread.id').on('own.userId', '=', p.userId),
      )
      .leftJoin('serverReading as whole', (join) =>
        join.onRef('whole.serverId', '=', 'channel.serverId').on('whole.userId', '=', p.userId),
      )
      .leftJoin('serverMember as member', (join) =>
        join.onRef('member.serverId', '=', 'channel.serverId').on('member.userId', '=', p.userId),
      )
      .select(ofChannels)
      .select(['own.messageId', 'own.unreadAt'])
      .select([sql<Level | null>`null`.as('level'), sql<number | null>`null`.as('mutedUntil')])
      .select([
        sql<boolean | null>`null`.as('favorite'),
        sql<boolean | null>`null`.as('hidden'),
        'channel.kind',
      ])
      .select(ofServer)
      .where('thread.id', '=', p.threadId),
  { ...ofPerson, thread: { id: 'threadId' }, threadReading: { threadId: 'threadId', userId: 'userId' } },
  { byIds: true },
);

/** A channel or thread with a person's marker. */
export interface Marked {
  serverId: string;
  channelId: string;
  threadId: string | null;
  /** The id up to which the person has read. */
  messageId: string;
  unreadAt: number;
  /** When everything in the server was last marked as read, in ms; 0 for never. */
  readAt: number;
  /** Whether the marker is stored as a row. */
  hasRow: boolean;
  /** The notification level in the channel; null to use that of the server. */
  level: Level | null;
  mutedUntil: number | null;
  favorite: boolean;
  hidden: boolean;
  isDirect: boolean;
}

/**
 * Finds a channel or thread, with a person's marker. Undefined if it does not exist, or if the person may not
 * see it.
 */
export async function markerOf(
  db: Reads,
  principal: Principal,
  place: { channelId?: string | undefined; threadId?: string | undefined },
): Promise<Marked | undefined> {
  const { userId } = principal;
  const { channelId, threadId } = place;
  const id = threadId ?? channelId;
  if (id === undefined || !isId(id)) return undefined;
  const row =
    threadId === undefined
      ? await db.first(ofChannel({ channelId: id, userId }))
      : await db.first(ofThread({ threadId: id, userId }));
  if (!row || !canSeeChannel(principal, row.serverId, row)) return undefined;
  return {
    serverId: row.serverId,
    channelId: row.channelId,
    threadId: threadId ?? null,
    messageId: readUpToOf(row),
    unreadAt: row.unreadAt ?? 0,
    readAt: row.readAt ?? 0,
    hasRow: row.unreadAt !== null,
    level: row.level,
    mutedUntil: row.mutedUntil,
    favorite: Boolean(row.favorite),
    hidden: Boolean(row.hidden),
    isDirect: row.kind === 'dm',
  };
}
