import type { Tx } from '../../../db/contract.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find, insert, q, update } from '../../../db/statements.ts';
import type { Step } from '../../../flows/steps.ts';
import type { Work } from '../../../operations/work.ts';
import { StepFailure } from './failure.ts';
import { nameOf } from './values.ts';

/** Stores the current attempt of the run's current step, replacing an earlier attempt. */
export async function saveStep(
  { db, newRow }: Work,
  run: RowOf<'flowRun'>,
  step: Step,
  { status, input, output, error }: Pick<RowOf<'flowStep'>, 'status' | 'input' | 'output' | 'error'>,
): Promise<void> {
  const { id: runId, position } = run;
  if (position === null) return;
  const made = newRow();
  const attempts = run.attempt + 1;
  const { updatedAt } = made;
  const set = { status, attempts, input: input ?? null, output: output ?? null, error, updatedAt };
  const found = await db.first(find('flowStep', { runId, position }));
  if (found) await db.run(update('flowStep', found.id, set));
  else {
    const name = nameOf(step, position);
    await db.run(insert('flowStep', { ...made, runId, position, name, type: step.do, ...set }));
  }
}

/** Throws StepFailure if a server is at the limit of waiting runs. */
export async function requireWaitingRoom(db: Tx, serverId: string, limit: number): Promise<void> {
  if (limit === 0) return;
  const waiting = q
    .selectFrom('flowRun')
    .select('id')
    .where('serverId', '=', serverId)
    .where('status', '=', 'waiting')
    .limit(limit);
  if ((await db.all(waiting)).length >= limit)
    throw new StepFailure(`the server has ${limit} waiting runs, which is the limit`);
}
