import type { Tx } from '../../../db/contract.ts';
import type { RowOf } from '../../../db/schema.ts';
import { insert, q, remove } from '../../../db/statements.ts';

/** The runs that wait for an event which has not come yet. */
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

/** Stores what a run waits for. It replaces an earlier wait. */
export async function putWait(
  db: Tx,
  wait: Pick<Wait, 'id' | 'flowId' | 'serverId'> & Partial<Wait>,
): Promise<void> {
  await db.run(remove('flowWait', { id: wait.id }));
  await db.run(insert('flowWait', { ...nothing, ...wait }));
}
