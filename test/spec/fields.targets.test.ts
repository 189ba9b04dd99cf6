import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathOf, writes } from '../rows/index.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let other: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  other = await Scene.open(world);
});
after(() => world.close());

test("serverId defaults to the key's server", async () => {
  const app = await scene.app();
  const rows: [string, () => object][] = [
    ['/channels', () => ({ name: world.unique('channel') })],
    ['/roles', () => ({ name: 'Editors' })],
    ['/invites', () => ({})],
    ['/secrets', () => ({ kind: 'apiKey', name: 'Bot' })],
    ['/indicators', () => ({ type: 'online' })],
  ];
  for (const [path, body] of rows) {
    assert.equal((await scene.make(path, body())).serverId, scene.server.id, path);
    const named = await scene.make(path, { ...body(), serverId: scene.server.id });
    assert.equal(named.serverId, scene.server.id, path);
    const foreign = await scene.admin.post(path, { ...body(), serverId: other.server.id });
    assertRefused(foreign, 'FORBIDDEN', path);
  }
  assert.equal(dataOf(await scene.admin.get(`/apps/${app.id}`)).serverId, scene.server.id);
  assertRefused(await scene.admin.post('/apps', { serverId: other.server.id }), 'FORBIDDEN');
  const member = await scene.make('/server-members', { userId: (await world.user()).id });
  assert.equal(member.serverId, scene.server.id);
});

test('a serverId or other target that contradicts the rest of the request is rejected', async () => {
  const message = await scene.message();
  const thread = await scene.thread({ messageId: message.id });
  const elsewhere = await scene.channel();
  const foreignRole = await other.role();
  const foreignApp = await other.app();
  const invite = await other.invite();
  const outsider = await world.user();
  const { channelId } = message;
  const serverId = other.server.id;
  const rows: [string, object][] = [
    ['/messages', { channelId, serverId, content: 'Hello' }],
    ['/messages', { threadId: thread.id, serverId, content: 'Hello' }],
    ['/messages', { threadId: thread.id, channelId: elsewhere.id, content: 'Hello' }],
    ['/messages', { channelId: elsewhere.id, replyToId: message.id, content: 'Hello' }],
    ['/threads', { channelId: elsewhere.id, messageId: message.id }],
    ['/indicators', { type: 'typing', channelId, serverId }],
    ['/indicators', { type: 'typing', threadId: thread.id, channelId: elsewhere.id }],
    ['/server-members', { inviteId: invite.id, serverId: scene.server.id }],
    ['/channels', { name: world.unique('channel'), private: true, roleIds: [foreignRole.id] }],
    ['/secrets', { kind: 'apiKey', name: 'Bot', roleId: foreignRole.id }],
    ['/secrets', { kind: 'apiKey', name: 'Bot', userId: outsider.id }],
    ['/secrets', { kind: 'appSecret', name: 'Token', appId: foreignApp.id, value: 'correct horse' }],
    ['/user-roles', { userId: outsider.id, roleId: (await scene.role()).id }],
    ['/apps', { threadId: (await other.thread()).id }],
  ];
  for (const [path, body] of rows) {
    const what = `${path} ${JSON.stringify(body)}`;
    assertRefused(await scene.admin.post(path, body), 'INVALID_REQUEST', what);
  }
});

test('contradictory targets are rejected before permissions are checked', async () => {
  const nobody = await world.client(scene.server);
  const { channelId, id } = await scene.message();
  const elsewhere = await scene.channel();
  const outsider = await world.user();
  const roleId = (await scene.role()).id;
  const rows: [string, object][] = [
    ['/messages', { channelId, serverId: other.server.id, content: 'Hello' }],
    ['/threads', { channelId: elsewhere.id, messageId: id }],
    ['/channels', { name: 'general', roleIds: [(await other.role()).id] }],
    ['/secrets', { kind: 'apiKey', name: 'Bot', userId: outsider.id }],
    ['/user-roles', { userId: outsider.id, roleId }],
  ];
  for (const [path, body] of rows) assertRefused(await nobody.post(path, body), 'INVALID_REQUEST', path);
});

