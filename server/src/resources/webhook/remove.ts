import type { RowOf } from '../../db/schema.ts';
import { find, remove } from '../../db/statements.ts';
import type { Work } from '../../http/endpoint.ts';
import { toWebhook } from './record.ts';

/** Removes the webhooks that equal `where`, in the transaction of what ends them. */
export async function removeWebhooks(
  { db, emit }: Pick<Work, 'db' | 'emit'>,
  where: Partial<Pick<RowOf<'webhook'>, 'roleId' | 'userId' | 'channelId' | 'serverId'>>,
): Promise<void> {
  for (const found of await db.all(find('webhook', where))) {
    await db.run(remove('webhook', { id: found.id }));
    const { serverId, channelId } = found;
    await emit({ type: 'webhook.deleted', serverId, channelId, data: toWebhook(found) });
  }
}
