import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { toWebhook, webhookEvents } from './webhookRecord.ts';

type Column = 'id' | 'roleId' | 'userId' | 'channelId' | 'serverId' | 'creatorId';
type Where = { readonly [C in Column]?: RowOf<'webhook'>[C] | readonly string[] };

/** Number of rows per statement. */
const BATCH_ROWS = 500;

/**
 * Deletes the webhooks that match `where`, oldest first: each column has the given value, or one of the given
 * values. Returns their records.
 */
export async function removeWebhooks({ db, emit }: Work, where: Where) {
  let rows = q.selectFrom('webhook').selectAll().orderBy('id');
  for (const [column, value] of Object.entries(where))
    rows = rows.where(column as 'userId', Array.isArray(value) ? 'in' : '=', value as string);
  const removed = (await db.all(rows)).map(toWebhook);
  for (let first = 0; first < removed.length; first += BATCH_ROWS) {
    const ids = removed.slice(first, first + BATCH_ROWS).map(({ id }) => id);
    await db.run(q.deleteFrom('webhook').where('id', 'in', ids));
  }
  for (const webhook of removed) await emit(webhookEvents.deleted, webhook);
  return removed;
}
