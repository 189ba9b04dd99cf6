import type { Caller } from '../../access/authenticator.ts';
import { visibility } from '../../access/visibility.ts';
import { removeTimer, setTimer } from '../../clock/timers.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, findPart, insert, prepare, q, remove, update } from '../../db/statements.ts';
import { ApiError, invalid } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import type { Call, WriteCall } from '../../operations/call.ts';
import type { Services } from '../../operations/services.ts';
import type { Work } from '../../operations/work.ts';
import { load, touched } from '../common.ts';
import { channelFacts } from '../message/load.ts';
import { eventOf } from './engine/values.ts';
import { flowRunEvents, toRun, toRunWithSteps } from './flowRecord.ts';
import { noticeFailure } from './notice.ts';

const ended = (status: RowOf<'flowRun'>['status']): boolean =>
  status === 'done' || status === 'failed' || status === 'cancelled';

/** Throws NOT_FOUND. */
export async function runWithSteps(call: Call, id: string) {
  const row = await load(call.db, 'flowRun', id);
  const steps = q.selectFrom('flowStep').selectAll().where('runId', '=', row.id).orderBy('id');
  return toRunWithSteps(row, await call.db.all(steps), await showsValues(call, row));
}

/** An event that a member names for a run. */
export interface RunEvent {
  id: string;
  data: { channelId?: string | null };
}

/** The event that a member names for a run. Undefined for a caller who may not edit flows. Throws NOT_FOUND. */
export async function eventToRun(
  services: Services,
  by: Caller | undefined,
  flowId: string,
  eventId: string | undefined,
): Promise<RunEvent | undefined> {
  if (eventId === undefined) return undefined;
  const flow = isId(flowId) ? await services.db.read.first(find('flow', { id: flowId })) : undefined;
  if (!flow || !by || !visibility.apps.holds(by.principal, flow)) return undefined;
  const event = await eventOf(services, by, { serverId: flow.serverId, eventId });
  if (!event) throw new ApiError('NOT_FOUND', 'event not found');
  return event as RunEvent;
}

/** Starts a run at a member's request. Throws INVALID_REQUEST and RATE_LIMITED. */
export async function runByHand(
  call: WriteCall,
  found: RowOf<'flow'>,
  input: unknown,
  event: RunEvent | undefined,
) {
  requireRunnable(found);
  await requireRoom(call, found.serverId, call.services.flowBounds.runsPerMinute);
  const { id } = call.newRow();
  const { userId: actorId } = call.principal;
  const place = event && { eventId: event.id, channelId: event.data.channelId ?? null };
  const cause = { cause: `run ${id}`, triggeredBy: 'manual', actorId, input: input ?? {}, ...place };
  return toRun(await startRun(call, found, cause));
}

/** Continues a run with the step that failed. Throws INVALID_REQUEST and RATE_LIMITED. */
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

/** The columns of a run that does not continue. */
export const over = { steps: null, items: null, wakeAt: null } as const;

/** Changes a run, and tells it if its record changes. */
export async function changeRun(
  { db, emit, now }: Work,
  found: RowOf<'flowRun'>,
  fields: Partial<RowOf<'flowRun'>>,
) {
  const set = { ...fields, updatedAt: touched(found, now) };
  await db.run(update('flowRun', found.id, set));
  const changed = toRun({ ...found, ...set });
  await emit(flowRunEvents.updated, changed);
  return changed;
}

/** Throws INVALID_REQUEST for a flow that Palaver does not run. */
function requireRunnable({ kind, enabled }: RowOf<'flow'>): void {
  if (kind === 'note')
    throw invalid('wrong_kind', 'id', 'is a note for other programs. Save its steps to run it');
  if (!enabled) throw invalid('wrong_kind', 'id', 'is turned off');
}

/** Throws RATE_LIMITED if the server has started its runs of this minute. */
export async function requireRoom(
  { db, now }: Pick<Work, 'db' | 'now'>,
  serverId: string,
  perMinute: number,
): Promise<void> {
  const ms = await msUntilRun(db, serverId, perMinute, now);
  if (ms === 0) return;
  throw new ApiError('RATE_LIMITED', 'the server has started its runs of this minute', undefined, {
    'retry-after': String(Math.ceil(ms / 1000)),
  });
}

/** Whether the caller sees inputs and outputs: they may edit flows, and see the channel now. */
async function showsValues(
  { db, principal }: Call,
  { serverId, channelId }: RowOf<'flowRun'>,
): Promise<boolean> {
  if (!visibility.apps.holds(principal, { serverId })) return false;
  if (channelId === null) return true;
  if (!(await db.first(findPart('channel', channelId, ['id'])))) return false;
  return visibility.apps.holds(principal, { serverId, channel: await channelFacts(db, channelId) });
}

/** Flows that trigger each other stop after this many runs. */
const MAX_DEPTH = 5;
const MINUTE_MS = 60_000;

type Flow = Pick<RowOf<'flow'>, 'id' | 'serverId' | 'steps'>;

/** What started a run. */
export type Cause = Pick<RowOf<'flowRun'>, 'cause' | 'triggeredBy'> &
  Partial<Pick<RowOf<'flowRun'>, 'eventId' | 'channelId' | 'actorId' | 'input' | 'depth' | 'isLate'>>;

/** Starts a run of a flow, in a write: adds it with a timer that is due now. Returns its row. */
export async function startRun(work: Work, flow: Flow, cause: Cause): Promise<RowOf<'flowRun'>> {
  const { db, now, newRow, emit } = work;
  const isTooDeep = (cause.depth ?? 0) > MAX_DEPTH;
  const row: RowOf<'flowRun'> = {
    ...newRow(),
    flowId: flow.id,
    serverId: flow.serverId,
    eventId: null,
    channelId: null,
    actorId: null,
    input: null,
    steps: isTooDeep ? null : flow.steps,
    items: null,
    status: isTooDeep ? 'failed' : 'running',
    position: (flow.steps as unknown[]).length > 0 ? '0' : null,
    waitFrom: null,
    attempt: 0,
    executed: 0,
    depth: 0,
    wakeAt: null,
    isLate: false,
    error: isTooDeep ? `stopped: flows triggered each other more than ${MAX_DEPTH} times` : null,
    endedAt: isTooDeep ? now : null,
    ...cause,
  };
  await db.run(insert('flowRun', row));
  if (!isTooDeep)
    await setTimer(db, { id: row.id, kind: 'flowRun', serverId: flow.serverId, dueAt: now, now });
  await emit(flowRunEvents.created, toRun(row));
  if (isTooDeep) await noticeFailure(work, row);
  return row;
}

const startedSince = prepare((p: { serverId: string; since: number; limit: number }) =>
  q
    .selectFrom('flowRun')
    .select('createdAt')
    .where('serverId', '=', p.serverId)
    .where('createdAt', '>', p.since)
    .orderBy('createdAt', 'desc')
    .limit(p.limit),
);

/**
 * Milliseconds until a server may start another run, with `perMinute` runs a minute; 0 if it may now. `perMinute` 0
 * means no limit.
 */
export async function msUntilRun(
  db: Reader,
  serverId: string,
  perMinute: number,
  now: number,
): Promise<number> {
  if (perMinute === 0) return 0;
  const since = now - MINUTE_MS;
  const started = await db.all(startedSince({ serverId, since, limit: perMinute }));
  if (started.length < perMinute) return 0;
  return Math.max(1, Number(started.at(-1)?.createdAt) + MINUTE_MS - now);
}
