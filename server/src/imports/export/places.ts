import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import type { Scope } from './format.ts';

/** The channels of an export, in the order of the server, then its conversations. */
export async function placesOf(db: Reader, scope: Scope): Promise<RowOf<'channel'>[]> {
  const { serverId, channelId, userId } = scope;
  let channels = q
    .selectFrom('channel')
    .selectAll()
    .where('serverId', '=', serverId)
    .where('kind', '=', 'channel')
    .orderBy('position')
    .orderBy('id');
  if (channelId !== undefined) channels = channels.where('id', '=', channelId);
  const found = await db.all(channels);
  if (userId === undefined) return found;
  const conversations = q
    .selectFrom('channelMember')
    .innerJoin('channel', 'channel.id', 'channelMember.channelId')
    .selectAll('channel')
    .where('channelMember.userId', '=', userId)
    .where('channelMember.serverId', '=', serverId)
    .orderBy('channel.id');
  return [...found, ...(await db.all(conversations))];
}

/** The members of the server who see a private channel through its roles. */
async function membersOf(db: Reader, { serverId, roleIds }: RowOf<'channel'>): Promise<string[]> {
  if (roleIds.length === 0) return [];
  const rows = await db.all(
    q
      .selectFrom('userRole')
      .innerJoin('serverMember', (join) =>
        join
          .onRef('serverMember.userId', '=', 'userRole.userId')
          .onRef('serverMember.serverId', '=', 'userRole.serverId'),
      )
      .select('userRole.userId')
      .distinct()
      .where('userRole.serverId', '=', serverId)
      .where('userRole.roleId', 'in', [...roleIds]),
  );
  return rows.map(({ userId }) => userId).sort();
}

/** A channel or conversation as a line. */
export async function lineOfPlace(
  db: Reader,
  channel: RowOf<'channel'>,
  categories: ReadonlyMap<string, string>,
) {
  const { id, createdAt, name, creatorId, description, readonly, memberIds, categoryId } = channel;
  if (memberIds)
    return {
      file: 'conversations' as const,
      row: { id, createdAt, name: name || null, memberIds, creatorId },
    };
  const category = (categoryId && categories.get(categoryId)) || null;
  const members = channel.private ? await membersOf(db, channel) : [];
  const fields = {
    name,
    description,
    category,
    private: channel.private,
    memberIds: members,
    readonly,
    creatorId,
  };
  return { file: 'channels' as const, row: { id, createdAt, ...fields } };
}
