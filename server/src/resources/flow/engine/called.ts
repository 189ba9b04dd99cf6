import { notFound } from '../../../errors.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import { load } from '../../common.ts';
import { toRun } from '../flowRecord.ts';
import { requireRoom, startRun } from '../start.ts';
import { StepFailure } from './failure.ts';

/** The run that executes the step. */
export interface Running {
  id: string;
  serverId: string;
  depth: number;
}

/** Starts a run of another flow of the same server. Throws NOT_FOUND, RATE_LIMITED and StepFailure. */
export async function callFlow(
  { flowBounds }: Services,
  work: Work,
  { id, serverId, depth }: Running,
  flowId: string,
  input: unknown,
): Promise<object> {
  const flow = await load(work.db, 'flow', flowId);
  if (flow.serverId !== serverId) throw notFound('flow');
  if (flow.kind !== 'flow' || !flow.enabled) throw new StepFailure('the flow is turned off');
  await requireRoom(work, serverId, flowBounds.runsPerMinute);
  const { id: unique } = work.newRow();
  const cause = {
    cause: `call ${unique} of ${id}`,
    triggeredBy: 'flow',
    input: input ?? {},
    depth: depth + 1,
  };
  const run = await startRun(work, flow, cause);
  return toRun(run);
}
