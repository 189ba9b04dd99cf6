import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations, pathOf, reads, requestOf, writes } from '../rows/index.ts';
import { secret } from '../rows/secret.ts';
import { dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { assertFields, assertRecord } from '../support/records.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

/** Groups that are not in the specification. */
const additions: readonly string[] = [
  'Webhooks',
  'Server Bans',
  'Attachments',
  'Pictures',
  'Tickets',
  'Categories',
  'Emoji',
  'Reports',
  'Word Rules',
  'Held Messages',
  'Exports',
  'Flows',
  'Commands',
  'Interactions',
];

/** Reads that are not in the specification, but belong to its groups. */
const addedReads: readonly string[] = [
  'serverMessages',
  'userMe',
  'usersBeside',
  'rolesByServer',
  'appsByServer',
  'secretsByServer',
  'reactionsByMessageId',
  'threadsByChannel',
];

/** The expected number of write operations per group. */
const writeCounts: Record<string, number> = {
  Apps: 5,
  'App Installs': 2,
  Categories: 3,
  Emoji: 1,
  Channels: 3,
  Indicators: 3,
  Invites: 2,
  Messages: 6,
  Pins: 2,
  Roles: 3,
  Secrets: 3,
  Servers: 1,
  'Server Members': 3,
  Threads: 3,
  'User Roles': 2,
  Reactions: 2,
  Webhooks: 7,
  'Server Bans': 2,
  Attachments: 1,
  Pictures: 1,
  Tickets: 1,
  Reports: 2,
  'Word Rules': 3,
  'Held Messages': 2,
  Exports: 2,
  Flows: 7,
  Commands: 3,
  Interactions: 1,
};

test('each group has the number of writes that the specification lists, and there are 22 specified reads', () => {
  const counted = Object.groupBy(writes, ({ noun }) => noun.group ?? '');
  assert.deepEqual(
    Object.fromEntries(Object.entries(counted).map(([group, rows]) => [group, rows?.length])),
    writeCounts,
  );
  const specified = reads.filter(
    ({ name, noun }) =>
      ['flowsByServer', 'flowById'].includes(name) ||
      (!additions.includes(noun.group ?? '') && !addedReads.includes(name)),
  );
  assert.equal(specified.length, 22);
});

for (const operation of operations) {
  const { name, method, path, answer } = operation;
  const isList = method === 'GET' && operation.listings !== undefined;

  test(`${name}: ${method} ${path}`, async () => {
    const { id, body } = await requestOf(operation, scene);
    const headers = { authorization: `Bearer ${scene.admin.key}` };
    const given = await world.request(method, pathOf(operation, id), { body, headers });
    const data = dataOf(given, name);
    const paged = isList || name === 'threadWithMessages';
    assert.deepEqual(Object.keys(given.body), paged ? ['ok', 'data', 'nextCursor'] : ['ok', 'data']);
    assert.match(given.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(given.headers.get('ignored-parameters'), null);
    if ('removes' in operation || name === 'messageAppend') {
      assertFields(data, answer, name);
      return;
    }
    if (!isList) {
      assertRecord(data, answer, name);
      return;
    }
    assert.ok(given.body.nextCursor === null || typeof given.body.nextCursor === 'string');
    assert.ok(data.length > 0, 'the list contains the prepared row');
    for (const record of data) assertRecord(record, answer, name);
  });
}

test('a thread includes its messages, and a message includes its reactions', async () => {
  const thread = await scene.thread();
  const reply = await scene.message({ threadId: thread.id });
  await scene.make('/reactions', { messageId: reply.id, emoji: '👍' });
  const { messages } = dataOf(await scene.admin.get(`/threads/${thread.id}`));
  assert.deepEqual(messages, [dataOf(await scene.admin.get(`/messages/${reply.id}`))]);
  assert.deepEqual(messages[0].reactions, [{ emoji: '👍', count: 1 }]);
});

test('creating an app secret returns no key, and its value is never shown', async () => {
  const app = await scene.app();
  const value = 'correct horse battery staple';
  const given = await scene.admin.post('/secrets', {
    kind: 'appSecret',
    name: 'Token',
    appId: app.id,
    value,
  });
  assertRecord(dataOf(given), secret, 'secret');
  assert.equal(given.data.kind, 'appSecret');
  assert.equal(given.data.appId, app.id);
  assert.ok(!JSON.stringify(given.body).includes(value));
  const deleted = await scene.admin.delete(`/secrets/${given.data.id}`);
  assertRecord(dataOf(deleted), secret, 'secret');
  assert.ok(!JSON.stringify(deleted.body).includes(value));
});

test('a delete returns the record as it was just before', async () => {
  const message = await scene.message();
  const deleted = dataOf(await scene.admin.delete(`/messages/${message.id}`));
  assert.deepEqual(deleted, message);
  assert.equal(deleted.deleted, false);
  const channel = await scene.channel();
  assert.deepEqual(dataOf(await scene.admin.delete(`/channels/${channel.id}`)), channel);
  const role = await scene.role({ canModerate: true });
  assert.deepEqual(dataOf(await scene.admin.delete(`/roles/${role.id}`)), role);
  const app = await scene.app();
  assert.deepEqual(dataOf(await scene.admin.delete(`/apps/${app.id}`)), app);
});

test('deleting a key returns when the key was last used', async () => {
  const { id, key } = await scene.secret();
  const from = Date.now();
  dataOf(await world.as(key).get('/servers'));
  // lastUsedAt is written in the background.
  await until(async () => {
    const keys = dataOf(await scene.admin.get(`/servers/${scene.server.id}/secrets?limit=100`));
    return keys.some((one: Json) => one.id === id && one.lastUsedAt !== null);
  });
  const { lastUsedAt } = dataOf(await scene.admin.delete(`/secrets/${id}`));
  assert.ok(lastUsedAt >= from && lastUsedAt <= Date.now(), `${lastUsedAt}`);
});
