import type { RowOf } from '../db/schema.ts';
import { find, q, remove } from '../db/statements.ts';
import { unmark } from '../db/sweep.ts';
import { isConnected } from '../feed/presenceRows.ts';
import type { Work } from '../operations/work.ts';
import { KeywordIndexes } from '../resources/keywords/keywordIndexes.ts';
import { notify, viewers } from '../resources/message/notify.ts';
import { leftAmong } from '../resources/message/reasons.ts';
import type { Sweeping } from './sweeping.ts';

type GroupMention = RowOf<'groupMention'>;

/**
 * Notifies the next members of a mentioned group, or those with a matching keyword, and advances the position
 * in the same write, so that each member is notified once. At the end, removes the mark and returns true.
 */
export async function sweepGroupMention(
  { read, change }: Sweeping,
  mark: RowOf<'sweep'>,
  rows: number,
): Promise<boolean> {
  // The keyword index is loaded before the write, because loading a large one would keep the transaction open
  // for too long.
  const ofKeywords = mark.noun === 'keywordList' && mark.serverId !== null;
  const keywords = ofKeywords ? await KeywordIndexes.of(read).current(mark.serverId as string) : undefined;
  return change(async (work) => {
    const { db } = work;
    const mention = await db.first(find('groupMention', { id: mark.id }));
    const message = mention && (await db.first(find('message', { id: mention.messageId })));
    const channel = message && (await db.first(find('channel', { id: message.channelId })));
    const userIds =
      mention && channel ? await nextOf(work, mention, rows, keywords?.usersIn(message.content)) : [];
    if (!mention || !message || !channel || userIds.length === 0) {
      await db.run(remove('groupMention', { id: mark.id }));
      await unmark(db, mark);
      return true;
    }
    const told = await db.all(
      q
        .selectFrom('notification')
        .select('userId')
        .where('messageId', '=', message.id)
        .where('userId', 'in', userIds),
    );
    const left = await leftAmong(db, channel, userIds);
    const known = new Set([message.creatorId, ...told.map(({ userId }) => userId), ...left]);
    const others = userIds.filter((userId) => !known.has(userId));
    const seeing = others.length === 0 ? [] : await viewers(db, channel, others, message.creatorId);
    await notify(work, new Map(seeing.map((userId) => [userId, 'mention'])), message);
    const upTo = userIds.at(-1) as string;
    await db.run(q.updateTable('groupMention').set({ upTo }).where('id', '=', mention.id));
    return false;
  }, mark.serverId ?? undefined);
}

/** Returns the next members of the group, in id order, at most `rows`. */
async function nextOf(
  { db, now }: Pick<Work, 'db' | 'now'>,
  { serverId, group, roleId, upTo }: GroupMention,
  rows: number,
  withKeyword: readonly string[] | undefined,
): Promise<string[]> {
  if (withKeyword) return withKeyword.filter((userId) => userId > upTo).slice(0, rows);
  if (group === 'role') {
    const holders = q
      .selectFrom('userRole')
      .select('userId')
      .where('roleId', '=', roleId as string)
      .where('userId', '>', upTo);
    return (await db.all(holders.orderBy('userId').limit(rows))).map(({ userId }) => userId);
  }
  let members = q
    .selectFrom('serverMember')
    .select('userId')
    .where('serverId', '=', serverId)
    .where('userId', '>', upTo);
  if (group === 'here') members = members.where(isConnected('serverMember.userId', now));
  return (await db.all(members.orderBy('userId').limit(rows))).map(({ userId }) => userId);
}
