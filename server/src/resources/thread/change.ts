import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, prepare, q, remove, update } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { touched } from '../common.ts';
import type { toMessage } from '../message/record.ts';
import { threadEvents, toThread } from './record.ts';

/** Deletes a thread with its followers and indicators. */
export async function removeThread(db: Work['db'], threadId: string): Promise<void> {
  await db.run(remove('threadFollower', { threadId }));
  await db.run(remove('indicator', { threadId }));
  await db.run(remove('thread', { id: threadId }));
}

/** Has users told of new replies. */
export async function follow({ db }: Pick<Work, 'db'>, threadId: string, userIds: string[]): Promise<void> {
  for (const userId of userIds) await db.run(addFollower({ threadId, userId }));
}

const addFollower = prepare((p: { threadId: string; userId: string }) =>
  q
    .insertInto('threadFollower')
    .values({ threadId: p.threadId, userId: p.userId })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Changes a thread, and tells of it. */
export async function changeThread(
  { db, emit, now }: Work,
  found: RowOf<'thread'>,
  fields: Partial<RowOf<'thread'>>,
) {
  const set = { ...fields, updatedAt: touched(found, now) };
  await db.run(update('thread', found.id, set));
  const changed = toThread({ ...found, ...set });
  await emit(threadEvents.updated, changed);
  return changed;
}

/** A message, as its events show it. */
type Sent = ReturnType<typeof toMessage>;

/** Counts a new reply, and has its author follow the thread. */
export async function takeReply(
  work: Work,
  { threadId, creatorId, createdAt }: Sent,
  { thread }: { thread: RowOf<'thread'> | undefined },
): Promise<void> {
  if (threadId === null || !thread) return;
  await changeThread(work, thread, { replyCount: thread.replyCount + 1, lastReplyAt: createdAt });
  await follow(work, threadId, [creatorId]);
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

/** The threads that a message which is about to be deleted hangs on, or that hang on it. */
export async function threadsAround(db: Reader, { id, threadId }: Sent) {
  const [on, last, hanging] = await Promise.all([
    threadId === null ? undefined : db.first(find('thread', { id: threadId })),
    threadId === null ? undefined : db.first(lastReply({ threadId, except: id })),
    db.all(find('thread', { messageId: id })),
  ]);
  return { on, last, hanging };
}

/** Takes a deleted message out of the thread that it was a reply in, and lets go of the threads that hung on it. */
export async function leaveThreads(
  work: Work,
  { on, last, hanging }: Awaited<ReturnType<typeof threadsAround>>,
): Promise<void> {
  await releaseThreads(work, hanging);
  if (!on) return;
  const replyCount = Math.max(0, on.replyCount - 1);
  await changeThread(work, on, { replyCount, lastReplyAt: last?.createdAt ?? null });
}

/** Threads whose message is deleted: gone without replies, on their own with some. */
export async function releaseThreads(work: Work, threads: readonly RowOf<'thread'>[]): Promise<void> {
  for (const found of threads.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    if (found.replyCount > 0) {
      await changeThread(work, found, { messageId: null });
    } else {
      await removeThread(work.db, found.id);
      await work.emit(threadEvents.deleted, toThread(found));
    }
  }
}
