import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableNames } from '../../server/src/db/schema.ts';
import { dataOf } from '../support/expect.ts';
import { openOldWorld } from '../support/oldSchema.ts';
import { createDeps, find, q } from '../support/sources.ts';
import type { Client, Json } from '../support/world.ts';

// Upgrades the log of a server whose events repeat what members wrote: deleted words are gone before and after upkeep has
// converted the events, and earlier contents become versions.

/** The last version of the schema in which events repeated the content of messages. */
const VERSION = 29;

const { newId } = createDeps();
const [ada, bob, server, channel, message, gone, thread, file] = Array.from({ length: 8 }, newId) as [
  ...string[],
] & { [index: number]: string };

const at = '1, 1';
const user = (id: string, name: string) =>
  `insert into "user" (id, "createdAt", "updatedAt", username, name, type, "platformAdmin")
    values ('${id}', ${at}, '${name}', '${name}', 'person', false)`;
let seq = 0;
const event = (type: string, data: object) =>
  `insert into event ("logId", seq, type, "actorId", "channelId", at, data)
    values ('${server}', ${++seq}, '${type}', '${ada}', '${channel}', ${Date.now()}, '${JSON.stringify(data)}')`;
const shown = (
  id: string | undefined,
  content: string,
  editedAt: number | null = null,
  more: object = {},
) => ({
  ...{
    id,
    serverId: server,
    type: 'person',
    channelId: channel,
    isThreadReply: false,
    creatorId: ada,
    content,
  },
  ...{ deleted: false, editedAt, threadId: null, replyToId: null, pinned: false, reactions: [] },
  ...{ createdAt: 1, updatedAt: editedAt ?? 1, ...more },
});
const attachment = { id: file, serverId: server, channelId: channel, messageId: gone, creatorId: ada };
const named = { id: thread, serverId: server, channelId: channel, messageId: gone, creatorId: ada };

const statements = [
  user(ada as string, 'ada'),
  user(bob as string, 'bob'),
  `insert into server (id, "createdAt", "updatedAt", name, private, "creatorId", "memberCount")
    values ('${server}', ${at}, 'Old', false, '${ada}', 0)`,
  `insert into channel (id, "createdAt", "updatedAt", "serverId", name, "nameKey", private, readonly, position, "creatorId",
    "roleIds") values ('${channel}', ${at}, '${server}', 'old', 'old', false, false, 0, '${ada}', '[]')`,
  `insert into message (id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content,
    deleted, "editedAt", pinned, reactions)
    values ('${message}', 1, 3, '${server}', 'person', '${channel}', false, '${ada}', 'third', false, 3, false, '[]')`,
  event('message.created', shown(message, 'first zebra')),
  event('message.updated', shown(message, 'second zebra', 2)),
  event('message.updated', shown(message, 'second zebra', 2, { pinned: true })),
  event('message.updated', shown(message, 'third', 3)),
  event('message.created', shown(gone, 'gone zebra')),
  event('attachment.updated', { ...attachment, name: 'zebra.txt', thumbhash: 'zebra' }),
  event('thread.created', { ...named, name: 'zebra thread' }),
  event('message.deleted', shown(gone, 'gone zebra')),
];

const world = await openOldWorld(VERSION, statements);
const admin = await world.client({ id: server }, ['canAdmin'], { id: ada });
const member = await world.client({ id: server }, ['canEditData'], { id: bob });

const contentsOf = async (client: Client): Promise<unknown[]> =>
  (await client.get('/events?types=message.*')).data.map(({ data }: Json) => data.content);

async function assertShown(): Promise<void> {
  assert.deepEqual(await contentsOf(member), ['third', 'third', 'third', 'third', '', '']);
  const whole = ['first zebra', 'second zebra', 'second zebra', 'third', '', ''];
  assert.deepEqual(await contentsOf(admin), whole);
  assert.doesNotMatch(JSON.stringify((await member.get('/events')).data), /zebra/);
}

test('events from before the upgrade have no deleted words', () => assertShown());

test('upkeep converts events from before the upgrade, and stores earlier contents as versions', async () => {
  await world.tidy();
  await assertShown();
  const events = await world.data.db.read.all(find('event', { logId: server as string }));
  assert.doesNotMatch(JSON.stringify(events), /zebra/);
  const versions = await world.data.db.read.all(q.selectFrom('messageVersion').selectAll().orderBy('at'));
  assert.deepEqual(
    versions.map(({ messageId, at, content, userId }) => [messageId, at, content, userId]),
    [
      [message, 1, 'first zebra', ada],
      [message, 2, 'second zebra', ada],
      [message, 3, null, ada],
    ],
  );
  dataOf(await admin.delete(`/messages/${message}`));
  for (const table of tableNames)
    assert.doesNotMatch(
      JSON.stringify(await world.data.db.read.all(q.selectFrom(table).selectAll())),
      /zebra/,
    );
});
