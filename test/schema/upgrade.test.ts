import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TableName } from '../../server/src/db/schema.ts';
import { q } from '../../server/src/db/statements.ts';
import { createDeps } from '../../server/src/lib/deps.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { openOldWorld } from '../support/oldSchema.ts';
import { type Json, listAll } from '../support/world.ts';

/** The last version of the schema that swept channels only. */
const OLD_VERSION = 2;

const { newId } = createDeps();
const ids = <N extends string>(...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, newId()])) as Record<N, string>;

const { ada, bob, robot, server, role, keptChannel, goneChannel } = ids(
  'ada',
  'bob',
  'robot',
  'server',
  'role',
  'keptChannel',
  'goneChannel',
);
const kept = ids('message', 'reply', 'thread');
const gone = ids('message', 'thread', 'pin', 'reaction', 'notification');
const held = ids('ada', 'bob');

/** A statement that inserts a row; `undefined` leaves a column out. */
const insert = (table: string, row: object): string => {
  const names = Object.keys(row).map((name) => `"${name}"`);
  const values = Object.values(row).map((value) =>
    typeof value === 'string' ? `'${value}'` : String(value),
  );
  return `insert into "${table}" (${names}) values (${values})`;
};

const row = (id: string) => ({ id, createdAt: 1, updatedAt: 1 });
const user = (id: string, name: string, type = 'person') =>
  insert('user', { ...row(id), username: name, name, type, platformAdmin: false });
const flags = Object.fromEntries(
  [
    'canAdmin',
    'canEditChannel',
    'canEditServer',
    'canEditData',
    'canModerate',
    'canEditApp',
    'canViewData',
  ].map((flag) => [flag, false]),
);
const message = (id: string, channelId: string, fields: object = {}) =>
  insert('message', {
    ...row(id),
    serverId: server,
    type: 'person',
    channelId,
    isThreadReply: false,
    creatorId: ada,
    content: 'Hello',
    deleted: false,
    pinned: false,
    reactions: '[]',
    ...fields,
  });
const thread = (id: string, channelId: string, replyCount: number) =>
  insert('thread', { ...row(id), serverId: server, channelId, creatorId: ada, locked: false, replyCount });
const follower = (threadId: string) => insert('threadFollower', { threadId, userId: ada });

/** A server with two people, an agent and a channel, and the remaining rows of a deleted channel. */
const statements = [
  user(ada, 'ada'),
  user(bob, 'bob'),
  user(robot, 'robot', 'agent'),
  insert('server', { ...row(server), name: 'Old', private: false, creatorId: ada, memberCount: 3 }),
  insert('role', {
    ...row(role),
    serverId: server,
    name: 'Everybody',
    isDefault: false,
    isCreatorRole: false,
    ...flags,
  }),
  ...[ada, bob, robot].map((userId) => insert('serverMember', { ...row(newId()), serverId: server, userId })),
  insert('userRole', { ...row(held.ada), serverId: server, userId: ada, roleId: role }),
  insert('userRole', { ...row(held.bob), serverId: server, userId: bob, roleId: role }),
  insert('channel', {
    ...row(keptChannel),
    serverId: server,
    name: 'kept',
    nameKey: 'kept',
    private: false,
    readonly: false,
    position: 0,
    creatorId: ada,
    roleIds: '[]',
  }),
  message(kept.message, keptChannel),
  thread(kept.thread, keptChannel, 1),
  message(kept.reply, keptChannel, { isThreadReply: true, threadId: kept.thread }),
  follower(kept.thread),
  message(gone.message, goneChannel),
  thread(gone.thread, goneChannel, 0),
  follower(gone.thread),
  insert('pin', {
    ...row(gone.pin),
    serverId: server,
    channelId: goneChannel,
    messageId: gone.message,
    creatorId: ada,
  }),
  insert('reaction', {
    ...row(gone.reaction),
    serverId: server,
    channelId: goneChannel,
    messageId: gone.message,
    userId: ada,
    emoji: '👍',
  }),
  insert('notification', {
    ...row(gone.notification),
    userId: ada,
    serverId: server,
    type: 'mention',
    actorId: bob,
    channelId: goneChannel,
    messageId: gone.message,
  }),
  insert('sweep', { channelId: goneChannel }),
  // Rows left behind by the old version's sweeps.
  follower(newId()),
];

const world = await openOldWorld(OLD_VERSION, statements);
const admin = await world.client({ id: server }, ['canAdmin'], { id: ada });

const rowsOf = (table: TableName): Promise<Json[]> =>
  world.data.db.read.all(q.selectFrom(table).selectAll() as never);

test('old data is kept, and members have their roles', async () => {
  assert.deepEqual(
    (await rowsOf('userRole')).sort((one, other) => (one.id < other.id ? -1 : 1)),
    [
      { ...row(held.ada), serverId: server, userId: ada, roleId: role },
      { ...row(held.bob), serverId: server, userId: bob, roleId: role },
    ],
  );
  const members = await listAll(admin, `/servers/${server}/members`);
  assert.deepEqual(
    members.map(({ userId, roleIds }) => [userId, roleIds]),
    [
      [ada, [role]],
      [bob, [role]],
      [robot, []],
    ],
  );
  const agents = (await rowsOf('serverMember')).filter(({ isAgent }) => isAgent);
  assert.deepEqual(
    agents.map(({ userId }) => userId),
    [robot],
  );
  const messages = await listAll(admin, `/channels/${keptChannel}/messages`);
  assert.deepEqual(idsOf(messages), [kept.reply, kept.message]);
  assert.deepEqual(idsOf(dataOf(await admin.get(`/threads/${kept.thread}`)).messages), [kept.reply]);
});

test('an unfinished sweep is completed', async () => {
  assert.deepEqual(await rowsOf('sweep'), [
    {
      id: goneChannel,
      noun: 'channel',
      serverId: null,
      channelId: null,
      actorId: null,
      actor: null,
      owner: null,
      ownedUntil: 0,
    },
  ]);
  assertRefused(await admin.get(`/messages/${gone.message}`), 'NOT_FOUND');
  await world.tidy();
  for (const table of ['sweep', 'pin', 'reaction', 'notification'] as const)
    assert.deepEqual(await rowsOf(table), [], table);
  assert.deepEqual(idsOf(await rowsOf('message')).sort(), [kept.message, kept.reply].sort());
  assert.deepEqual(idsOf(await rowsOf('thread')), [kept.thread]);
  assert.deepEqual(await rowsOf('threadFollower'), [{ threadId: kept.thread, userId: ada }]);
});

test('deleting an old role removes it from its members', async () => {
  dataOf(await admin.delete(`/roles/${role}`));
  assert.deepEqual(
    (await rowsOf('userRole')).filter(({ roleId }) => roleId === role),
    [],
  );
});
