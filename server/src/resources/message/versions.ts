import type { RowOf } from '../../db/schema.ts';
import { insert, prepare, q } from '../../db/statements.ts';
import { versionOf } from '../../feed/contentRefs.ts';
import type { Work } from '../../operations/work.ts';
import { isHeld } from '../hold/scope.ts';

/** Maximum versions stored per message, besides the original. The oldest are deleted. */
const MAX_VERSIONS = 200;

const keep = prepare((p: { id: string; messageId: string; at: number; userId: string; content: string }) =>
  q
    .insertInto('messageVersion')
    .values({ id: p.id, messageId: p.messageId, at: p.at, userId: p.userId, content: p.content })
    .onConflict((conflict) =>
      conflict.columns(['messageId', 'at']).doUpdateSet((eb) => ({ content: eb.ref('excluded.content') })),
    ),
);

const surplus = prepare((p: { messageId: string; createdAt: number; most: number }) =>
  q.deleteFrom('messageVersion').where(
    'id',
    'in',
    q
      .selectFrom('messageVersion')
      .select('id')
      .where('messageId', '=', p.messageId)
      .where('at', '>', p.createdAt)
      .orderBy('at', 'desc')
      .limit(1)
      .offset(p.most as never),
  ),
);

/**
 * Stores the content that an edit is about to replace, and the user who makes the edit. `at` is the time of
 * the edit.
 */
export async function keepVersion(work: Work, found: RowOf<'message'>, at: number): Promise<void> {
  const { db, newRow, actorId } = work;
  const { id: messageId, creatorId, content, createdAt, editedAt } = found;
  await db.run(keep({ id: newRow().id, messageId, at: versionOf(found), userId: creatorId, content }));
  await db.run(insert('messageVersion', { id: newRow().id, messageId, at, userId: actorId, content: null }));
  // If a hold covers the message, all previous versions are kept.
  if (editedAt !== null && !(await isHeld(work, found)))
    await db.run(surplus({ messageId, createdAt, most: MAX_VERSIONS }));
}
