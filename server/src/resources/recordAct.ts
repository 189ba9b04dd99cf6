import type { RowOf } from '../db/schema.ts';
import { insert } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';

/**
 * Adds an entry for an action to the audit log, in the same transaction as its changes. `about` must not
 * contain personal data.
 */
export async function recordAct(
  { db, newRow, actorId, actorKind: actor }: Pick<Work, 'db' | 'newRow' | 'actorId' | 'actorKind'>,
  command: string,
  about: RowOf<'audit'>['about'],
): Promise<void> {
  const { id, createdAt: at } = newRow();
  await db.run(insert('audit', { id, at, command, account: '', about, actorId, actor }));
}
