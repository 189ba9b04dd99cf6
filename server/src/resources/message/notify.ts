import { seesChannel } from '../../access/visibility.ts';
import { insert, prepare, q } from '../../db/statements.ts';
import type { RowOf } from '../../db/tables.ts';
import type { Work } from '../../http/endpoint.ts';
import { effectiveFlags, flagsOf } from '../../lib/flags.ts';
import { toNotification } from '../notification.ts';

/** `@username`, where it is no part of a longer word such as an address. */
const MENTION = /(?<![\w@.-])@([a-z0-9_.-]{1,32})/gi;
const MAX_MENTIONS = 50;
/** A reply tells at most so many followers of its thread. */
const MAX_FOLLOWERS = 500;

type Reason = RowOf<'notification'>['type'];

const followers = prepare((p: { threadId: string }) =>
  q.selectFrom('threadFollower').select('userId').where('threadId', '=', p.threadId).limit(MAX_FOLLOWERS),
);

/**
 * Notifies those whom a new message mentions, whom it answers, and who follow its thread: each once, for the first of
 * these reasons; nobody of their own message, and only members who see the channel.
 */
export async function notify(
  work: Work,
  message: RowOf<'message'>,
  channel: RowOf<'channel'>,
  replyTo: RowOf<'message'> | undefined,
): Promise<void> {
  const reasons = new Map<string, Reason>();
  for (const userId of await mentioned(work, message)) reasons.set(userId, 'mention');
  if (replyTo && !reasons.has(replyTo.creatorId)) reasons.set(replyTo.creatorId, 'reply');
  if (message.threadId !== null) {
    for (const { userId } of await work.db.all(followers({ threadId: message.threadId }))) {
      if (!reasons.has(userId)) reasons.set(userId, 'thread');
    }
  }
  reasons.delete(message.creatorId);
  if (reasons.size === 0) return;

  const { serverId, channelId, id: messageId, creatorId: actorId } = message;
  for (const userId of await viewers(work, channel, [...reasons.keys()])) {
    const type = reasons.get(userId) as Reason;
    const row = { ...work.newRow(), userId, serverId, type, actorId, channelId, messageId, readAt: null };
    await work.db.run(insert('notification', row));
    await work.emit({ type: 'notification.created', serverId, channelId, data: toNotification(row) });
  }
}

/** The users whom a text mentions by username. */
async function mentioned({ db }: Work, { content }: RowOf<'message'>): Promise<string[]> {
  if (!content.includes('@')) return [];
  const usernames = new Set<string>();
  for (const [, name] of content.matchAll(MENTION)) {
    const username = (name as string).toLowerCase();
    // "@ada." at the end of a sentence means ada, unless somebody is called "ada.".
    usernames.add(username).add(username.replace(/[.-]+$/, ''));
    if (usernames.size >= MAX_MENTIONS) break;
  }
  usernames.delete('');
  if (usernames.size === 0) return [];
  const found = await db.all(
    q
      .selectFrom('user')
      .select(['id', 'username'])
      .where('username', 'in', [...usernames]),
  );
  return found.map(({ id }) => id);
}

/** Those of the users who are members of the channel's server and see the channel, by all the roles that they have. */
async function viewers({ db }: Work, channel: RowOf<'channel'>, userIds: string[]): Promise<string[]> {
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
    const held = rolesOf.get(userId) ?? [];
    return seesChannel(
      {
        isServerCreator: server?.creatorId === userId,
        roleIds: held.map(({ id }) => id),
        flags: effectiveFlags(held.flatMap(flagsOf)),
      },
      channel,
    );
  });
}
