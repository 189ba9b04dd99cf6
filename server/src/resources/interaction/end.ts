import { removeTimer } from '../../clock/timers.ts';
import type { RowOf } from '../../db/schema.ts';
import { q, update } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { touched } from '../common.ts';
import { interactionEvents, toShownInteraction, updatedForPerson } from './interactionRecord.ts';

type Row = RowOf<'interaction'>;

/** Maximum interactions to end in the write that removes their agent. The others expire. */
const ENDED_IN_WRITE = 100;

/** Ends an interaction, and notifies its agent and its person. Returns the changed row. */
export async function endInteraction(
  work: Work,
  found: Row,
  outcome: Pick<Row, 'state'> & Partial<Pick<Row, 'ephemeral' | 'replyId'>>,
): Promise<Row> {
  const { db, emit, now } = work;
  const set = { ...outcome, updatedAt: touched(found, now) };
  await removeTimer(db, found.id);
  await db.run(update('interaction', found.id, set));
  const shown = toShownInteraction({ ...found, ...set });
  await emit(interactionEvents.updated, shown);
  await emit(updatedForPerson, shown);
  return { ...found, ...set };
}

/** Ends the unanswered interactions of an agent that is being removed. */
export async function endInteractionsOf(
  work: Work,
  { serverId, userId: agentId }: { serverId: string; userId: string },
): Promise<void> {
  const open = await work.db.all(
    q
      .selectFrom('interaction')
      .selectAll()
      .where('agentId', '=', agentId)
      .where('serverId', '=', serverId)
      .where('state', '=', 'pending')
      .orderBy('id')
      .limit(ENDED_IN_WRITE),
  );
  for (const found of open) await endInteraction(work, found, { state: 'failed' });
}
