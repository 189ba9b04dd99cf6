import type { Reader } from '../../db/contract.ts';
import { find } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { load } from '../common.ts';

/**
 * A message with its channel, as the target of a read or a write. Throws NOT_FOUND, also for a message whose
 * channel is gone and which has yet to be swept away.
 */
export async function messageTarget(db: Reader, messageId: string) {
  const message = await load(db, 'message', messageId);
  const channel = await db.first(find('channel', { id: message.channelId }));
  if (!channel) throw notFound('message');
  return { serverId: message.serverId, ownerId: message.creatorId, channel, message };
}

/** A thread with its channel, likewise. */
export async function threadTarget(db: Reader, threadId: string) {
  const thread = await load(db, 'thread', threadId);
  const channel = await db.first(find('channel', { id: thread.channelId }));
  if (!channel) throw notFound('thread');
  return { serverId: thread.serverId, ownerId: thread.creatorId, channel, thread };
}
