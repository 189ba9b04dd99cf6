import { seesChannel } from '../../access/visibility.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { insert, prepare, q } from '../../db/statements.ts';
import { effectiveFlags, flagsOf } from '../../lib/flags.ts';
import type { Work } from '../../operations/work.ts';
import { notificationEvents, toNotification } from '../notification.ts';
import type { ChannelFacts } from './load.ts';

/** Matches `@username`, but not inside a longer word such as an email address. */
const MENTION = /(?<![\w@.-])@([a-z0-9_.-]{1,32})/gi;
const MAX_MENTIONS = 50;
/** Maximum followers of a thread notified per reply. */
const MAX_FOLLOWERS = 500;

type Reason = RowOf<'notification'>['type'];

const followers = prepare((p: { threadId: string }) =>
  q
    .selectFrom('threadFollower')
    .select('userId')
    .where('threadId', '=', p.threadId)
    .orderBy('userId')
    .limit(MAX_FOLLOWERS),
);

/** The fields of a new message that determine who is notified. */
type Draft = Pick<RowOf<'message'>, 'content' | 'threadId' | 'creatorId'>;

/** The users to notify, with the type of each notification. */
export type Recipients = ReadonlyMap<string, Reason>;

export const nobody: Recipients = new Map();

/** False if a message cannot notify anyone, whoever the members are. */
export const mayNotify = ({
  content,
  threadId,
  replyToId,
}: Pick<RowOf<'message'>, 'content' | 'threadId' | 'replyToId'>): boolean =>
  threadId !== null || replyToId !== null || content.includes('@');

/**
 * The users to notify of a new message: mentioned users, the author of the message it replies to, and
 * followers of its thread. Each is notified once, for the first of these reasons. Excludes the author and
 * members who cannot see the channel. Call it before any change: on PostgreSQL, a read after a change waits
 * for the earlier writes in the batch.
 */
export async function recipientsOf(
  db: Reader,
  message: Draft,
  channel: ChannelFacts,
  replyTo: RowOf<'message'> | undefined,
): Promise<Recipients> {
  const { threadId } = message;
  const [mentions, following] = await Promise.all([
    mentioned(db, message.content),
    threadId === null ? [] : db.all(followers({ threadId })),
  ]);
  const reasons = new Map<string, Reason>();
  for (const { userId } of following) reasons.set(userId, 'thread');
  if (replyTo) reasons.set(replyTo.creatorId, 'reply');
  for (const userId of mentions) reasons.set(userId, 'mention');
  reasons.delete(message.creatorId);
  if (reasons.size === 0) return reasons;
  const seeing = new Set(await viewers(db, channel, [...reasons.keys()]));
  return new Map([...reasons].filter(([userId]) => seeing.has(userId)));
}

/** Creates the notifications of a message that was just sent. */
export async function notify(
  { db, emit, newRow }: Work,
  recipients: Recipients,
  message: Pick<RowOf<'message'>, 'id' | 'serverId' | 'channelId' | 'creatorId'>,
): Promise<void> {
  const { serverId, channelId, id: messageId, creatorId: actorId } = message;
  for (const [userId, type] of recipients) {
    const row = { ...newRow(), userId, serverId, type, actorId, channelId, messageId, readAt: null };
    await db.run(insert('notification', row));
    await emit(notificationEvents.created, toNotification(row));
  }
}

/** The ids of the users that a text mentions. */
async function mentioned(db: Reader, content: string): Promise<string[]> {
  if (!content.includes('@')) return [];
  const usernames = new Set<string>();
  for (const [, name] of content.matchAll(MENTION)) {
    const username = (name as string).toLowerCase();
    // "@ada." at the end of a sentence mentions `ada`, and also `ada.` if that user exists.
    usernames.add(username).add(username.replace(/[.-]+$/, ''));
    if (usernames.size >= MAX_MENTIONS) break;
  }
  usernames.delete('');
  if (usernames.size === 0) return [];
  const found = await db.all(
    q
      .selectFrom('user')
      .select(['id', 'username'])
      .where('username', 'in', [...usernames])
      .orderBy('id'),
  );
  return found.map(({ id }) => id);
}

/**
 * Filters these users: returns the members of the channel's server who can see the channel through any of
 * their roles.
 */
async function viewers(db: Reader, channel: ChannelFacts, userIds: string[]): Promise<string[]> {
  const { serverId } = channel;
  const members = await db.all(
    q
      .selectFrom('serverMember')
      .select('userId')
      .where('serverId', '=', serverId)
      .where('userId', 'in', userIds),
  );
  const present = members.map(({ userId }) => userId);
  if (!channel.private || present.length === 0) return present;
  const server = await db.first(q.selectFrom('server').select('creatorId').where('id', '=', serverId));
  const roles = await db.all(
    q
      .selectFrom('userRole')
      .innerJoin('role', 'role.id', 'userRole.roleId')
      .selectAll('role')
      .select('userRole.userId')
      .where('userRole.serverId', '=', serverId)
      .where('userRole.userId', 'in', present),
  );
  const rolesOf = Map.groupBy(roles, ({ userId }) => userId);
  return present.filter((userId) => {
    const own = rolesOf.get(userId) ?? [];
    return seesChannel(
      {
        isServerCreator: server?.creatorId === userId,
        roleIds: own.map(({ id }) => id),
        flags: effectiveFlags(own.flatMap(flagsOf)),
      },
      channel,
    );
  });
}