test('a channel name is unique in its server, regardless of case', async () => {
  const { id } = await scene.channel({ name: 'Général' });
  const spare = await scene.channel();
  for (const name of ['Général', 'général', 'GÉNÉRAL', 'ge\u0301ne\u0301ral']) {
    assertRefused(await scene.admin.post('/channels', { name }), 'ALREADY_EXISTS', name);
    assertRefused(await scene.admin.patch(`/channels/${spare.id}`, { name }), 'ALREADY_EXISTS', name);
  }
  dataOf(await scene.admin.patch(`/channels/${id}`, { name: 'GÉNÉRAL' }), 'its own name with different case');
  dataOf(await other.admin.post('/channels', { name: 'Général' }), 'in another server');
  dataOf(await scene.admin.post('/channels', { name: 'Général 2' }));
});

for (const row of writes.filter(({ once }) => once)) {
  test(`${row.name}: ALREADY_EXISTS the second time, without side effects`, async () => {
    const { id, body } = await row.ready(scene);
    const path = pathOf(row, id);
    dataOf(await scene.admin.post(path, body));
    const before = await scene.cursor();
    assertRefused(await scene.admin.post(path, body), 'ALREADY_EXISTS');
    assert.equal(await scene.cursor(), before, 'no event');
  });
}

test('an installed app cannot be installed again from the registry; a different emoji is another reaction', async () => {
  const { id } = await scene.submitted();
  await scene.install(id);
  assertRefused(await scene.admin.post('/apps/install-from-registry', { id }), 'ALREADY_EXISTS');
  const { id: messageId } = await scene.message();
  for (const emoji of ['👍', '🎉']) await scene.make('/reactions', { messageId, emoji });
});

test('before an app is submitted, its server sets verified and installCount; afterwards, platform admins do', async () => {
  const platform = await world.client(scene.server, ['canAdmin'], await world.user({ platformAdmin: true }));
  const { id } = await scene.app({ verified: true, installCount: 99 });
  const read = async (): Promise<Json> => dataOf(await scene.admin.get(`/apps/${id}`));
  assert.deepEqual([(await read()).verified, (await read()).installCount], [true, 99]);
  assertRefused(await other.admin.post('/apps/install-from-registry', { id }), 'NOT_FOUND');
  await scene.install(id);
  dataOf(await scene.admin.post('/apps/submit', { id }));
  assert.deepEqual([(await read()).verified, (await read()).installCount], [false, 1]);
  for (const promise of [{ verified: true }, { installCount: 5 }, { verified: null }]) {
    assertRefused(await scene.admin.patch(`/apps/${id}`, promise), 'FORBIDDEN', JSON.stringify(promise));
  }
  dataOf(await scene.admin.patch(`/apps/${id}`, { name: 'Weather' }));
  dataOf(await platform.patch(`/apps/${id}`, { verified: true }));
  dataOf(await other.admin.post('/apps/install-from-registry', { id }));
  assert.deepEqual([(await read()).verified, (await read()).installCount], [true, 2]);
  dataOf(await scene.admin.post('/apps/submit', { id }));
  assert.deepEqual([(await read()).verified, (await read()).installCount], [false, 2]);
});

test('by default, an apiKey gets the default role and an agent with its name', async () => {
  const secret = await scene.secret({ name: 'Deploy bot' });
  assert.equal(secret.roleId, (await world.defaultRole(scene.server)).id);
  assert.equal(secret.expiresAt, null);
  assert.equal(secret.kind, 'apiKey');
  const agent = dataOf(await world.as(secret.key).get(`/users/${secret.userId}`));
  assert.deepEqual([agent.name, agent.type, agent.platformAdmin], ['Deploy bot', 'agent', false]);
  assert.match(agent.username, /^[a-z0-9_.-]+$/);
  const expiresAt = Date.now() + 60_000;
  const mine = await scene.secret({ userId: scene.owner.id, expiresAt });
  assert.deepEqual([mine.userId, mine.expiresAt], [scene.owner.id, expiresAt]);
});
