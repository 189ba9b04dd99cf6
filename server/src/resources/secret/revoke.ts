import { find, remove } from '../../db/statements.ts';
import type { RowOf } from '../../db/tables.ts';
import type { Work } from '../../http/endpoint.ts';
import { toSecret } from './record.ts';

/** Revokes the keys that equal `where`, in the transaction of what ends them. */
export async function revokeKeys(
  { db, emit }: Pick<Work, 'db' | 'emit'>,
  where: Partial<Pick<RowOf<'secret'>, 'roleId' | 'userId' | 'serverId'>>,
): Promise<void> {
  for (const key of await db.all(find('secret', { kind: 'apiKey', ...where }))) {
    await db.run(remove('secret', { id: key.id }));
    await emit({ type: 'secret.deleted', serverId: key.serverId, data: toSecret(key) });
  }
}
