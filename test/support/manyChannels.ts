import { addRows } from './crowds.ts';
import { type NewRow, q } from './sources.ts';
import type { Json, World } from './world.ts';

const BATCH_ROWS = 500;

/** Adds a message to each of these channels. */
export const addMessageToEach = (
  world: World,
  { id: serverId }: Json,
  channelIds: readonly string[],
  creatorId: string,
): Promise<Json[]> =>
  addRows(
    world,
    'message',
    channelIds.map((channelId) => ({
      ...{ serverId, channelId, creatorId, type: 'person', content: 'Hello', deleted: false, pinned: false },
      ...{ isThreadReply: false, threadId: null, replyToId: null, editedAt: null, reactions: '[]' },
    })),
  );

/**
 * Adds channels with one message each, or direct messages if there are several members. Returns their ids. Direct
 * messages of the same members get different keys.
 */
export async function addManyChannels(
  world: World,
  server: Json,
  amount: number,
  memberIds: readonly [string, ...string[]],
): Promise<string[]> {
  const isDirect = memberIds.length > 1;
  const { id: serverId } = server;
  const fields = {
    ...{ serverId, creatorId: memberIds[0], kind: isDirect ? 'dm' : 'channel', private: isDirect },
    memberIds: isDirect ? JSON.stringify(memberIds.toSorted()) : null,
    ...{ name: '', description: null, readonly: false, position: 0, roleIds: '[]' },
  };
  const rows = Array.from({ length: amount }, () => ({ ...fields, nameKey: world.unique() }));
  const ids = (await addRows(world, 'channel', rows)).map(({ id }) => id as string);
  const members = (isDirect ? ids : []).flatMap((channelId) =>
    memberIds.map((userId) => ({ channelId, userId, serverId, latestId: channelId })),
  );
  for (let first = 0; first < members.length; first += BATCH_ROWS) {
    const some: NewRow<'channelMember'>[] = members.slice(first, first + BATCH_ROWS);
    await world.data.db.write((tx) => tx.run(q.insertInto('channelMember').values(some)));
  }
  await addMessageToEach(world, server, ids, memberIds[0]);
  return ids;
}
