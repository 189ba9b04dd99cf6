/**
 * Timers: rows with a time at which a node does something. The write that does it also removes its timer, so it
 * happens exactly once, whichever nodes are killed meanwhile. The record that a timer belongs to sets and removes
 * it in its own writes.
 */

import type { Reader, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { prepare, q, remove } from '../db/statements.ts';

/** A timer that a node has claimed, with the end of its lease in `dueAt`. */
export type AnyTimer = Pick<RowOf<'timer'>, 'id' | 'kind' | 'serverId' | 'dueAt' | 'attempts'>;
/** A claimed timer of a server, as all but those of imports and merges are. */
export type Timer = AnyTimer & { serverId: string };

/** Sets the timer of a record, or changes its time. */
export function setTimer(
  tx: Tx,
  { id, kind, serverId, dueAt, now }: Pick<AnyTimer, 'id' | 'kind' | 'serverId' | 'dueAt'> & { now: number },
): Promise<void> {
  const set = { dueAt, attempts: 0, updatedAt: now };
  return tx.run(
    q
      .insertInto('timer')
      .values({ id, kind, serverId, createdAt: now, ...set })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(set)),
  );
}

export const removeTimer = (tx: Tx, id: string): Promise<void> => tx.run(remove('timer', { id }));

const dueAtOf = prepare((p: { id: string }) => q.selectFrom('timer').select('dueAt').where('id', '=', p.id));

/**
 * Whether a claimed timer is still set as it was claimed. If not, its record was changed, or another node has claimed
 * it since. Call it in the write that removes the timer.
 */
export const isClaimed = async (
  db: Reader,
  { id, dueAt }: Pick<AnyTimer, 'id' | 'dueAt'>,
): Promise<boolean> => Number((await db.first(dueAtOf({ id })))?.dueAt) === dueAt;
