import { type InferResult, sql } from 'kysely';
import type { ChannelView } from '../access/predicates.ts';
import { seesChannel } from '../access/visibility.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { q } from '../db/statements.ts';
import { isInSight } from '../db/sweep.ts';
import { effectiveFlags, flagsOf } from '../lib/flags.ts';
import { ofOwnThings } from '../resources/ownThings.ts';
import { readUpToOf } from '../resources/reading/markers.ts';
import { lasting } from '../resources/reading/state.ts';
import { groupTold } from './groupTold.ts';

/** An unread message that a person was notified of, with the data for a notification. */
export interface Missed {
  id: string;
  type: RowOf<'notification'>['type'];
  createdAt: number;
  serverId: string;
  channelId: string;
  messageId: string;
  threadId: string | null;
  /**
   * The mentioned group, such as `@everyone`. Undefined for other notifications, and if the message mentions
   * the person by name.
   */
  group: string | undefined;
  /** The message; null for a notification about something else. */
  content: string | null;
  /** The blocks of the message. */
  blocks: readonly object[] | null;
  /** The server nickname or name of the message's author or reporter. */
  author: string;
  /**
   * The channel's name; empty for a direct message without a name, and for a channel that was deleted or that
   * the person cannot see.
   */
  channel: string;
  server: string;
  isDirect: boolean;
  /** See `tenantIn`. */
  creatorId: string;
  isOfAdmin: boolean;
}

/** Whether a notification is about a mention, or about a message or reply in a direct message. */
export const isPersonal = ({ type, isDirect }: Pick<Missed, 'type' | 'isDirect'>): boolean =>
  type === 'mention' || (isDirect && !lasting.has(type));

/** Selects the notifications of one message, or all notifications after an id. */
type Scope = { messageId: string } | { after: string };

/** The types of notifications about something other than a message. */
const ofNoMessage: RowOf<'notification'>['type'][] = [...ofOwnThings, 'report'];

/**
 * The types of notifications that are not subject to mutes and levels: reminders, and failed scheduled
 * messages and flows.
 */
const unmutable: RowOf<'notification'>['type'][] = ['reminder', ...ofOwnThings];

/**
 * The types that ignore the settings of the channel. In a report, the channel is only the location of the
 * reported message.
 */
const ofNoChannel: RowOf<'notification'>['type'][] = [...unmutable, 'report'];

/** Maximum notifications scanned at once. */
const MAX_SCANNED = 500;

/** Selects notifications with the fields of `Missed`, and with the channel and the settings that hide them. */
const notifications = () =>
  q
    .selectFrom('notification as told')
    .leftJoin('message', 'message.id', 'told.messageId')
    .leftJoin('channel', 'channel.id', 'told.channelId')
    .innerJoin('server', 'server.id', 'told.serverId')
    .innerJoin('user as owner', 'owner.id', 'server.creatorId')
    .innerJoin('user as author', 'author.id', 'told.actorId')
    .innerJoin('user as person', 'person.id', 'told.userId')
    .innerJoin('serverMember as member', (join) =>
      join.onRef('member.serverId', '=', 'told.serverId').onRef('member.userId', '=', 'told.userId'),
    )
    .leftJoin('serverMember as other', (join) =>
      join.onRef('other.serverId', '=', 'told.serverId').onRef('other.userId', '=', 'told.actorId'),
    )
    .leftJoin('channelReading as own', (join) =>
      join
        .onRef('own.channelId', '=', 'told.channelId')
        .onRef('own.userId', '=', 'told.userId')
        .on('told.type', 'not in', ofNoChannel),
    )
    .leftJoin('threadReading as inThread', (join) =>
      join.onRef('inThread.threadId', '=', 'message.threadId').onRef('inThread.userId', '=', 'told.userId'),
    )
    .leftJoin('serverReading as whole', (join) =>
      join
        .onRef('whole.serverId', '=', 'told.serverId')
        .onRef('whole.userId', '=', 'told.userId')
        .on('told.type', 'not in', unmutable),
    )
    .select(['told.id', 'told.type', 'told.createdAt', 'told.serverId', 'told.channelId', 'told.messageId'])
    .select([
      'message.threadId',
      'message.content',
      'message.blocks',
      'author.name as authorName',
      'person.username',
      'other.nickname',
    ])
    .select(['channel.name as channel', 'channel.kind', 'channel.private', 'channel.readonly'])
    .select(['channel.roleIds', 'channel.memberIds'])
    .select(['server.name as server', 'server.creatorId', 'owner.platformAdmin as isOfAdmin'])
    .select(['member.id as memberId', 'whole.messageId as readUpTo', 'whole.readAt'])
    .select(['own.messageId as readInChannel', 'own.unreadAt as channelUnreadAt'])
    .select(['inThread.messageId as readInThread', 'inThread.unreadAt as threadUnreadAt']);

