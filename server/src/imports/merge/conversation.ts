import type { Tx } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { requeue } from '../../db/search/waiting.ts';
import { find, insert, q, remove, update } from '../../db/statements.ts';
import type { MergePlace } from '../../db/tables/placeholder.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import type { Work } from '../../operations/work.ts';
import { conversationKey } from '../../resources/conversation/index.ts';
import type { Entry, Merge } from './plan.ts';
import type { AnyRow } from './rows.ts';

/** Number of messages to queue for the search index per write. */
const QUEUED = 500;

/**
 * Makes the account a member of the first of these direct messages. The next writes queue the direct
 * message's messages for the search index, which contains their visibility, and the last write ends the
 * user's membership.
 */
export async function moveConversation(
  { db }: Work,
  { table, column }: Entry,
  rows: readonly AnyRow[],
  { userId, accountId }: Merge,
  place: MergePlace | null,
): Promise<MergePlace | undefined> {
  const { channelId } = rows[0] as unknown as RowOf<'channelMember'>;
  const row = await db.first(find('channelMember', { channelId, userId }));
  const channel = await db.first(find('channel', { id: channelId }));
  const again = { table, column, after: FIRST_ID };
  if (!row || !channel) {
    await db.run(remove('channelMember', { channelId, userId }));
    return again;
  }
  if (channel.memberIds?.includes(userId)) {
    await renameMembers(db, channel, userId, accountId);
    if (!(await db.first(find('channelMember', { channelId, userId: accountId }))))
      await db.run(insert('channelMember', { ...row, userId: accountId }));
    return { ...again, messageId: FIRST_ID };
  }
  const queued = await queue(db, channelId, place?.messageId ?? FIRST_ID);
  if (queued !== undefined) return { ...again, messageId: queued };
  await db.run(remove('channelMember', { channelId, userId }));
  return again;
}

/**
 * Replaces the user with the account in the members of a direct message. If the same members already have a
 * direct message, both are kept, and new messages go to the existing one.
 */
async function renameMembers(
  db: Tx,
  { id, serverId, memberIds }: RowOf<'channel'>,
  userId: string,
  accountId: string,
): Promise<void> {
  const members = [...new Set(memberIds?.map((member) => (member === userId ? accountId : member)))].sort();
  const key = conversationKey(members);
  const other = await db.first(find('channel', { serverId, nameKey: key }));
  await db.run(update('channel', id, { memberIds: members, nameKey: other ? `${key} ${id}` : key }));
}

/** Queues messages after an id. Returns the id of the last one; undefined if there are no more. */
async function queue(db: Tx, channelId: string, after: string): Promise<string | undefined> {
  const rows = await db.all(
    q
      .selectFrom('message')
      .select(['id', 'serverId'])
      .where('channelId', '=', channelId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(QUEUED),
  );
  if (rows.length === 0) return undefined;
  await db.run(requeue(rows.map(({ id, serverId }) => ({ serverId, messageId: id }))));
  return rows.at(-1)?.id;
}
