import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, prepare, q, remove, update } from '../../db/statements.ts';
import { mark, removeOrMark } from '../../db/sweep.ts';
import type { Work } from '../../operations/work.ts';
import { alters, touched } from '../common.ts';
import { holdsIn } from '../hold/scope.ts';
import type { toMessage } from '../message/messageRecord.ts';
import { isNamedBy } from './named.ts';
import { threadEvents, toThread } from './threadRecord.ts';

/** Deletes a thread with its replies. If there are too many for one write, a sweep deletes the rest. */
export async function removeThread(work: Work, found: RowOf<'thread'>): Promise<void> {
  const { db, emit, actorId, actorKind: actor } = work;
  const { id, serverId, channelId } = found;
  await emit(threadEvents.deleted, toThread(found));
  await db.run(remove('thread', { id }));
  const deleted = { noun: 'thread', id, serverId, channelId, actorId, actor } as const;
  // The sweep keeps replies that a hold covers.
  if ((await holdsIn(db, serverId, work.now)).length > 0) return mark(db, deleted);
  const release = (threads: RowOf<'thread'>[]) => releaseThreads(work, threads);
  await removeOrMark(db, deleted, { release });
}

/** Adds followers to a thread. Followers are notified of new replies. */
export async function follow({ db }: Pick<Work, 'db'>, threadId: string, userIds: string[]): Promise<void> {
  for (const userId of userIds) await db.run(addFollower({ threadId, userId }));
}

/**
 * Removes a follower from a thread. They are not notified of new replies until they follow it again or post a
 * reply.
 */
export const unfollow = async ({ db }: Pick<Work, 'db'>, threadId: string, userId: string): Promise<void> => {
  await db.run(remove('threadFollower', { threadId, userId }));
};

const addFollower = prepare((p: { threadId: string; userId: string }) =>
  q
    .insertInto('threadFollower')
    .values({ threadId: p.threadId, userId: p.userId })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Changes a thread and emits `thread.updated`, unless it already has these values. Returns its record. */
export async function changeThread(
  { db, emit, now }: Work,
  found: RowOf<'thread'>,
  fields: Partial<RowOf<'thread'>>,
) {
  if (!alters(found, fields)) return toThread(found);
  const set = { ...fields, updatedAt: touched(found, now) };
  await db.run(update('thread', found.id, set));
  const changed = toThread({ ...found, ...set });
  await emit(threadEvents.updated, changed);
  return changed;
}

/** The columns to set for a thread whose message no longer contains its name. */
const unnamed = { name: null, isNamedByMessage: false };

/** Removes the names of threads if an edit removed their words from the root message. */
export async function renameThreads(
  work: Work,
  { content }: Sent,
  { threads }: { threads: readonly RowOf<'thread'>[] } = { threads: [] },
): Promise<void> {
  for (const thread of threads)
    if (!isNamedBy(thread.name ?? '', content)) await changeThread(work, thread, unnamed);
}

/** A message's record, as it appears in events. */
type Sent = ReturnType<typeof toMessage>;

/** Counts a new reply in its thread, and makes its author a follower. */
export function takeReply(
  work: Work,
  { creatorId, createdAt }: Sent,
  { thread }: { thread: RowOf<'thread'> | undefined },
): Promise<void> | void {
  if (thread) return countReply(work, thread, creatorId, createdAt);
}

async function countReply(
  work: Work,
  thread: RowOf<'thread'>,
  creatorId: string,
  createdAt: number,
): Promise<void> {
  await changeThread(work, thread, { replyCount: thread.replyCount + 1, lastReplyAt: createdAt });
  await follow(work, thread.id, [creatorId]);
}

const lastReply = prepare((p: { threadId: string; except: string }) =>
  q
    .selectFrom('message')
    .select('createdAt')
    .where('threadId', '=', p.threadId)
    .where('id', '!=', p.except)
    .orderBy('id', 'desc')
    .limit(1),
);

/**
 * Finds the thread of a reply that is about to be deleted, and the latest of the thread's remaining replies.
 * Undefined for other messages.
 */
export async function threadOf(db: Reader, { id, threadId }: Sent) {
  if (threadId === null) return undefined;
  const [thread, last] = await Promise.all([
    db.first(find('thread', { id: threadId })),
    db.first(lastReply({ threadId, except: id })),
  ]);
  return thread && { thread, last };
}

/** Updates a thread's `replyCount` and `lastReplyAt` after one of its replies was deleted. */
export async function leaveThread(
  work: Work,
  { thread, last }: NonNullable<Awaited<ReturnType<typeof threadOf>>>,
): Promise<void> {
  const replyCount = Math.max(0, thread.replyCount - 1);
  await changeThread(work, thread, { replyCount, lastReplyAt: last?.createdAt ?? null });
}

/** Handles the threads of deleted messages: deletes those without replies, and detaches the others. */
export async function releaseThreads(work: Work, threads: readonly RowOf<'thread'>[]): Promise<void> {
  for (const found of threads.toSorted(byMessage)) {
    if (found.replyCount === 0) await removeThread(work, found);
    else await changeThread(work, found, { messageId: null, ...(found.isNamedByMessage && unnamed) });
  }
}

const byMessage = (one: RowOf<'thread'>, other: RowOf<'thread'>): number =>
  `${one.messageId} ${one.id}` < `${other.messageId} ${other.id}` ? -1 : 1;
