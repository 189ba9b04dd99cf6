import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOldWorld } from '../support/oldSchema.ts';
import { createDeps, eventIdOf, find } from '../support/sources.ts';
import type { Client, Json } from '../support/world.ts';

// Upgrades the log of a server from before logs had users: its cursors stay valid, and each notification
// stays with one user.

/** The last version of the schema in which events named their server, and their user only in their data. */
const VERSION = 2;
const EPOCH = '000000000000';

const { newId } = createDeps();
const [ada, bob, server, channel] = [newId(), newId(), newId(), newId()];

const at = `1, 1`;
const user = (id: string, name: string) =>
  `insert into "user" (id, "createdAt", "updatedAt", username, name, type, "platformAdmin")
    values ('${id}', ${at}, '${name}', '${name}', 'person', false)`;
const event = (seq: number, type: string, data: object, channelId?: string) =>
  `insert into event ("serverId", seq, type, "channelId", at, data)
    values ('${server}', ${seq}, '${type}', ${channelId ? `'${channelId}'` : 'null'}, 1, '${JSON.stringify(data)}')`;

const statements = [
  user(ada, 'ada'),
  user(bob, 'bob'),
  `insert into server (id, "createdAt", "updatedAt", name, private, "creatorId", "memberCount")
    values ('${server}', ${at}, 'Old', false, '${ada}', 0)`,
  `insert into channel (id, "createdAt", "updatedAt", "serverId", name, "nameKey", private, readonly, position, "creatorId",
    "roleIds") values ('${channel}', ${at}, '${server}', 'old', 'old', false, false, 0, '${ada}', '[]')`,
  event(1, 'message.created', { id: newId(), channelId: channel }, channel),
  event(2, 'notification.created', { id: newId(), userId: ada, channelId: channel }, channel),
  event(3, 'notification.created', { id: newId(), userId: bob, channelId: channel }, channel),
  event(4, 'server.updated', { id: server, userId: ada }),
];

const world = await openOldWorld(VERSION, statements);
const hers = await world.client({ id: server }, ['canEditData'], { id: ada });
const his = await world.client({ id: server }, ['canEditData'], { id: bob });

test('after the upgrade, an earlier cursor still returns the events after it', async () => {
  const cursor = eventIdOf(server, { epoch: EPOCH, seq: 1 });
  const { data } = await hers.get(`/events?after=${cursor}&limit=2`);
  assert.deepEqual(
    data.map(({ seq, type, serverId }: Json) => [seq, type, serverId]),
    [
      [2, 'notification.created', server],
      [4, 'server.updated', server],
    ],
  );
});

test('a notification from before the upgrade is for its user alone', async () => {
  const seen = async (client: Client) =>
    (await client.get('/events?types=notification.*')).data.map(({ data }: Json) => data.userId);
  assert.deepEqual([await seen(hers), await seen(his)], [[ada], [bob]]);
});

test('other events have no user, and new ones take the next numbers', async () => {
  const events = await world.data.db.read.all(find('event', { logId: server }));
  events.sort((one, other) => one.seq - other.seq);
  assert.deepEqual(
    events.slice(0, 4).map(({ userId, lostBy }) => [userId, lostBy]),
    [
      [null, null],
      [ada, null],
      [bob, null],
      [null, null],
    ],
  );
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  );
});
