import { seesChannel } from '../../access/visibility.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { insert, prepare, q } from '../../db/statements.ts';
import { effectiveFlags, flagsOf } from '../../lib/flags.ts';
import type { Work } from '../../operations/work.ts';
import { notificationEvents, toNotification } from '../notification.ts';
import type { Place } from './load.ts';

/** `@username`, where it is no part of a longer word such as an address. */
const MENTION = /(?<![\w@.-])@([a-z0-9_.-]{1,32})/gi;
const MAX_MENTIONS = 50;
/** A reply tells at most so many followers of its thread. */
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

/** A message as it is about to be sent. */
type Draft = Pick<RowOf<'message'>, 'content' | 'threadId' | 'creatorId'>;

/** The users to be notified, each with the reason. */
export type Recipients = ReadonlyMap<string, Reason>;

const nobody: Recipients = new Map();

/**
 * Those whom a new message mentions, whom it answers, and who follow its thread: each once, for the first of these reasons;
 * never its author, and only members who see the channel. Looked up before anything is written: what reads after a
 * change waits for its turn among the writes of the server.
 */
export async function recipientsOf(
  db: Reader,
  message: Draft,
  channel: Place,
  replyTo: RowOf<'message'> | undefined,
): Promise<Recipients> {
  const { threadId } = message;
  if (threadId === null && !replyTo && !message.content.includes('@')) return nobody;
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

/** Notifies them of a message that was just sent. */
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

/** The users whom a text mentions by username. */
async function mentioned(db: Reader, content: string): Promise<string[]> {
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
      .where('username', 'in', [...usernames])
      .orderBy('id'),
  );
  return found.map(({ id }) => id);
}

/** Those of the users who are members of the channel's server and see the channel, by all the roles that they have. */
async function viewers(db: Reader, channel: Place, userIds: string[]): Promise<string[]> {
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
