import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { addNotification, removeNotification } from '../notification.ts';
import type { ChannelFacts } from './load.ts';
import { viewers } from './notify.ts';
import { leftAmong } from './reasons.ts';

type Message = Pick<RowOf<'message'>, 'id' | 'serverId' | 'channelId' | 'creatorId'>;

const told = prepare((p: { messageId: string; userId: string }) =>
  q
    .selectFrom('notification')
    .selectAll()
    .where('messageId', '=', p.messageId)
    .where('userId', '=', p.userId)
    .where('type', '=', 'reaction')
    .limit(1),
);

/** Whether a reaction notifies the author of its message, and the notification that it replaces. */
export interface ReactionNotice {
  isDue: boolean;
  replaced: RowOf<'notification'> | undefined;
}

/**
 * Whether a reaction notifies the message's author. A message has at most one such notification: further
 * reactions add nothing while it is unread, and replace it once it was read. Call this before any change,
 * like `recipientsOf`.
 */
export async function reactionNotice(
  db: Reader,
  message: Message,
  channel: ChannelFacts,
  userId: string,
): Promise<ReactionNotice> {
  const { id: messageId, creatorId } = message;
  if (creatorId === userId) return { isDue: false, replaced: undefined };
  const [replaced, seeing, left] = await Promise.all([
    db.first(told({ messageId, userId: creatorId })),
    viewers(db, channel, [creatorId], userId),
    leftAmong(db, channel, [creatorId]),
  ]);
  return { isDue: seeing.length > 0 && left.size === 0 && replaced?.readAt !== null, replaced };
}

/** Notifies a message's author of a reaction that has just been added. */
export async function notifyReaction(
  work: Work,
  { isDue, replaced }: ReactionNotice,
  message: Message,
  actorId: string,
): Promise<void> {
  if (!isDue) return;
  if (replaced) await removeNotification(work, replaced);
  const { id: messageId, serverId, channelId, creatorId: userId } = message;
  await addNotification(work, { userId, serverId, type: 'reaction', actorId, channelId, messageId });
}

/** Withdraws the notification for a reaction that was removed. */
export async function withdrawReaction(
  work: Work,
  { messageId, userId }: Pick<RowOf<'reaction'>, 'messageId' | 'userId'>,
  authorId: string,
): Promise<void> {
  const found = await work.db.first(told({ messageId, userId: authorId }));
  if (found?.actorId === userId) await removeNotification(work, found);
}
