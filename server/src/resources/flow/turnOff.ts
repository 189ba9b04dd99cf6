import { removeTimer } from '../../clock/timers.ts';
import type { RowOf } from '../../db/schema.ts';
import { q, update } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { removeCommandOf } from '../command/ofFlow.ts';
import { touched } from '../common.ts';
import { flowEvents, toFlow } from './flowRecord.ts';
import { notice } from './notice.ts';

/**
 * Turns off a flow, records the reason, and notifies its maker. `leaving` is the user who leaves the server
 * in this write.
 */
export async function turnOff(
  work: Work,
  found: RowOf<'flow'>,
  disabledReason: string,
  leaving?: string,
): Promise<void> {
  if (!found.enabled) return;
  const { db, now, emit } = work;
  const set = { enabled: false, disabledReason, updatedAt: touched(found, now) };
  await db.run(update('flow', found.id, set));
  await removeTimer(db, found.id);
  if (found.triggeredBy === 'command') await removeCommandOf(work, found);
  await emit(flowEvents.updated, toFlow({ ...found, ...set }));
  await notice(work, found, leaving);
}

/** Number of flows per read. */
const MAX_FLOWS = 1_000;

/** Turns off the flows whose role was deleted, or whose maker or agent left. */
export async function turnOffWhere(
  work: Work,
  where: { serverId: string } & ({ roleId: string } | { userId: string }),
  disabledReason: string,
): Promise<void> {
  const { db } = work;
  let rows = q
    .selectFrom('flow')
    .selectAll()
    .where('serverId', '=', where.serverId)
    .where('enabled', '=', true)
    .where('kind', '=', 'flow')
    .orderBy('id')
    .limit(MAX_FLOWS);
  if ('roleId' in where) rows = rows.where('roleId', '=', where.roleId);
  else
    rows = rows.where(({ eb, or }) =>
      or([eb('makerId', '=', where.userId), eb('userId', '=', where.userId)]),
    );
  const leaving = 'userId' in where ? where.userId : undefined;
  for (const flow of await db.all(rows)) await turnOff(work, flow, disabledReason, leaving);
}
