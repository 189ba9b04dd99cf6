import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bodies, pathOf, type Row, reads, requestOf, writes } from '../rows/index.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Client, listAll, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const removed = async (path: string): Promise<void> => {
  dataOf(await scene.admin.delete(path), path);
  assertRefused(await scene.admin.delete(path), 'NOT_FOUND', `${path} again`);
};

async function assertGone(
  rows: [method: 'get' | 'patch' | 'delete', path: string, body?: object][],
): Promise<void> {
  for (const [method, path, body] of rows) {
    const call: Client[typeof method] = scene.admin[method];
    assertRefused(await call(path, body as never), 'NOT_FOUND', `${method} ${path}`);
  }
}

const mentioned = async (): Promise<{ reader: Client; at: string }> => {
  const user = await world.user();
  return { reader: await world.client(scene.server, ['canEditData'], user), at: `@${user.username}` };
};

test('deleting a channel immediately removes its content from every read', async () => {
  const { reader, at } = await mentioned();
  const { id: channelId, name } = await scene.channel();
  const message = await scene.message({ channelId, content: `${at} unmistakable` });
  const thread = await scene.thread({ messageId: message.id });
  const reply = await scene.message({ threadId: thread.id });
  const pin = await scene.make('/pins', { messageId: message.id });
  const reaction = await scene.make('/reactions', { messageId: message.id, emoji: '👍' });
  const indicators = [await scene.indicator({ channelId }), await scene.indicator({ threadId: thread.id })];
  assert.equal((await listAll(reader, '/notifications')).length, 1);

  await removed(`/channels/${channelId}`);
  await assertGone([
    ['get', `/channels/${channelId}`],
    ['get', `/channels/${channelId}/messages`],
    ['get', `/channels/${channelId}/messages?q=unmistakable`],
    ['get', `/channels/${channelId}/pins`],
    ['get', `/messages/${message.id}`],
    ['get', `/messages/${message.id}/threads`],
    ['get', `/messages/${reply.id}`],
    ['get', `/threads/${thread.id}`],
    ['get', `/threads/${thread.id}/info`],
    ['patch', `/channels/${channelId}`, { name: 'back' }],
    ['patch', `/messages/${message.id}`, { content: 'back' }],
    ['patch', `/threads/${thread.id}`, { name: 'back' }],
    ...indicators.map(({ id }) => ['patch', `/indicators/${id}`, {}] as ['patch', string, object]),
    ['delete', `/messages/${message.id}`],
    ['delete', `/threads/${thread.id}`],
    ['delete', `/pins/${pin.id}`],
    ['delete', `/reactions/${reaction.id}`],
    ...indicators.map(({ id }) => ['delete', `/indicators/${id}`] as ['delete', string]),
  ]);
  for (const [path, body] of [
    ['/messages', { channelId, content: 'Hello' }],
    ['/messages', { threadId: thread.id, content: 'Hello' }],
    ['/threads', { messageId: message.id }],
    ['/pins', { messageId: message.id }],
    ['/reactions', { messageId: message.id, emoji: '👍' }],
    ['/indicators', { type: 'typing', channelId }],
  ] as const) {
    assertRefused(await scene.admin.post(path, body), 'NOT_FOUND', path);
  }
  assert.deepEqual(await listAll(reader, '/notifications'), []);
  const channels = await listAll(scene.admin, `/servers/${scene.server.id}/channels`);
  assert.ok(!idsOf(channels).includes(channelId));
  dataOf(await scene.admin.post('/channels', { name }), 'its name can be used again');
});

test('every read and write of a deleted channel is NOT_FOUND', async () => {
  const channel = await scene.channel();
  const inside = scene.with({ place: channel });
  const rows = [...reads.filter(({ sight }) => sight === 'channel'), ...writes.filter((row) => row.channels)];
  const requests: { row: Row; id?: string; body?: object }[] = [];
  for (const row of rows) {
    const { id, body } = await requestOf(row, inside);
    requests.push({ row, id, body });
  }
  for (const { row, ready } of bodies.filter(({ row, name }) => row.channels && name !== row.name))
    requests.push({ row, ...(await ready(inside)) });

  await removed(`/channels/${channel.id}`);
  const headers = { authorization: `Bearer ${scene.admin.key}` };
  for (const { row, id, body } of requests) {
    const answer = await world.request(row.method, pathOf(row, id), { body, headers });
    assertRefused(answer, 'NOT_FOUND', `${row.name} ${JSON.stringify(body)}`);
  }
});

