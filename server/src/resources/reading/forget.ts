import { isListed } from '../../access/whereVisible.ts';
import type { Tx } from '../../db/contract.ts';
import { prepare, q, remove } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';

const markersIn = prepare((p: { serverId: string; userId: string }) =>
  q
    .deleteFrom('channelReading')
    .where('userId', '=', p.userId)
    // Not all channels of the server: it may have many direct messages of others.
    .where('channelId', 'in', (eb) =>
      eb
        .selectFrom('channel')
        .select('channel.id')
        .where('channel.serverId', '=', p.serverId)
        .where(isListed)
        .unionAll(
          eb
            .selectFrom('channelMember')
            .select('channelMember.channelId as id')
            .where('channelMember.userId', '=', p.userId)
            .where('channelMember.serverId', '=', p.serverId),
        ),
    ),
);

/**
 * Deletes all reading state and drafts that a person has in a server they left. The number of rows is
 * bounded.
 */
export async function deleteReading(
  { db }: Pick<Work, 'db'>,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  await db.run(markersIn({ serverId, userId }));
  await deleteMarkers(db, { serverId, userId });
}

/** The same, except for channel markers. */
export async function deleteMarkers(
  db: Tx,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  for (const table of ['threadReading', 'serverReading', 'draft'] as const)
    await db.run(remove(table, { userId, serverId }));
}
