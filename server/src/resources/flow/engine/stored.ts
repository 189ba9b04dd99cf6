import type { Tx } from '../../../db/contract.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find, insert, q, update } from '../../../db/statements.ts';
import { StepFailure } from './failure.ts';

/** Stores a step with its last attempt. */
export async function saveStep(db: Tx, row: RowOf<'flowStep'>): Promise<void> {
  const { status, attempts, input, output, error, updatedAt } = row;
  const found = await db.first(find('flowStep', { runId: row.runId, position: row.position }));
  const set = { status, attempts, input: input ?? null, output: output ?? null, error, updatedAt };
  if (found) await db.run(update('flowStep', found.id, set));
  else await db.run(insert('flowStep', { ...row, ...set }));
}

/** Throws StepFailure if a server has as many waiting runs as it may have. */
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
