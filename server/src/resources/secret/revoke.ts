import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { secretEvents, toSecret } from './secretRecord.ts';

/** Selects secrets with their last use, oldest first. */
export const secretsWithUse = q
  .selectFrom('secret')
  .leftJoin('keyUse', 'keyUse.id', 'secret.id')
  .selectAll('secret')
  .select('keyUse.lastUsedAt')
  .orderBy('secret.id');

type Column = 'id' | 'kind' | 'roleId' | 'userId' | 'serverId' | 'appId' | 'creatorId';
type Where = { readonly [C in Column]?: RowOf<'secret'>[C] | readonly string[] };

/** Number of rows per statement. */
const BATCH_ROWS = 500;

/**
 * Revokes the API keys and app secrets that match `where`: each column has the given value, or one of the
 * given values. Returns their records.
 */
export async function revokeSecrets({ db, emit }: Work, where: Where) {
  let rows = secretsWithUse;
  for (const [column, value] of Object.entries(where))
    rows = rows.where(`secret.${column as 'appId'}`, Array.isArray(value) ? 'in' : '=', value as string);
  const revoked = (await db.all(rows)).map(toSecret);
  for (let first = 0; first < revoked.length; first += BATCH_ROWS) {
    const ids = revoked.slice(first, first + BATCH_ROWS).map(({ id }) => id);
    await db.run(q.deleteFrom('secret').where('id', 'in', ids));
  }
  for (const secret of revoked) await emit(secretEvents.deleted, secret);
  return revoked;
}
