import { removeTimer, setTimer } from '../../../clock/timers.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find, remove, update } from '../../../db/statements.ts';
import type { Step } from '../../../flows/steps.ts';
import type { Work } from '../../../operations/work.ts';
import { cutError } from '../flowRecord.ts';
import { noticeFailure } from '../notice.ts';
import { changeRun } from '../start.ts';
import { turnOff } from '../turnOff.ts';
import type { Failure } from './failure.ts';
import { saveStep } from './stored.ts';
import { nameOf } from './values.ts';

/** The position at which a run failed. `step` is undefined if it failed outside a step. */
interface Place {
  run: RowOf<'flowRun'>;
  step: Step | undefined;
  /** The step's input, if its templates were resolved. */
  input: unknown;
}

/** Stores a failed attempt of a run. The run is then either retried later or marked as failed. */
export async function storeFailure(work: Work, { run, step, input }: Place, failure: Failure): Promise<void> {
  const attempt = run.attempt + 1;
  const { position } = run;
  const message = cutError(failure.message);
  if (step) await saveStep(work, run, step, { status: 'failed', input, output: null, error: message });
  const error = step ? cutError(`${nameOf(step, position ?? '')}: ${message}`) : message;
  await changeFailed(work, run, failure, { attempt, error });
  if (!failure.isForGood) return;
  const flow = await work.db.first(find('flow', { id: run.flowId }));
  if (flow) await turnOff(work, flow, message);
}

async function changeFailed(
  work: Work,
  run: RowOf<'flowRun'>,
  { retryMs, isForGood }: Failure,
  failed: { attempt: number; error: string },
): Promise<void> {
  const { db, now } = work;
  const { id, serverId } = run;
  if (retryMs !== undefined) {
    await setTimer(db, { id, kind: 'flowRun', serverId, dueAt: now + retryMs, now });
    await db.run(update('flowRun', id, failed));
    return;
  }
  await removeTimer(db, id);
  await db.run(remove('flowWait', { id }));
  await changeRun(work, run, { status: 'failed', ...failed, wakeAt: null, endedAt: now });
  if (!isForGood) await noticeFailure(work, run);
}
