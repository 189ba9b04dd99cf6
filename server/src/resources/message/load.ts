import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, prepare, preparePart, q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { invalid, notFound } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import { load } from '../common.ts';

/** The columns of a channel that permissions depend on. */
export type ChannelFacts = Pick<
  RowOf<'channel'>,
  'id' | 'serverId' | 'private' | 'readonly' | 'roleIds' | 'memberIds' | 'slowSeconds'
>;

const channelColumns = [
  'channel.private',
  'channel.readonly',
  'channel.roleIds',
  'channel.memberIds',
  'channel.slowSeconds',
] as const;

const messageInChannel = prepare(
  (p: { messageId: string }) =>
    q
      .selectFrom('message')
      .innerJoin('channel', 'channel.id', 'message.channelId')
      .selectAll('message')
      .select([...channelColumns])
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
      .select([...channelColumns, 'channel.isBeingSwept'])
      .where('thread.id', '=', p.threadId),
  { thread: { id: 'threadId' } },
);

/** Extracts the channel from a row of a query that joins it. */
const channelFactsOf = (row: Omit<ChannelFacts, 'id'> & { channelId: string }): ChannelFacts => {
  const { channelId: id, serverId, private: closed, readonly, roleIds, memberIds, slowSeconds } = row;
  return { id, serverId, private: closed, readonly, roleIds, memberIds, slowSeconds };
};

const channelFactsById = preparePart('channel', [
  'id',
  'serverId',
  'private',
  'readonly',
  'roleIds',
  'memberIds',
  'slowSeconds',
]);

/** Loads the columns of a channel that permissions depend on. Throws NOT_FOUND. */
export async function channelFacts(db: Reader, channelId: string): Promise<ChannelFacts> {
  const row = isId(channelId) ? await db.first(channelFactsById(channelId)) : undefined;
  if (!row) throw notFound('channel');
  return row;
}

/** Removes the columns of the channel from a row of a query that joins it. */
function withoutChannel<R extends Omit<ChannelFacts, 'id' | 'serverId'>>(row: R) {
  const { private: _private, readonly: _readonly, roleIds: _roleIds, memberIds: _memberIds, ...rest } = row;
  const { slowSeconds: _slowSeconds, ...own } = rest;
  return own;
}

/**
 * Loads a message with its channel, as the target of a read or write. Throws NOT_FOUND if the message does
 * not exist, or if its channel or thread was deleted and the message has not been swept yet.
 */
export async function messageTarget(db: Reader, messageId: string) {
  const row = isId(messageId) ? await db.first(messageInChannel({ messageId })) : undefined;
  if (!row) throw notFound('message');
  const message = withoutChannel(row);
  return { serverId: row.serverId, ownerId: row.creatorId, channel: channelFactsOf(row), message };
}

/**
 * Loads a thread with its channel, like `messageTarget`. If the thread's message was deleted but not swept
 * yet, treats the thread as already swept: detached, or NOT_FOUND if it has no replies.
 */
export async function threadTarget(db: Reader, threadId: string) {
  const row = isId(threadId) ? await db.first(threadInChannel({ threadId })) : undefined;
  if (!row) throw notFound('thread');
  const { isBeingSwept, ...thread } = withoutChannel(row);
  const { messageId } = thread;
  if (isBeingSwept && messageId !== null && !(await db.first(messageInChannel({ messageId })))) {
    if (thread.replyCount === 0) throw notFound('thread');
    thread.messageId = null;
  }
  return { serverId: row.serverId, ownerId: row.creatorId, channel: channelFactsOf(row), thread };
}

/**
 * Loads the channel and the thread that a request names. If it names only a thread, returns that thread's
 * channel. Throws NOT_FOUND, and INVALID_REQUEST if the thread is in another channel.
 */
export async function placeNamed(
  db: Reader,
  { channelId, threadId }: { channelId?: string | undefined; threadId?: string | undefined },
) {
  const inThread = threadId === undefined ? undefined : await threadTarget(db, threadId);
  const channel = inThread?.channel ?? (await channelFacts(db, channelId as string));
  if (channelId !== undefined && channelId !== channel.id) {
    await load(db, 'channel', channelId);
    throw invalid('mismatch', 'channelId', 'is not the channel of the thread');
  }
  return { channel, thread: inThread?.thread };
}

/** Whether the message is a reply in a locked thread. */
export const isInLockedThread = async (
  db: Reader,
  { threadId }: Pick<RowOf<'message'>, 'threadId'>,
): Promise<boolean> =>
  threadId !== null && (await db.first(find('thread', { id: threadId })))?.locked === true;

/** Finds the threads on a message that are named after its text. */
export const threadsNamedBy = async (db: Reader, messageId: string): Promise<RowOf<'thread'>[]> =>
  isId(messageId) ? db.all(find('thread', { messageId, isNamedByMessage: true })) : [];
