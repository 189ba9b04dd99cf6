import type { Tx } from '../../../db/contract.ts';
import type { RowOf } from '../../../db/schema.ts';
import { insert, q, remove } from '../../../db/statements.ts';

/** Selects runs that wait for an event that has not arrived yet. */
export const openWaits = () =>
  q.selectFrom('flowWait').where('type', 'is not', null).where('eventId', 'is', null);

const nothing = {
  type: null,
  condition: null,
  isRead: false,
  cursor: '',
  seq: 0,
  eventId: null,
  messageId: null,
  needed: 0,
  answers: [],
};

type Wait = RowOf<'flowWait'>;

/** Stores the event or answers that a run waits for, replacing any earlier wait. */
export async function putWait(
  db: Tx,
  wait: Pick<Wait, 'id' | 'flowId' | 'serverId'> & Partial<Wait>,
): Promise<void> {
  await db.run(remove('flowWait', { id: wait.id }));
  await db.run(insert('flowWait', { ...nothing, ...wait }));
}
