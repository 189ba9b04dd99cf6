import { setTimer } from '../../clock/timers.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { insert, prepare, q, update } from '../../db/statements.ts';
import { ApiError } from '../../errors.ts';
import type { Work } from '../../operations/work.ts';
import { touched } from '../common.ts';
import { flowRunEvents, toRun } from './flowRecord.ts';
import { noticeFailure } from './notice.ts';

/** The prefix of the `cause` of a run that was started by an interaction. The interaction's id follows it. */
export const INTERACTION = 'interaction ';

/** The columns to set when a run ends. */
export const over = { steps: null, items: null, wakeAt: null } as const;

/** Changes a run and emits `flowRun.updated`. Returns the new record. */
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

/** Throws RATE_LIMITED if the server has used up its runs for this minute. */
export async function requireRoom(
  { db, now }: Pick<Work, 'db' | 'now'>,
  serverId: string,
  perMinute: number,
): Promise<void> {
  const ms = await msUntilRun(db, serverId, perMinute, now);
  if (ms === 0) return;
  throw new ApiError('RATE_LIMITED', 'the server has reached its limit of flow runs per minute', undefined, {
    'retry-after': String(Math.ceil(ms / 1000)),
  });
}

/** Maximum depth of flows that trigger each other. */
const MAX_DEPTH = 5;
const MINUTE_MS = 60_000;

type Flow = Pick<RowOf<'flow'>, 'id' | 'serverId' | 'steps'>;

/** The cause of a run. If `error` is set, the run failed immediately. */
export type Cause = Pick<RowOf<'flowRun'>, 'cause' | 'triggeredBy'> &
  Partial<
    Pick<RowOf<'flowRun'>, 'eventId' | 'channelId' | 'actorId' | 'input' | 'depth' | 'isLate' | 'error'>
  >;

/** Starts a run of a flow within a write by adding it with a timer that is due now. Returns its row. */
export async function startRun(work: Work, flow: Flow, cause: Cause): Promise<RowOf<'flowRun'>> {
  const { db, now, newRow, emit } = work;
  const isTooDeep = (cause.depth ?? 0) > MAX_DEPTH;
  const error = isTooDeep
    ? `stopped: flows triggered each other more than ${MAX_DEPTH} times`
    : (cause.error ?? null);
  const hasFailed = error !== null;
  const row: RowOf<'flowRun'> = {
    ...newRow(),
    flowId: flow.id,
    serverId: flow.serverId,
    eventId: null,
    channelId: null,
    actorId: null,
    input: null,
    steps: hasFailed ? null : flow.steps,
    items: null,
    status: hasFailed ? 'failed' : 'running',
    position: (flow.steps as unknown[]).length > 0 ? '0' : null,
    waitFrom: null,
    attempt: 0,
    executed: 0,
    depth: 0,
    wakeAt: null,
    isLate: false,
    endedAt: hasFailed ? now : null,
    ...cause,
    error,
  };
  await db.run(insert('flowRun', row));
  if (!hasFailed)
    await setTimer(db, { id: row.id, kind: 'flowRun', serverId: flow.serverId, dueAt: now, now });
  await emit(flowRunEvents.created, toRun(row));
  if (hasFailed) await noticeFailure(work, row);
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
 * Returns the milliseconds until a server may start another run, given its limit `perMinute`; 0 if it may
 * now. A `perMinute` of 0 means no limit.
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
