import { q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { load } from '../common.ts';
import { serverEvents, toServer } from './record.ts';

/** Keeps the number of members that a server shows. */
export async function countMembers({ db, emit, now }: Work, serverId: string, change: 1 | -1): Promise<void> {
  // By the database, for a command takes no turn among the writes of the server.
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
  await emit(serverEvents.updated, toServer(await load(db, 'server', serverId)));
}
