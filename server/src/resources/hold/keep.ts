import type { RowOf } from '../../db/schema.ts';
import { insert, q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { isHeld } from './scope.ts';

/**
 * Keeps a message that is about to be deleted, with its earlier versions and files, if a hold covers it. Call
 * this before the rows are deleted. For everybody except platform admins, the message is deleted like any
 * other.
 */
export async function keepIfHeld(
  work: Pick<Work, 'db' | 'now' | 'actorId'>,
  message: RowOf<'message'>,
): Promise<boolean> {
  if (!(await isHeld(work, message))) return false;
  const { db, now, actorId } = work;
  const { id, serverId, channelId, threadId, creatorId, createdAt, editedAt, content } = message;
  const [versions, files, channel] = await Promise.all([
    db.all(
      q
        .selectFrom('messageVersion')
        .select(['at', 'content'])
        .where('messageId', '=', id)
        .where('content', 'is not', null)
        .orderBy('at'),
    ),
    db.all(
      q
        .selectFrom('attachment')
        .select(['id', 'name', 'bytes', 'type'])
        .where('messageId', '=', id)
        .orderBy('id'),
    ),
    db.first(q.selectFrom('channel').select('kind').where('id', '=', channelId)),
  ]);
  const place = { id, serverId, channelId, threadId, creatorId, isDirect: channel?.kind === 'dm' };
  const texts = { createdAt, editedAt, content, versions: versions as { at: number; content: string }[] };
  await db.run(insert('keptMessage', { ...place, ...texts, files, deletedAt: now, deleterId: actorId }));
  for (const file of files) await db.run(insert('keptFile', { id: file.id, keptMessageId: id }));
  return true;
}
