import type { RowOf } from '../../db/schema.ts';
import { q, remove } from '../../db/statements.ts';
import type { Work } from '../../http/endpoint.ts';
import { toSecret } from './record.ts';

/** Secrets with the time of their last use, as they are shown. */
const secrets = q
  .selectFrom('secret')
  .leftJoin('keyUse', 'keyUse.id', 'secret.id')
  .selectAll('secret')
  .select('keyUse.lastUsedAt')
  .orderBy('secret.id');

type Where = Partial<Pick<RowOf<'secret'>, 'roleId' | 'userId' | 'serverId' | 'appId'>>;

/** The secrets that equal `where`. */
export function secretsWith({ db }: Pick<Work, 'db'>, where: Where) {
  let rows = secrets;
  for (const [column, value] of Object.entries(where))
    rows = rows.where(`secret.${column as 'appId'}`, '=', value);
  return db.all(rows);
}

/** Revokes the keys that equal `where`, in the transaction of what ends them. */
export async function revokeKeys({ db, emit }: Pick<Work, 'db' | 'emit'>, where: Where): Promise<void> {
  for (const found of await secretsWith({ db }, where)) {
    if (found.kind !== 'apiKey') continue;
    await db.run(remove('secret', { id: found.id }));
    await emit({ type: 'secret.deleted', serverId: found.serverId, data: toSecret(found) });
  }
}
