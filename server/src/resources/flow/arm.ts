import { isDeepStrictEqual } from 'node:util';
import { removeTimer, setTimer } from '../../clock/timers.ts';
import type { Tx } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { nextTime } from '../../flows/schedule.ts';
import type { Trigger } from '../../flows/triggers.ts';
import type { Work } from '../../operations/work.ts';
import { commandFrom, putCommand, removeCommandOf } from '../command/ofFlow.ts';
import { progressAtEnd } from '../webhook/place.ts';

/**
 * Activates the trigger of a saved flow. Throws INVALID_REQUEST if the name of its command is taken. If the
 * flow is new, has just been turned on, or has a new trigger, it starts after the latest event.
 */
export async function arm(work: Work, flow: RowOf<'flow'>, before?: RowOf<'flow'>): Promise<void> {
  const { db, now } = work;
  const { id, serverId, enabled } = flow;
  const trigger = flow.trigger as Trigger;
  const nextAt = trigger.on === 'schedule' && enabled ? (nextTime(trigger, now) ?? null) : null;
  const keepsPlace = before?.enabled && enabled && isDeepStrictEqual(before.trigger, flow.trigger);
  const place = keepsPlace ? {} : await progressAtEnd(db, serverId);
  const start = { cursor: '', seq: 0, ...place };
  await db.run(
    q
      .insertInto('flowState')
      .values({ id, serverId, ...start, nextAt, notifiedAt: null, failedRunId: null })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...place, nextAt })),
  );
  if (nextAt === null) await removeTimer(db, id);
  else await setTimer(db, { id, kind: 'flow', serverId, dueAt: nextAt, now });
  // The flow may have a new agent.
  if (before && before.userId !== flow.userId) await removeCommandOf(work, before);
  if (trigger.on === 'command' && enabled)
    await putCommand(work, { id, serverId, userId: flow.userId as string }, commandFrom(trigger));
  else await removeCommandOf(work, flow);
}

/** Removes the timers of a flow that is deleted. */
export async function removeTimersOf(db: Tx, flowId: string): Promise<void> {
  await removeTimer(db, flowId);
  const runs = q.selectFrom('flowRun').select('id').where('flowId', '=', flowId).where('endedAt', 'is', null);
  await db.run(q.deleteFrom('timer').where('id', 'in', runs));
}
