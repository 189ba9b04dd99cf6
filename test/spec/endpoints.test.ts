import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { operations, pathOf, reads, writes } from '../support/operations.ts';
import { assertRecord } from '../support/recordTables.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let document: Json;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  document = (await world.request('GET', `${world.url}/openapi.json`)).body;
});
after(() => world.close());

/** The specification, part 1, with the reactions of the decisions, part 3, and the webhooks, which are an addition. */
const writeCounts: Record<string, number> = {
  Apps: 5,
  'App Installs': 2,
  Channels: 3,
  Indicators: 3,
  Invites: 2,
  Messages: 3,
  Pins: 2,
  Roles: 3,
  Secrets: 2,
  Servers: 1,
  'Server Members': 3,
  Threads: 3,
  'User Roles': 2,
  Reactions: 2,
  Webhooks: 4,
};

test('each group has as many writes as the specification counts, and there are 22 reads', () => {
  const counted = Object.groupBy(writes, ({ group }) => group);
  assert.deepEqual(
    Object.fromEntries(Object.entries(counted).map(([group, rows]) => [group, rows?.length])),
    writeCounts,
  );
  assert.equal(reads.length, 22);
});

/** A path without the names of its parameters: paths that differ in them alone are one in the document. */
const unnamed = (path: string): string => path.replace(/:\w+|\{\w+\}/, '{}');

const documentedAt = (path: string, method: string): Json => {
  const at = Object.keys(document.paths).find((known) => unnamed(known) === `/api/v1${unnamed(path)}`);
  return document.paths[at as string][method];
};

test('/openapi.json has these operations and no others', () => {
  assert.match(document.openapi, /^3\.1/);
  assert.equal(document.info.version, 'v2026.03.6600f9');
  const documented = Object.entries(document.paths as Record<string, Json>).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Json>).map(
      ([method, { operationId }]) => `${method.toUpperCase()} ${unnamed(path)} ${operationId}`,
    ),
  );
  const specified = operations.map(({ method, path, name }) => `${method} /api/v1${unnamed(path)} ${name}`);
  // Events are no records: suites of their own ask for them.
  assert.deepEqual(documented.sort(), [...specified, 'GET /api/v1/events events'].sort());
});

for (const operation of operations) {
  const { name, method, path, answer, list } = operation;

  test(`${name}: ${method} ${path}`, async () => {
    const { id, body } = await operation.ready(scene);
    const headers = { authorization: `Bearer ${scene.admin.key}` };
    const given = await world.request(method, pathOf(operation, id), { body, headers });
    const data = dataOf(given, name);
    const paged = list || answer === 'threadWithMessages';
    assert.deepEqual(Object.keys(given.body), paged ? ['ok', 'data', 'nextCursor'] : ['ok', 'data']);
    assert.match(given.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(given.headers.get('ignored-parameters'), null);
    if (!list) {
      assertRecord(data, answer);
      return;
    }
    assert.ok(given.body.nextCursor === null || typeof given.body.nextCursor === 'string');
    assert.ok(data.length > 0, 'the list holds what was made for it');
    for (const record of data) assertRecord(record, answer);
  });
}

test('the document tells what a write may answer: the envelope, and every refusal', () => {
  for (const { name, method, path } of operations) {
    const { responses } = documentedAt(path, method.toLowerCase());
    for (const status of ['200', '400', '401', '403', '404', '429', '500']) {
      assert.ok(responses[status], `${name} ${status}`);
    }
  }
  const alreadyExists = (path: string, method: string): boolean =>
    '409' in documentedAt(path, method).responses;
  for (const path of [
    '/channels',
    '/pins',
    '/user-roles',
    '/server-members',
    '/app-installs',
    '/reactions',
  ]) {
    assert.ok(alreadyExists(path, 'post'), path);
  }
  assert.ok(alreadyExists('/channels/{id}', 'patch'), 'a channel can be renamed to a name that is taken');
});

test('what reads nest is whole records too', async () => {
  const { id } = await scene.thread();
  await scene.message({ threadId: id });
  const thread = dataOf(await scene.admin.get(`/threads/${id}`));
  assert.equal(thread.messages.length, 1);
  assertRecord(thread.messages[0], 'shownMessage');

  const members = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members`));
  for (const { user } of members) assertRecord(user, 'user');

  const install = await scene.install();
  assertRecord(dataOf(await scene.admin.get(`/app-installs/${install.id}`)).app, 'app');

  const pin = await scene.pin();
  const [pinned] = dataOf(await scene.admin.get(`/channels/${pin.channelId}/pins`));
  assert.deepEqual(pinned.pin, { id: pin.id, creatorId: scene.owner.id, createdAt: pin.createdAt });
  assert.equal(pinned.id, pin.messageId);

  const reaction = await scene.reaction();
  const message = dataOf(await scene.admin.get(`/messages/${reaction.messageId}`));
  assert.deepEqual(message.reactions, [{ emoji: '👍', count: 1 }]);
});

test('a secret of an app is a secret without a key, and shows its value nowhere', async () => {
  const app = await scene.app();
  const value = 'correct horse battery staple';
  const given = await scene.admin.post('/secrets', {
    kind: 'appSecret',
    name: 'Token',
    appId: app.id,
    value,
  });
  assertRecord(dataOf(given), 'secret');
  assert.equal(given.data.kind, 'appSecret');
  assert.equal(given.data.appId, app.id);
  assert.ok(!JSON.stringify(given.body).includes(value));
  const deleted = await scene.admin.delete(`/secrets/${given.data.id}`);
  assertRecord(dataOf(deleted), 'secret');
  assert.ok(!JSON.stringify(deleted.body).includes(value));
});

test('a delete answers with the record as it was just before', async () => {
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

test('a key that was used tells when, in the answer to its delete', async () => {
  const { id, key } = await scene.secret();
  const from = Date.now();
  dataOf(await world.as(key).get('/servers'));
  const { lastUsedAt } = dataOf(await scene.admin.delete(`/secrets/${id}`));
  assert.ok(lastUsedAt >= from && lastUsedAt <= Date.now(), `${lastUsedAt}`);
});
