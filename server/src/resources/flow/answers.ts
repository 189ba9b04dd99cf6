import { setTimer } from '../../clock/timers.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, update } from '../../db/statements.ts';
import { type Answer, ASK_BLOCK } from '../../flows/askStep.ts';
import type { Work } from '../../operations/work.ts';

/**
 * Adds an answer to the question that a run waits for. The last answer resumes the run. Returns false if the
 * answer does not count, because the person has already answered or no more answers are needed. Undefined if
 * no run waits for an answer to this message.
 */
export async function takeAnswer(
  work: Work,
  { messageId, blockId, userId, actionId, value }: RowOf<'interaction'>,
): Promise<boolean | undefined> {
  if (messageId === null || blockId !== ASK_BLOCK) return undefined;
  const { db, now } = work;
  const wait = await db.first(find('flowWait', { messageId }));
  if (!wait) return undefined;
  const { id, serverId, needed } = wait;
  const before = wait.answers as readonly Answer[];
  if (before.length >= needed || before.some((one) => one.userId === userId)) return false;
  const values = typeof value === 'object' ? value : null;
  const answers: Answer[] = [...before, { userId, answer: actionId as string, values, at: now }];
  await db.run(update('flowWait', id, { answers }));
  // Setting a claimed timer revokes the claim, so a timeout that is being handled does nothing.
  if (answers.length >= needed) await setTimer(db, { id, kind: 'flowRun', serverId, dueAt: now, now });
  return true;
}
