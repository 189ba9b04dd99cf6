import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { mark } from '../../db/sweep.ts';
import { invalid, notFound } from '../../errors.ts';
import { isTypedName } from '../../lib/names.ts';
import type { Work } from '../../operations/work.ts';
import { touched } from '../common.ts';
import { requireServerFree } from '../hold/scope.ts';
import { recordAct } from '../recordAct.ts';
import { toServer } from './serverRecord.ts';

/**
 * Deletes a server (docs/decisions/0063). Once the transaction is committed, the server is hidden, and no
 * key, session or webhook can act in it. A sweep deletes its contents. Returns the previous record. Throws
 * INVALID_REQUEST unless `name` is the server's name, FORBIDDEN if a hold covers the server, and NOT_FOUND if
 * another request deleted it first.
 */
export async function deleteServer(work: Work, found: RowOf<'server'>, name: string, command: string) {
  if (!isTypedName(name, found.name)) throw invalid('mismatch', 'name', "does not match the server's name");
  const { db, now, actorId, actorKind: actor } = work;
  const { id } = found;
  await requireServerFree(db, id, now);
  // The server also becomes private, so that it is not in the list of servers to join.
  const gone = q
    .updateTable('server')
    .set({ deletedAt: now, private: true, updatedAt: touched(found, now) })
    .where('id', '=', id)
    .where('deletedAt', 'is', null);
  if ((await db.count(gone)) !== 1) throw notFound('server');
  await db.run(q.updateTable('webhook').set({ enabled: false }).where('serverId', '=', id));
  // Prevents further installs of its apps.
  await db.run(
    q
      .updateTable('app')
      .set({ submittedAt: null })
      .where('serverId', '=', id)
      .where('submittedAt', 'is not', null),
  );
  await mark(db, { noun: 'server', id, serverId: id, channelId: null, actorId, actor });
  await recordAct(work, command, { id, members: found.memberCount });
  return toServer(found);
}
