import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { find } from '../support/sources.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

interface Founded {
  server: Json;
  owner: Json;
  admin: Client;
  /** The creator's admin role, its assignment to the creator, and the creator's membership. */
  role: Json;
  given: Json;
  membership: Json;
}

async function found(): Promise<Founded> {
  const owner = await world.user();
  const server = await world.server(owner);
  const { read } = world.data.db;
  const role = await read.first(find('role', { serverId: server.id, canAdmin: true }));
  const given = await read.first(find('userRole', { userId: owner.id, roleId: role?.id as string }));
  const membership = await read.first(find('serverMember', { serverId: server.id, userId: owner.id }));
  const admin = await world.clientWithRole(server, role, owner);
  return { server, owner, admin, role, given, membership };
}

/** Writes that would leave the server without an admin. */
const endings: Record<string, (founded: Founded) => Promise<{ status: number; body: Json }>> = {
  'removing the admin role from its last holder': ({ admin, given }) =>
    admin.delete(`/user-roles/${given.id}`),
  'removing canAdmin from the last admin role': ({ admin, role }) =>
    admin.patch(`/roles/${role.id}`, { canAdmin: false }),
  'the last admin leaving': ({ admin, membership }) => admin.delete(`/server-members/${membership.id}`),
  'kicking the last admin': async ({ server, membership }) =>
    (await world.client(server, ['canModerate'])).delete(`/server-members/${membership.id}`),
};

for (const [what, end] of Object.entries(endings)) {
  test(`rejected: ${what}`, async () => {
    const founded = await found();
    const { status, body } = await end(founded);
    assert.equal(status, 403, JSON.stringify(body));
    assert.equal(body.error.code, 'FORBIDDEN');
    const { admin, server } = founded;
    const after = await admin.post('/roles', { name: 'Still here' });
    assert.equal(after.status, 200);
    const { memberCount } = (await admin.get(`/servers/${server.id}`)).data;
    const members = await admin.get(`/servers/${server.id}/members`);
    assert.equal(memberCount, members.data.length);
  });

  test(`allowed while another admin remains: ${what}`, async () => {
    const founded = await found();
    const { admin, server } = founded;
    const second = await world.user();
    await world.member(server, second);
    const role = (await admin.post('/roles', { name: 'Second', canAdmin: true })).data;
    assert.equal((await admin.post('/user-roles', { userId: second.id, roleId: role.id })).status, 200);
    const { status, body } = await end(founded);
    assert.equal(status, 200, JSON.stringify(body));
  });
}

test('an admin who has left does not count as remaining', async () => {
  const { admin, server, membership } = await found();
  const second = await world.user();
  const member = await world.member(server, second);
  const role = (await admin.post('/roles', { name: 'Second', canAdmin: true })).data;
  await admin.post('/user-roles', { userId: second.id, roleId: role.id });
  const other = await world.clientWithRole(server, role, second);
  assert.equal((await other.delete(`/server-members/${member.id}`)).status, 200);
  assert.equal((await admin.delete(`/server-members/${membership.id}`)).status, 403);
});

test('the only other admin role cannot be deleted if nobody holds the first one', async () => {
  const { admin, server, given } = await found();
  const second = await world.user();
  await world.member(server, second);
  const role = (await admin.post('/roles', { name: 'Second', canAdmin: true })).data;
  await admin.post('/user-roles', { userId: second.id, roleId: role.id });
  assert.equal((await admin.delete(`/user-roles/${given.id}`)).status, 200);
  assert.equal((await admin.delete(`/roles/${role.id}`)).status, 403);
  assert.equal((await admin.get(`/roles/${role.id}`)).status, 200);
});

test('the default role and the creator’s admin role cannot be deleted', async () => {
  const { server, role } = await found();
  const fallback = await world.defaultRole(server);
  // There is a second admin, so the rule about the last admin cannot reject these requests.
  const second = await world.user();
  await world.member(server, second);
  const admin = await world.client(server, ['canAdmin'], second);
  const spare = (await admin.post('/roles', { name: 'Spare', canAdmin: true })).data;
  await admin.post('/user-roles', { userId: second.id, roleId: spare.id });
  for (const { id } of [role, fallback]) {
    const { status, body } = await admin.delete(`/roles/${id}`);
    assert.equal(status, 403);
    assert.deepEqual(body.error.details.have, ['canAdmin']);
    assert.equal((await admin.get(`/roles/${id}`)).status, 200);
  }
  const other = (await admin.post('/roles', { name: 'Third', canAdmin: true })).data;
  assert.equal((await admin.delete(`/roles/${other.id}`)).status, 200);
});

test('canAdmin can be removed from a role without holders', async () => {
  const { admin } = await found();
  const role = (await admin.post('/roles', { name: 'Spare', canAdmin: true })).data;
  assert.equal((await admin.patch(`/roles/${role.id}`, { canAdmin: false })).status, 200);
});

test('admins can write and assign roles, but moderators cannot', async () => {
  const { server, owner } = await found();
  const role = await world.defaultRole(server);
  const most = ['canEditChannel', 'canEditServer', 'canEditData', 'canModerate', 'canEditApp', 'canViewData'];
  const client = await world.client(server, most as never);
  for (const { status, body } of [
    await client.post('/roles', { name: 'Mine' }),
    await client.patch(`/roles/${role.id}`, { name: 'Mine' }),
    await client.delete(`/roles/${role.id}`),
    await client.post('/user-roles', { userId: owner.id, roleId: role.id }),
  ]) {
    assert.equal(status, 403);
    assert.deepEqual(body.error.details.have, most);
    assert.deepEqual(body.error.details.need, ['canAdmin']);
  }
});
