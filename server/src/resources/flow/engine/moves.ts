import { removeTimer } from '../../../clock/timers.ts';
import type { RowOf } from '../../../db/schema.ts';
import { q } from '../../../db/statements.ts';
import { stepAt } from '../../../flows/position.ts';
import { isEventWait, type Step } from '../../../flows/steps.ts';
import type { Work } from '../../../operations/work.ts';
import { progressAtEnd } from '../../webhook/place.ts';
import { changeRun, over } from '../start.ts';

type Run = RowOf<'flowRun'>;

/**
 * Advances a run past the executed steps, or ends it. This happens in the same write as the steps, so that
 * the end of a run needs no separate write. Returns the changed columns.
 */
export async function moveOn(
  work: Work,
  run: Run,
  { position, executed, items }: Pick<Run, 'position' | 'executed' | 'items'>,
): Promise<Partial<Run>> {
  if (position === null) return end(work, run, { attempt: 0, executed, error: null });
  const isWait = isEventWait(stepAt(run.steps as Step[], position));
  const set: Partial<Run> = {
    position,
    // The event may arrive before the wait is stored.
    waitFrom: isWait ? (await progressAtEnd(work.db, run.serverId)).cursor : null,
    attempt: 0,
    executed,
    status: 'running' as const,
    wakeAt: null,
    error: null,
    ...(items !== run.items && { items }),
  };
  // A waiting run has resumed, so its record changes.
  if (run.status === 'waiting') await changeRun(work, run, set);
  else await work.db.run(q.updateTable('flowRun').set(set).where('id', '=', run.id));
  return set;
}

/** Ends a run. Returns the changed columns. */
export async function end(work: Work, run: Run, more: Partial<Run> = {}): Promise<Partial<Run>> {
  const set = {
    ...over,
    ...more,
    status: 'done' as const,
    position: null,
    waitFrom: null,
    endedAt: work.now,
  };
  await removeTimer(work.db, run.id);
  await changeRun(work, run, set);
  return set;
}
