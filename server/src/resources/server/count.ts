import { find, q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { serverEvents, toServer } from './serverRecord.ts';

/** Changes a server's `memberCount`. */
export async function countMembers({ db, emit, now }: Work, serverId: string, change: 1 | -1): Promise<void> {
  // The count is incremented in the database, because commands do not lock the server before they append
  // their events.
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
  // For a deleted server, no event is emitted, because nobody can read it. Members may still be removed from
  // it, for example by an erasure.
  if (counted && counted.deletedAt === null) await emit(serverEvents.updated, toServer(counted));
}
