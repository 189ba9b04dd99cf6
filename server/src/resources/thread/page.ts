import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import type { Page } from '../../operations/read.ts';
import { type PageInput, pageOf, rowsById } from '../lists.ts';
import { toThread } from './threadRecord.ts';

/**
 * Returns a page of a channel's threads, newest first. During a sweep of the channel, threads whose messages
 * have not been swept yet are shown as if the sweep had finished, and the page may be short.
 */
export async function threadPage(
  db: Reader,
  input: PageInput & { params: { channelId: string } },
  isBeingSwept: boolean,
): Promise<Page> {
  const rows = q.selectFrom('thread').selectAll().where('channelId', '=', input.params.channelId);
  const found = await db.all(rowsById(rows, input, 'desc'));
  const kept = isBeingSwept ? await afterSweep(db, found) : undefined;
  const { records, next } = pageOf(
    found,
    input.query.limit,
    ({ id }) => [id],
    (row) => (kept ? kept.get(row.id) : toThread(row)) ?? null,
  );
  return { records: records.filter((record) => record !== null), next };
}

/** Returns the threads that will remain after a sweep, by id, in their final state. */
async function afterSweep(db: Reader, found: readonly RowOf<'thread'>[]) {
  const messageIds = found.flatMap(({ messageId }) => (messageId === null ? [] : [messageId]));
  const inSight = q
    .selectFrom('message')
    .select('message.id')
    .where('message.id', 'in', messageIds)
    .where(isInSight);
  const shown = new Set(messageIds.length === 0 ? [] : (await db.all(inSight)).map(({ id }) => id));
  const isDetached = ({ messageId }: RowOf<'thread'>) => messageId !== null && !shown.has(messageId);
  return new Map(
    found
      .filter((row) => !isDetached(row) || row.replyCount > 0)
      .map((row) => [row.id, toThread(isDetached(row) ? { ...row, messageId: null } : row)]),
  );
}
