import type { Tx } from '../../db/contract.ts';
import { memberChannels } from '../../db/memberChannels.ts';
import { prepare, q, remove } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';

const markersIn = prepare((p: { serverId: string; userId: string }) =>
  q.deleteFrom('channelReading').where('userId', '=', p.userId).where('channelId', 'in', memberChannels(p)),
);

/**
 * Deletes all reading state and drafts of a person in a server that they left. The number of rows is limited.
 */
export async function deleteReading(
  { db }: Pick<Work, 'db'>,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  await db.run(markersIn({ serverId, userId }));
  await deleteMarkers(db, { serverId, userId });
}

/** Like `deleteReading`, but keeps channel markers. */
export async function deleteMarkers(
  db: Tx,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  for (const table of ['threadReading', 'serverReading', 'draft'] as const)
    await db.run(remove(table, { userId, serverId }));
}
