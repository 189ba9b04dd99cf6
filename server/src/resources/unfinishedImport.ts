import { find, remove, update } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';
import { importEvents } from './server/serverRecord.ts';

/**
 * Announces the rows that an unfinished import has written so far, if there is one. With `goesOn`, a node may
 * still be running the import, and will announce the rest.
 */
export async function announceUnfinished(
  { db, emit, newRow }: Pick<Work, 'db' | 'emit' | 'newRow'>,
  { serverId, source }: { serverId: string; source: string },
  { goesOn }: { goesOn: boolean },
): Promise<void> {
  const found = await db.first(find('unfinishedImport', { id: serverId }));
  if (!found) return;
  if (goesOn) await db.run(update('unfinishedImport', serverId, { messages: 0 }));
  else await db.run(remove('unfinishedImport', { id: serverId }));
  const { id, createdAt } = newRow();
  await emit(importEvents.finished, { id, createdAt, serverId, source, messages: found.messages });
}
