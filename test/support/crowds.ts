import type { NewRow, TableName } from '../../server/src/db/schema.ts';
import { q } from '../../server/src/db/statements.ts';
import { newRow } from '../../server/src/lib/deps.ts';
import type { Json, World } from './world.ts';

/** The number of rows per statement, few enough for every engine's limit on values. */
const BATCH_ROWS = 500;

type Place = Pick<World, 'data'>;

/** Inserts rows directly into a table, each with an id and times, and returns them. */
export async function addRows<T extends TableName>(
  { data: { db, deps } }: Place,
  table: T,
  rows: readonly object[],
): Promise<Json[]> {
  const added = rows.map((row) => ({ ...newRow(deps), ...row }));
  for (let first = 0; first < added.length; first += BATCH_ROWS) {
    const some = added.slice(first, first + BATCH_ROWS) as unknown as NewRow<T>[];
    await db.write((tx) => tx.run(q.insertInto(table).values(some as never)));
  }
  return added;
}

const times = (amount: number): number[] => Array.from({ length: amount }, (_, index) => index);

/** The common fields of messages. */
const plain = { deleted: false, editedAt: null, replyToId: null, pinned: false, reactions: '[]' };

/** Adds messages by one author to a channel, without events. */
export const addMessages = (
  world: Place,
  { id: channelId, serverId }: Json,
  creatorId: string,
  amount: number,
): Promise<Json[]> => {
  const place = { serverId, channelId, creatorId, threadId: null, isThreadReply: false, type: 'person' };
  return addRows(
    world,
    'message',
    times(amount).map((index) => ({ ...plain, ...place, content: `message ${index}` })),
  );
};

/** Adds replies by the thread's creator, and returns them. `content` returns the content of the reply at an index. */
export async function addReplies(
  world: Place,
  thread: Json,
  amount: number,
  content = (index: number) => `reply ${index} of many`,
): Promise<Json[]> {
  const { id: threadId, serverId, channelId, creatorId } = thread;
  const common = { serverId, channelId, creatorId, threadId, isThreadReply: true, type: 'person' };
  const replies = times(amount).map((index) => ({ ...common, ...plain, content: content(index) }));
  await world.data.db.write((tx) =>
    tx.run(
      q
        .updateTable('thread')
        .set((eb) => ({ replyCount: eb('replyCount', '+', amount) }))
        .where('id', '=', threadId),
    ),
  );
  return addRows(world, 'message', replies);
}

/** Adds a notification for each message, addressed to one user. */
export async function addNotifications(
  world: Place,
  userId: string,
  messages: readonly Json[],
): Promise<void> {
  const rows = messages.map(({ id, serverId, channelId, creatorId }) => ({
    userId,
    serverId,
    channelId,
    messageId: id,
    actorId: creatorId,
    type: 'thread',
    readAt: null,
  }));
  await addRows(world, 'notification', rows);
}

/** Adds new users as members of a server, and returns the users. */
export async function addMembers(
  world: Pick<World, 'data' | 'unique'>,
  serverId: string,
  amount: number,
): Promise<Json[]> {
  const names = times(amount).map(() => world.unique('crowd'));
  const fields = { image: null, type: 'person', platformAdmin: false };
  const users = await addRows(
    world,
    'user',
    names.map((name) => ({ ...fields, name, username: name })),
  );
  await addRows(
    world,
    'serverMember',
    users.map(({ id }) => ({ serverId, userId: id, nickname: null })),
  );
  return users;
}

/** Gives a role to users, and returns the assignments. */
export const giveAll = (
  world: Place,
  { id: roleId, serverId }: Json,
  users: readonly Json[],
): Promise<Json[]> =>
  addRows(
    world,
    'userRole',
    users.map(({ id }) => ({ serverId, userId: id, roleId })),
  );