const unread = (userId: string, scope: Scope, now: number) => {
  const rows = notifications()
    .where('told.userId', '=', userId)
    .where('told.readAt', 'is', null)
    .where('server.deletedAt', 'is', null)
    .where('told.type', '!=', sql.lit('reaction'))
    .where((eb) => eb.or([eb('message.id', 'is not', null), eb('told.type', 'in', ofNoMessage)]))
    .where((eb) => eb.or([eb('channel.id', 'is not', null), eb('told.type', 'in', [...ofOwnThings])]))
    .where(isInSight)
    .where((eb) => eb(eb.fn.coalesce('own.level', 'whole.level', sql.lit('all')), '!=', 'nothing'))
    .where((eb) => eb(eb.fn.coalesce('own.mutedUntil', sql.lit(0)), '<=', now))
    .where((eb) => eb(eb.fn.coalesce('whole.mutedUntil', sql.lit(0)), '<=', now))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('block')
            .select('block.id')
            .where('block.userId', '=', userId)
            .whereRef('block.blockedId', '=', 'told.actorId'),
        ),
      ),
    )
    .orderBy('told.id', 'desc')
    .limit(MAX_SCANNED);
  return 'messageId' in scope
    ? rows.where('told.messageId', '=', scope.messageId)
    : rows.where('told.id', '>', scope.after);
};

const rolesIn = (userId: string, serverIds: readonly string[]) =>
  q
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .selectAll('role')
    .where('userRole.userId', '=', userId)
    .where('userRole.serverId', 'in', serverIds);

/**
 * Returns the messages that a person was notified of, may still see and has not read, newest first. Skips
 * channels and servers that are muted or at the level `nothing`, except for the types in `unmutable`, and in
 * `ofNoChannel` for channels. `now` is in milliseconds since the Unix epoch.
 */
export async function missed(db: Reader, userId: string, scope: Scope, now: number): Promise<Missed[]> {
  const rows = await db.all(unread(userId, scope, now));
  if (rows.length === 0) return [];
  const withRoles = new Set(
    rows
      .filter(
        ({ type, kind, ...row }) =>
          (row.private && kind === 'channel') || type === 'report' || type === 'mention',
      )
      .map((row) => row.serverId),
  );
  const roles = withRoles.size === 0 ? [] : await db.all(rolesIn(userId, [...withRoles]));
  const rolesOf = Map.groupBy(roles, ({ serverId }) => serverId);
  return rows.flatMap((row) => {
    if (!lasting.has(row.type) && isRead(row)) return [];
    const own = rolesOf.get(row.serverId) ?? [];
    const viewer = {
      userId,
      userType: 'person' as const,
      isSignedIn: true as const,
      isServerCreator: row.creatorId === userId,
      roleIds: own.map(({ id }) => id),
      flags: effectiveFlags(own.flatMap(flagsOf)),
    };
    const sees = row.channel !== null && seesChannel(viewer, row as ChannelView);
    if (!sees && !ofOwnThings.includes(row.type)) return [];
    if (row.type === 'report' && !viewer.flags.has('canModerate')) return [];
    return [missedOf(row, sees, own)];
  });
}

type Unread = InferResult<ReturnType<typeof unread>>[number];

function isRead(row: Unread): boolean {
  const marker =
    row.threadId === null
      ? { messageId: row.readInChannel, unreadAt: row.channelUnreadAt }
      : { messageId: row.readInThread, unreadAt: row.threadUnreadAt };
  return readUpToOf({ ...row, ...marker }) >= row.messageId;
}

function missedOf(
  { kind, channel, authorName, nickname, isOfAdmin, username, ...row }: Unread,
  sees: boolean,
  roles: readonly RowOf<'role'>[],
): Missed {
  return {
    ...row,
    threadId: row.threadId ?? null,
    author: nickname ?? authorName,
    // The name of a private channel may have changed since the person lost access.
    channel: sees ? (channel ?? '') : '',
    group: row.type === 'mention' ? groupTold(row.content ?? '', username, roles) : undefined,
    isDirect: kind === 'dm',
    isOfAdmin: Boolean(isOfAdmin),
  };
}
