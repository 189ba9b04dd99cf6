import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { change, createMember } from '../support/sources.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

// A banned user tries to return, and a moderator tries to ban members with more permissions.

let world: World;
let scene: Scene;
let away: Scene;
let moderator: Client;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  away = await Scene.open(world);
  moderator = await world.client(scene.server, ['canModerate']);
});
after(() => world.close());

const ban = (userId: string, client = scene.admin): Promise<Json> =>
  scene.make('/server-bans', { userId, reason: 'Posts advertisements' }, client);

const isMember = async (userId: string): Promise<boolean> =>
  (await listAll(scene.admin, `/servers/${scene.server.id}/members`)).some((row) => row.userId === userId);

test('a banned user is removed and cannot return in any way until the ban is lifted', async () => {
  const user = await world.user();
  const inside = await world.client(scene.server, ['canEditData'], user);
  const outside = await world.client(away.server, ['canAdmin'], user);
  const made = await ban(user.id, moderator);
  assert.equal(made.user.username, user.username);
  assert.equal((await inside.get('/servers')).status, 401);
  assert.equal(await isMember(user.id), false);

  const invite = await scene.invite({ maxUses: 5 });
  const ways: [Client, object][] = [
    [outside, { serverId: scene.server.id }],
    [outside, { inviteId: invite.id }],
    [scene.admin, { userId: user.id }],
    [moderator, { userId: user.id, inviteId: invite.id }],
  ];
  for (const [client, body] of ways) {
    const refused = await client.post('/server-members', body);
    assertRefused(refused, 'FORBIDDEN', JSON.stringify(body));
    assert.match(refused.body.error.message, /banned/);
  }
  const adding = change(world.data, (work) => createMember(work, { server: scene.server.id, user: user.id }));
  await assert.rejects(adding, /banned/);
  assert.equal(dataOf(await scene.admin.get(`/invites/${invite.id}`)).uses, 0);
  assert.equal(await isMember(user.id), false);

  const lifted = dataOf(await moderator.delete(`/server-bans/${made.id}`));
  assert.deepEqual(lifted, made);
  dataOf(await outside.post('/server-members', { inviteId: invite.id }));
  assert.equal(await isMember(user.id), true);
  assert.equal((await inside.get('/servers')).status, 401, 'earlier keys stay revoked');
});

test("a banned user's agents are also removed and cannot return", async () => {
  const user = await world.user();
  const here = await world.client(scene.server, ['canAdmin'], user);
  const there = await world.client(away.server, ['canAdmin'], user);
  const agent = await scene.make('/secrets', { kind: 'apiKey', name: 'Bot' }, here);
  const roleId = there.secret.roleId;
  const other = await away.make('/secrets', { kind: 'apiKey', name: 'Bot', roleId }, there);
  const ofOther = await away.make('/secrets', { kind: 'apiKey', name: 'Bot' }, world.as(other.key));
  await ban(user.id);
  assert.equal(await isMember(agent.userId), false);
  for (const { key } of [other, ofOther])
    assertRefused(
      await world.as(key).post('/server-members', { serverId: scene.server.id }),
      'FORBIDDEN',
      'an agent from another server',
    );
  assertRefused(await scene.admin.post('/server-members', { userId: agent.userId }), 'FORBIDDEN');
});

test('a moderator can ban plain members, but nobody with a flag that the moderator lacks', async () => {
  await ban((await scene.member()).userId, moderator);
  const role = await scene.role({ canEditServer: true });
  const { userId } = await scene.member();
  await scene.make('/user-roles', { userId, roleId: role.id });
  const stronger = {
    'through a role': userId,
    'through a key': (await world.client(scene.server, ['canAdmin'])).secret.userId,
  };
  for (const [how, userId] of Object.entries(stronger)) {
    assertRefused(await moderator.post('/server-bans', { userId }), 'FORBIDDEN', how);
    assert.ok(await isMember(userId));
    await ban(userId);
  }
});

test("nobody can ban the server's creator, themselves or the last admin", async () => {
  const second = await world.client(scene.server, ['canAdmin']);
  for (const [client, userId] of [
    [second, scene.owner.id],
    [second, second.secret.userId],
    [scene.admin, scene.owner.id],
  ] as const)
    assertRefused(await client.post('/server-bans', { userId }), 'FORBIDDEN');

  const { server, owner, admin } = await Scene.open(world);
  const key = await world.client(server, ['canAdmin']);
  const [creator] = await listAll(admin, `/servers/${server.id}/members`);
  const heir = await world.user();
  await world.member(server, heir);
  for (const roleId of creator.roleIds) await admin.post('/user-roles', { userId: heir.id, roleId });
  dataOf(await key.delete(`/server-members/${creator.id}`));
  assertRefused(await key.post('/server-bans', { userId: heir.id }), 'FORBIDDEN');
  assertRefused(await key.post('/server-bans', { userId: owner.id }), 'FORBIDDEN');
});

test('only members who can ban see bans, in the list and in events, and only bans in their server', async () => {
  const others = await world.client(scene.server, ['canEditApp', 'canEditServer', 'canEditData']);
  const after = await scene.cursor();
  const user = await world.user();
  const made = await ban(user.id);
  const typesFor = async (client: Client): Promise<string[]> =>
    (await client.get(`/events?after=${after}`)).data.map(({ type }: Json) => type);
  assert.deepEqual(await typesFor(moderator), ['serverBan.created']);
  assert.deepEqual(await typesFor(others), []);
  assertRefused(await others.get(`/servers/${scene.server.id}/bans`), 'FORBIDDEN');
  assertRefused(await away.admin.get(`/servers/${scene.server.id}/bans`), 'FORBIDDEN');
  assertRefused(await away.admin.delete(`/server-bans/${made.id}`), 'FORBIDDEN');
  assertRefused(
    await away.admin.post('/server-bans', { serverId: scene.server.id, userId: user.id }),
    'FORBIDDEN',
  );
});

test('a user who is banned while joining is not a member afterwards', async () => {
  for (let round = 0; round < 8; round++) {
    const user = await world.user();
    const joiner = await world.client(away.server, [], user);
    const join = () => joiner.post('/server-members', { serverId: scene.server.id });
    const steps = [join(), ban(user.id), join()];
    await Promise.all(round % 2 === 0 ? steps : steps.reverse());
    assert.equal(await isMember(user.id), false);
  }
});
