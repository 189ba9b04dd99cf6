import type { RowOf } from '../../db/schema.ts';
import { find, remove } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { toWebhook, webhookEvents } from './record.ts';

/** Deletes the webhooks whose columns equal `where`, oldest first. Returns their records. */
export async function removeWebhooks(
  { db, emit }: Work,
  where: Partial<Pick<RowOf<'webhook'>, 'id' | 'roleId' | 'userId' | 'channelId' | 'serverId' | 'creatorId'>>,
) {
  const removed = (await db.all(find('webhook', where))).map(toWebhook);
  removed.sort((one, other) => (one.id < other.id ? -1 : 1));
  if (removed.length > 0) await db.run(remove('webhook', where));
  for (const webhook of removed) await emit(webhookEvents.deleted, webhook);
  return removed;
}
