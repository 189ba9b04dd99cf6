import { seesChannel } from '../../access/visibility.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { findPart, q, update } from '../../db/statements.ts';
import { effectiveFlags, flagsOf } from '../../lib/flags.ts';
import { mentionsIn } from '../../lib/text/index.ts';
import type { Work } from '../../operations/work.ts';
import { touched } from '../common.ts';
import { keywordUsersAmong } from '../keywords/keywords.ts';
import { addNotification, notificationEvents, removeNotification, toNotification } from '../notification.ts';
import { groupsIn, MAX_MENTIONS } from './groups.ts';
import type { ChannelFacts } from './load.ts';
import { reach } from './reach.ts';
import { type Answered, leftAmong, otherReasons, type Reason } from './reasons.ts';

/** The fields of a new message that determine who is notified. */
type Draft = Pick<RowOf<'message'>, 'content' | 'threadId' | 'creatorId'>;

/** The users to notify, with the type of each notification. */
export type Recipients = ReadonlyMap<string, Reason>;

export const nobody: Recipients = new Map();

/** Returns false if the message notifies nobody, no matter who the members are. */
export const mayNotify = ({
  content,
  threadId,
  replyToId,
}: Pick<RowOf<'message'>, 'content' | 'threadId' | 'replyToId'>): boolean =>
  threadId !== null || replyToId !== null || content.includes('@');

/**
 * Returns the users to notify of a new message: mentioned users, the author of the message it replies to,
 * followers of its thread, and members of the direct message who have not muted it. Each is notified once,
 * for the first of these reasons. Excludes the author, users who cannot see the channel or block the author,
 * and, unless they are mentioned, users who left the channel. Call this before any change, because on
 * PostgreSQL, a read after a change waits for the earlier writes in the batch.
 */
export async function recipientsOf(
  work: Pick<Work, 'db' | 'now'>,
  message: Draft,
  channel: ChannelFacts,
  replyTo: RowOf<'message'> | undefined,
): Promise<Recipients> {
  const [mentions, reasons] = await Promise.all([
    mentioned(work.db, message.content, channel),
    otherReasons(work, message.threadId, channel, replyTo),
  ]);
  for (const userId of mentions) reasons.set(userId, 'mention');
  reasons.delete(message.creatorId);
  if (reasons.size === 0) return reasons;
  const unnamed = [...reasons].flatMap(([userId, type]) => (type === 'mention' ? [] : [userId]));
  const [seeing, left] = await Promise.all([
    viewers(work.db, channel, [...reasons.keys()], message.creatorId),
    leftAmong(work.db, channel, unnamed),
  ]);
  const told = new Set(seeing.filter((userId) => !left.has(userId)));
  return new Map([...reasons].filter(([userId]) => told.has(userId)));
}

/** Creates the notifications for a message that has just been sent. */
export async function notify(
  work: Work,
  recipients: Recipients,
  message: Pick<RowOf<'message'>, 'id' | 'serverId' | 'channelId' | 'creatorId'>,
): Promise<void> {
  const { serverId, channelId, id: messageId, creatorId: actorId } = message;
  const ids: string[] = [];
  for (const [userId, type] of recipients)
    ids.push(await addNotification(work, { userId, serverId, type, actorId, channelId, messageId }));
  await reach(work, ids);
}

/** The changes to a message's notifications that result from an edit. */
interface Amendment {
  /** Users who are mentioned only by the new content and can see the channel. */
  mentioned: readonly string[];
  /** Notifications for mentions that are not in the new content, with the remaining reason, if any. */
  withdrawn: readonly { row: RowOf<'notification'>; type: Reason | undefined }[];
}

/** Finds a user's notification for a message, other than a reminder or a reaction. */
const ofMessage = (p: { messageId: string; userId: string }) =>
  q
    .selectFrom('notification')
    .selectAll()
    .where('messageId', '=', p.messageId)
    .where('userId', '=', p.userId)
    .where('type', 'not in', ['reminder', 'reaction']);

/** Selects the mention notifications for a message. */
const mentionsOf = (messageId: string) =>
  q
    .selectFrom('notification')
    .selectAll()
    .where('messageId', '=', messageId)
    .where('type', '=', 'mention')
    .limit(2 * MAX_MENTIONS);

/**
 * Returns the effects of an edit on a message's notifications; undefined if there are none. Call this before
 * any change, like `recipientsOf`.
 */