test('deleting a message removes its pins, reactions, notifications and empty threads', async () => {
  const { reader, at } = await mentioned();
  const { id: channelId } = await scene.channel();
  const message = await scene.message({ channelId, content: at });
  const answer = await scene.message({ channelId, replyToId: message.id });
  const empty = await scene.thread({ messageId: message.id });
  const talked = await scene.thread({ messageId: message.id });
  const reply = await scene.message({ threadId: talked.id });
  const pin = await scene.make('/pins', { messageId: message.id });
  const reaction = await scene.make('/reactions', { messageId: message.id, emoji: '👍' });

  await removed(`/messages/${message.id}`);
  await assertGone([
    ['get', `/messages/${message.id}`],
    ['get', `/messages/${message.id}/threads`],
    ['get', `/threads/${empty.id}`],
    ['delete', `/pins/${pin.id}`],
    ['delete', `/reactions/${reaction.id}`],
  ]);
  assert.deepEqual(dataOf(await scene.admin.get(`/channels/${channelId}/pins`)), []);
  assert.deepEqual(await listAll(reader, '/notifications'), []);
  const kept = dataOf(await scene.admin.get(`/threads/${talked.id}`));
  assert.deepEqual([kept.messageId, kept.replyCount, idsOf(kept.messages)], [null, 1, [reply.id]]);
  dataOf(await scene.admin.get(`/messages/${answer.id}`));
});

test('a thread does not count deleted replies', async () => {
  const thread = await scene.thread();
  const info = async () => dataOf(await scene.admin.get(`/threads/${thread.id}/info`));
  const first = await scene.message({ threadId: thread.id });
  const second = await scene.message({ threadId: thread.id });
  assert.deepEqual([(await info()).replyCount, (await info()).lastReplyAt], [2, second.createdAt]);
  await removed(`/messages/${second.id}`);
  assert.deepEqual([(await info()).replyCount, (await info()).lastReplyAt], [1, first.createdAt]);
  await removed(`/messages/${first.id}`);
  assert.deepEqual([(await info()).replyCount, (await info()).lastReplyAt], [0, null]);
});

test('deleting a thread removes its replies and their records', async () => {
  const { reader, at } = await mentioned();
  const root = await scene.message();
  const thread = await scene.thread({ messageId: root.id });
  const reply = await scene.message({ threadId: thread.id, content: at });
  const pin = await scene.make('/pins', { messageId: reply.id });
  const reaction = await scene.make('/reactions', { messageId: reply.id, emoji: '👍' });
  const nested = await scene.thread({ messageId: reply.id });
  const indicator = await scene.indicator({ threadId: thread.id });
  assert.equal((await listAll(reader, '/notifications')).length, 1);

  await removed(`/threads/${thread.id}`);
  await assertGone([
    ['get', `/threads/${thread.id}`],
    ['get', `/threads/${thread.id}/info`],
    ['get', `/messages/${reply.id}`],
    ['get', `/threads/${nested.id}`],
    ['delete', `/pins/${pin.id}`],
    ['delete', `/reactions/${reaction.id}`],
    ['delete', `/indicators/${indicator.id}`],
  ]);
  assert.deepEqual(await listAll(reader, '/notifications'), []);
  assert.deepEqual(await listAll(scene.admin, `/channels/${root.channelId}/pins`), []);
  assert.deepEqual(idsOf(await listAll(scene.admin, `/channels/${root.channelId}/messages`)), [root.id]);
  assert.deepEqual(dataOf(await scene.admin.get(`/messages/${root.id}/threads`)), []);
});

