import type { Caller } from '../../access/authenticator.ts';
import { visibility } from '../../access/visibility.ts';
import { removeTimer, setTimer } from '../../clock/timers.ts';
import type { RowOf } from '../../db/schema.ts';
import { findPart, q, remove } from '../../db/statements.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { Call, WriteCall } from '../../operations/call.ts';
import type { Services } from '../../operations/services.ts';
import type { Work } from '../../operations/work.ts';
import { load } from '../common.ts';
import { channelFacts } from '../message/load.ts';
import { editableFlow, eventOf } from './engine/events.ts';
import type { ReadEvent } from './engine/place.ts';
import { toRun, toRunWithSteps } from './flowRecord.ts';
import { type Cause, changeRun, over, requireRoom, startRun } from './start.ts';

const ended = (status: RowOf<'flowRun'>['status']): boolean =>
  status === 'done' || status === 'failed' || status === 'cancelled';

/** Returns a run with its steps. Throws NOT_FOUND. */
export async function runWithSteps(call: Call, id: string) {
  const row = await load(call.db, 'flowRun', id);
  const steps = q.selectFrom('flowStep').selectAll().where('runId', '=', row.id).orderBy('id');
  return toRunWithSteps(row, await call.db.all(steps), await showsValues(call, row));
}

/**
 * Returns the event that a member selected for a run. Undefined for a caller who may not edit flows. Throws
 * NOT_FOUND.
 */
export async function eventToRun(
  services: Services,
  by: Caller | undefined,
  flowId: string,
  eventId: string | undefined,
): Promise<ReadEvent | undefined> {
  if (eventId === undefined) return undefined;
  const flow = await editableFlow(services, by, flowId);
  if (!flow || !by) return undefined;
  const event = await eventOf(services, by, { serverId: flow.serverId, eventId });
  if (!event) throw new ApiError('NOT_FOUND', 'event not found');
  return event;
}

/** Starts a run at a member's request. Throws INVALID_REQUEST and RATE_LIMITED. */
export async function runByHand(
  call: WriteCall,
  found: RowOf<'flow'>,
  input: unknown,
  event: ReadEvent | undefined,
) {
  await requireRoom(call, found.serverId, call.services.flowBounds.runsPerMinute);
  const { userId: actorId } = call.principal;
  const place = event && { eventId: event.id, channelId: event.data.channelId ?? null };
  return startManual(call, found, { actorId, input, ...place });
}

/** Starts a requested run. Throws INVALID_REQUEST for a flow that Palaver does not run. */
export async function startManual(
  work: Work,
  found: RowOf<'flow'>,
  { input, ...fields }: Omit<Cause, 'cause' | 'triggeredBy'>,
) {
  requireRunnable(found);
  const cause = { cause: `run ${work.newRow().id}`, triggeredBy: 'manual', input: input ?? {}, ...fields };
  return toRun(await startRun(work, found, cause));
}

/** Resumes a run at the step that failed. Throws INVALID_REQUEST and RATE_LIMITED. */
export async function retryRun(call: WriteCall, found: RowOf<'flowRun'>) {
  if (found.status !== 'failed' || found.steps === null)
    throw invalid('wrong_kind', 'id', 'is not a failed run that can continue');
  requireRunnable(await load(call.db, 'flow', found.flowId));
  await requireRoom(call, found.serverId, call.services.flowBounds.runsPerMinute);
  const { id, serverId } = found;
  await setTimer(call.db, { id, kind: 'flowRun', serverId, dueAt: call.now, now: call.now });
  return changeRun(call, found, { status: 'running', attempt: 0, error: null, endedAt: null });
}

export async function cancelRun(call: WriteCall, found: RowOf<'flowRun'>) {
  if (ended(found.status)) return toRun(found);
  await removeTimer(call.db, found.id);
  await call.db.run(remove('flowWait', { id: found.id }));
  return changeRun(call, found, { ...over, status: 'cancelled', endedAt: call.now });
}

/** Throws INVALID_REQUEST for a flow that Palaver does not run. */
function requireRunnable({ kind, enabled }: RowOf<'flow'>): void {
  if (kind === 'note')
    throw invalid('wrong_kind', 'id', 'is a note for other programs. Save its steps to run it');
  if (!enabled) throw invalid('wrong_kind', 'id', 'is turned off');
}

/**
 * Whether the caller may see a run's inputs, outputs and errors: only if they may edit flows and can
 * currently see the channel.
 */
async function showsValues(
  { db, principal }: Call,
  { serverId, channelId }: RowOf<'flowRun'>,
): Promise<boolean> {
  if (!visibility.apps.holds(principal, { serverId })) return false;
  if (channelId === null) return true;
  if (!(await db.first(findPart('channel', channelId, ['id'])))) return false;
  return visibility.apps.holds(principal, { serverId, channel: await channelFacts(db, channelId) });
}