export async function amendmentOf(
  work: Pick<Work, 'db' | 'now'>,
  found: RowOf<'message'>,
  content: string,
  channel: ChannelFacts,
  editorId: string,
): Promise<Amendment | undefined> {
  const { db } = work;
  if (!(found.content.includes('@') || content.includes('@'))) return undefined;
  const [before, after, told, groups] = await Promise.all([
    mentioned(db, found.content, channel),
    mentioned(db, content, channel),
    db.all(mentionsOf(found.id)),
    groupsIn(db, found.content, channel),
  ]);
  const known = new Set([...before, found.creatorId, editorId]);
  const added = after.filter((userId) => !known.has(userId));
  const stays = new Set(after);
  // People who were notified as members of a group keep their notification.
  const outdated = groups.length > 0 ? [] : told.filter(({ userId }) => !stays.has(userId));
  if (added.length + outdated.length === 0) return undefined;
  const outdatedIds = outdated.map(({ userId }) => userId);
  const [seeing, others, left, keyed] = await Promise.all([
    added.length === 0 ? [] : viewers(db, channel, added, found.creatorId),
    outdated.length === 0 ? nobody : otherReasons(work, found.threadId, channel, answeredBy(db, found)),
    leftAmong(db, channel, outdatedIds),
    keywordUsersAmong(db, outdatedIds, found.content),
  ]);
  // People who were notified because of a keyword also keep their notification.
  const withdrawn = outdated
    .filter(({ userId }) => !keyed.has(userId))
    .map((row) => ({
      row,
      type: left.has(row.userId) ? undefined : others.get(row.userId),
    }));
  return { mentioned: seeing, withdrawn };
}

/** Returns the author of the message to which a message replies. */
const answeredBy = async (db: Reader, { replyToId }: RowOf<'message'>): Promise<Answered> =>
  replyToId === null ? undefined : db.first(findPart('message', replyToId, ['creatorId']));

/**
 * Applies the effects of an edit to a message's notifications: notifies newly mentioned users once, and
 * withdraws notifications for removed mentions.
 */
export async function amend(
  work: Work,
  { mentioned: userIds, withdrawn }: Amendment,
  message: RowOf<'message'>,
): Promise<void> {
  for (const { row, type } of withdrawn) {
    if (type) await change(work, row, { type });
    else await removeNotification(work, row);
  }
  const missing = new Map<string, Reason>();
  for (const userId of userIds) {
    const known = await work.db.first(ofMessage({ messageId: message.id, userId }));
    // These users were notified of the message for another reason, such as a reply. Each gets only one
    // notification.
    if (known) await change(work, known, { type: 'mention', readAt: null });
    else missing.set(userId, 'mention');
  }
  await notify(work, missing, message);
}

async function change(
  { db, emit, now }: Work,
  row: RowOf<'notification'>,
  fields: Partial<RowOf<'notification'>>,
): Promise<void> {
  const set = { ...fields, updatedAt: touched(row, now) };
  await db.run(update('notification', row.id, set));
  await emit(notificationEvents.updated, toNotification({ ...row, ...set }));
}

/** Returns the ids of the members that a text mentions, in order. */
async function mentioned(db: Reader, content: string, { serverId }: ChannelFacts): Promise<string[]> {
  const mentions = mentionsIn(content, MAX_MENTIONS);
  if (mentions.length === 0) return [];
  const usernames = new Set(mentions.flatMap(({ name, longer }) => [name, longer]));
  const found = await db.all(
    q
      .selectFrom('user')
      .innerJoin('serverMember', 'serverMember.userId', 'user.id')
      .select(['user.id', 'user.username'])
      .where('serverMember.serverId', '=', serverId)
      .where('user.username', 'in', [...usernames])
      .orderBy('user.id'),
  );
  const ids = new Map(found.map(({ id, username }) => [username, id]));
  return [...new Set(mentions.flatMap(({ name, longer }) => ids.get(longer) ?? ids.get(name) ?? []))];
}

/**
 * Returns the given users who are members of the channel's server, can see the channel through any of their
 * roles or as members of the direct message, and do not block the author.
 */
export async function viewers(
  db: Reader,
  channel: ChannelFacts,
  userIds: string[],
  authorId: string,
): Promise<string[]> {
  const { serverId, memberIds } = channel;
  const members = await db.all(
    q
      .selectFrom('serverMember')
      .select('userId')
      .where('serverId', '=', serverId)
      .where('userId', 'in', userIds)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('block')
              .select('block.userId')
              .whereRef('block.userId', '=', 'serverMember.userId')
              .where('block.blockedId', '=', authorId),
          ),
        ),
      ),
  );
  const present = members.map(({ userId }) => userId);
  if (memberIds) return present.filter((userId) => memberIds.includes(userId));
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
        userId,
        isServerCreator: server?.creatorId === userId,
        roleIds: own.map(({ id }) => id),
        flags: effectiveFlags(own.flatMap(flagsOf)),
      },
      channel,
    );
  });
}
