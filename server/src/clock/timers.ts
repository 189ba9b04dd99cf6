/**
 * Timers: rows with a due time for an action. The write that performs the action also removes the timer, so
 * the action happens exactly once, even if nodes are killed in the meantime. Each timer belongs to a record,
 * and the writes of that record set and remove it.
 */

import type { Db, Reader, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { prepare, q, remove } from '../db/statements.ts';

/** A timer claimed by a node. Its `dueAt` is the end of the lease. */
export type AnyTimer = Pick<RowOf<'timer'>, 'id' | 'kind' | 'serverId' | 'dueAt' | 'attempts'>;
/**
 * A claimed timer with a server. Only timers of imports, merges and exports of personal data can lack one.
 */
export type Timer = AnyTimer & { serverId: string };

/** Sets a record's timer, or changes its time. */
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

/**
 * Releases a claimed timer when its node stops, so that another node can claim it immediately instead of when
 * the lease expires. Makes it due at `dueAt`. Does nothing if it was changed or claimed again.
 */
export const releaseTimer = (
  db: Pick<Db, 'write'>,
  timer: Pick<AnyTimer, 'id' | 'dueAt'>,
  dueAt: number,
): Promise<void> => {
  const released = q.updateTable('timer').set({ dueAt }).where('id', '=', timer.id);
  return db.write((tx) => tx.run(released.where('dueAt', '=', timer.dueAt)));
};

export const removeTimer = (tx: Tx, id: string): Promise<void> => tx.run(remove('timer', { id }));

const dueAtOf = prepare((p: { id: string }) => q.selectFrom('timer').select('dueAt').where('id', '=', p.id));

/**
 * Whether the timer is unchanged since it was claimed. If not, its record was changed, or another node has
 * claimed it. Call this in the write that removes the timer.
 */
export const isClaimed = async (
  db: Reader,
  { id, dueAt }: Pick<AnyTimer, 'id' | 'dueAt'>,
): Promise<boolean> => Number((await db.first(dueAtOf({ id })))?.dueAt) === dueAt;
