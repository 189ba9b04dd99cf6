import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { notFound } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';

/** What is known of the channel that a thing is in: where it is, and who sees it. */
export type Place = Pick<RowOf<'channel'>, 'id' | 'serverId' | 'private' | 'readonly' | 'roleIds'>;

const messageInChannel = prepare(
  (p: { messageId: string }) =>
    q
      .selectFrom('message')
      .innerJoin('channel', 'channel.id', 'message.channelId')
      .selectAll('message')
      .select(['channel.private', 'channel.readonly', 'channel.roleIds'])
      .where('message.id', '=', p.messageId)
      .where((eb) => eb.or([eb('channel.isBeingSwept', '=', false), isInSight])),
  { message: { id: 'messageId' } },
);

const threadInChannel = prepare(
  (p: { threadId: string }) =>
    q
      .selectFrom('thread')
      .innerJoin('channel', 'channel.id', 'thread.channelId')
      .selectAll('thread')
      .select(['channel.private', 'channel.readonly', 'channel.roleIds', 'channel.isBeingSwept'])
      .where('thread.id', '=', p.threadId),
  { thread: { id: 'threadId' } },
);

/** The channel of a row that has been read with it. */
const placeOf = (row: Omit<Place, 'id'> & { channelId: string }): Place => {
  const { channelId: id, serverId, private: closed, readonly, roleIds } = row;
  return { id, serverId, private: closed, readonly, roleIds };
};

/**
 * A message with its channel, as the target of a read or a write. Throws NOT_FOUND, also for a message whose channel or
 * thread is gone and which has yet to be swept away.
 */
export async function messageTarget(db: Reader, messageId: string) {
  const row = isId(messageId) ? await db.first(messageInChannel({ messageId })) : undefined;
  if (!row) throw notFound('message');
  const { private: _closed, readonly: _readonly, roleIds: _roleIds, ...message } = row;
  return { serverId: row.serverId, ownerId: row.creatorId, channel: placeOf(row), message };
}

/** A thread with its channel, likewise. On a message that has yet to be swept away it is what it will be then. */
export async function threadTarget(db: Reader, threadId: string) {
  const row = isId(threadId) ? await db.first(threadInChannel({ threadId })) : undefined;
  if (!row) throw notFound('thread');
  const { private: _closed, readonly: _readonly, roleIds: _roleIds, isBeingSwept, ...thread } = row;
  const { messageId } = thread;
  if (isBeingSwept && messageId !== null && !(await db.first(messageInChannel({ messageId })))) {
    if (thread.replyCount === 0) throw notFound('thread');
    thread.messageId = null;
  }
  return { serverId: row.serverId, ownerId: row.creatorId, channel: placeOf(row), thread };
}
