import type { RowOf } from '../../db/schema.ts';
import { q, remove } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { secretEvents, toSecret } from './record.ts';

/** Selects secrets with the time of their last use, oldest first. */
export const secretsWithUse = q
  .selectFrom('secret')
  .leftJoin('keyUse', 'keyUse.id', 'secret.id')
  .selectAll('secret')
  .select('keyUse.lastUsedAt')
  .orderBy('secret.id');

type Where = Partial<
  Pick<RowOf<'secret'>, 'id' | 'kind' | 'roleId' | 'userId' | 'serverId' | 'appId' | 'creatorId'>
>;

/** Deletes the keys and apps' secrets whose columns equal `where`. Returns their records. */
export async function revokeSecrets({ db, emit }: Work, where: Where) {
  let rows = secretsWithUse;
  for (const [column, value] of Object.entries(where))
    rows = rows.where(`secret.${column as 'appId'}`, '=', value);
  const revoked = (await db.all(rows)).map(toSecret);
  if (revoked.length > 0) await db.run(remove('secret', where));
  for (const secret of revoked) await emit(secretEvents.deleted, secret);
  return revoked;
}