test('deleting a role removes its keys, its assignments and its access to channels', async () => {
  const role = await scene.role({ canViewData: true });
  const client = await world.clientWithRole(scene.server, role);
  const { userId } = await scene.member();
  const given = await scene.make('/user-roles', { userId, roleId: role.id });
  const channel = await scene.channel({ private: true, roleIds: [role.id] });
  dataOf(await client.get(`/channels/${channel.id}`));

  await removed(`/roles/${role.id}`);
  assertRefused(await client.get('/servers'), 'INVALID_API_KEY');
  await assertGone([
    ['get', `/roles/${role.id}`],
    ['delete', `/secrets/${client.secret.id}`],
    ['delete', `/user-roles/${given.id}`],
  ]);
  assert.deepEqual(dataOf(await scene.admin.get(`/channels/${channel.id}`)).roleIds, []);
  const members = await listAll(scene.admin, `/servers/${scene.server.id}/members`);
  assert.ok(members.every(({ roleIds }) => !roleIds.includes(role.id)));
});

test('removing a member removes their keys, roles and indicators, but no messages', async () => {
  const user = await world.user();
  const client = await world.client(scene.server, ['canEditData'], user);
  const elsewhere = await world.client(await world.server(await world.user()), [], user);
  const members = `/servers/${scene.server.id}/members`;
  const member = (await listAll(scene.admin, members)).find(({ userId }) => userId === user.id);
  const given = await scene.make('/user-roles', { userId: user.id, roleId: (await scene.role()).id });
  const channel = await scene.channel();
  const message = await scene.make('/messages', { channelId: channel.id, content: 'Hello' }, client);
  await scene.make('/indicators', { type: 'typing' }, client);
  const count = dataOf(await scene.admin.get(`/servers/${scene.server.id}`)).memberCount;

  await removed(`/server-members/${member.id}`);
  assertRefused(await client.get('/servers'), 'INVALID_API_KEY');
  await assertGone([
    ['delete', `/secrets/${client.secret.id}`],
    ['delete', `/user-roles/${given.id}`],
  ]);
  assert.equal(dataOf(await scene.admin.get(`/servers/${scene.server.id}`)).memberCount, count - 1);
  assert.equal(dataOf(await scene.admin.get(`/messages/${message.id}`)).creatorId, user.id);
  dataOf(await elsewhere.get('/servers'), 'keys in other servers still work');
  await scene.make('/server-members', { userId: user.id });
  assertRefused(
    await client.get('/servers'),
    'INVALID_API_KEY',
    'it is not restored when the member rejoins',
  );
});

test('deleting an app removes its installs and secrets in every server', async () => {
  const app = await scene.submitted();
  const other = await Scene.open(world);
  const here = await scene.install(app.id);
  dataOf(await other.admin.post('/apps/install-from-registry', { id: app.id }));
  const installs = `/servers/${other.server.id}/app-installs`;
  const [there] = dataOf(await other.admin.get(installs));
  const secret = await scene.secret({ kind: 'appSecret', appId: app.id, value: 'correct horse' });
  assert.equal(dataOf(await scene.admin.get(`/apps/${app.id}`)).installCount, 2);
  dataOf(await other.admin.delete(`/app-installs/${there.id}`));
  assert.equal(dataOf(await scene.admin.get(`/apps/${app.id}`)).installCount, 1);
  dataOf(await other.admin.post('/apps/install-from-registry', { id: app.id }));

  await removed(`/apps/${app.id}`);
  await assertGone([
    ['get', `/apps/${app.id}`],
    ['get', `/app-installs/${here.id}`],
    ['delete', `/app-installs/${here.id}`],
    ['delete', `/secrets/${secret.id}`],
  ]);
  assert.deepEqual(dataOf(await other.admin.get(installs)), []);
  assertRefused(await other.admin.post('/apps/install-from-registry', { id: app.id }), 'NOT_FOUND');
});

test('nobody can join with a deleted invite', async () => {
  const closed = await Scene.open(world);
  dataOf(await closed.admin.patch(`/servers/${closed.server.id}`, { private: true }));
  const kept = await closed.invite();
  const { id } = await closed.invite();
  dataOf(await closed.admin.delete(`/invites/${id}`));
  assertRefused(await scene.admin.post('/server-members', { inviteId: id }), 'NOT_FOUND');
  dataOf(await scene.admin.post('/server-members', { inviteId: kept.id }));
  assert.equal(dataOf(await closed.admin.get(`/invites/${kept.id}`)).uses, 1);
});
