import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, q } from '../../db/statements.ts';
import type { Scope } from './format.ts';

/** Returns the channels of an export, in the server's order. */
export async function placesOf(db: Reader, { serverId, channelId }: Scope): Promise<RowOf<'channel'>[]> {
  let channels = q
    .selectFrom('channel')
    .selectAll()
    .where('serverId', '=', serverId)
    .where('kind', '=', 'channel')
    .orderBy('position')
    .orderBy('id');
  if (channelId !== undefined) channels = channels.where('id', '=', channelId);
  return db.all(channels);
}

/** Returns the members of the server who can see a private channel through its roles. */
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

/** Returns the name of a channel's category; null if it has none. */
async function categoryOf(db: Reader, { categoryId }: RowOf<'channel'>): Promise<string | null> {
  if (categoryId === null) return null;
  return (await db.first(find('category', { id: categoryId })))?.name ?? null;
}

/** Returns the line for a channel or conversation. */
export async function lineOfPlace(db: Reader, channel: RowOf<'channel'>) {
  const { id, createdAt, name, creatorId, description, readonly, memberIds } = channel;
  if (memberIds)
    return {
      file: 'conversations' as const,
      row: { id, createdAt, name: name || null, memberIds, creatorId },
    };
  const category = await categoryOf(db, channel);
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
