import { find, q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { serverEvents, toServer } from './serverRecord.ts';

/** Changes the `memberCount` of a server. */
export async function countMembers({ db, emit, now }: Work, serverId: string, change: 1 | -1): Promise<void> {
  // The database adds, since a command does not lock the server before it appends its events.
  await db.run(
    q
      .updateTable('server')
      .set((eb) => ({
        memberCount: eb('memberCount', '+', change),
        updatedAt: eb
          .case()
          .when('updatedAt', '<', now)
          .then(now)
          .else(eb('updatedAt', '+', 1))
          .end(),
      }))
      .where('id', '=', serverId),
  );
  const counted = await db.first(find('server', { id: serverId }));
  // Members of a deleted server may still be removed, such as by an erasure: nobody reads it.
  if (counted && counted.deletedAt === null) await emit(serverEvents.updated, toServer(counted));
}
