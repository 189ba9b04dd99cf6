import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { UNNOTICED_MS } from '../support/databases.ts';
import {
  change,
  createKey,
  type Data,
  find,
  openData,
  remove,
  revokeKey,
  update,
} from '../support/sources.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let server: Json;
let owner: Json;
let admin: Client;
/** The same data, opened a second time as another process would. */
let beside: Data;
before(async () => {
  world = await World.open();
  owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
  beside = await openData(world.place);
});
after(async () => {
  await beside.db.close();
  await world.close();
});

const createRole = async (flags: object): Promise<Json> =>
  (await admin.post('/roles', { name: world.unique('role'), ...flags })).data;

/** A key with its own role. It has been used, so the server has cached its principal. */
async function keyWith(flags: object): Promise<{ client: Client; role: Json; user: Json; member: Json }> {
  const role = await createRole(flags);
  const user = await world.user();
  const member = await world.member(server, user);
  const client = await world.clientWithRole(server, role, user);
  assert.equal((await client.get('/servers')).status, 200);
  return { client, role, user, member };
}

async function assertRevoked(client: Client): Promise<void> {
  for (const answer of [await client.get('/servers'), await client.post('/channels', { name: 'channel' })]) {
    assert.equal(answer.status, 401);
    assert.equal(answer.body.error.code, 'INVALID_API_KEY');
  }
}

/** The ways in which a key stops working, through the API and by another process. */
const ends: Record<string, (made: Awaited<ReturnType<typeof keyWith>>) => Promise<unknown>> = {
  'it is revoked': ({ client }) => admin.delete(`/secrets/${client.secret.id}`),
  'its role is deleted': ({ role }) => admin.delete(`/roles/${role.id}`),
  'its user is kicked': ({ member }) => admin.delete(`/server-members/${member.id}`),
  'its user leaves': ({ client, member }) => client.delete(`/server-members/${member.id}`),
  'another process revokes it': ({ client }) => change(beside, (work) => revokeKey(work, client.secret.id)),
  'another process deletes its role': ({ role }) =>
    beside.db.write((tx) => tx.run(remove('role', { id: role.id }))),
  'another process removes its user': ({ member }) =>
    beside.db.write((tx) => tx.run(remove('serverMember', { id: member.id }))),
};
for (const [what, end] of Object.entries(ends)) {
  test(`a key stops working after ${what}`, async () => {
    const made = await keyWith({ canEditChannel: true });
    const ended = (await end(made)) as { status?: number };
    if (ended?.status !== undefined) assert.equal(ended.status, 200);
    else await sleep(UNNOTICED_MS);
    await assertRevoked(made.client);
  });
}

test('a kicked user’s keys stay revoked when the user joins again', async () => {
  const { client, user, member } = await keyWith({});
  await admin.delete(`/server-members/${member.id}`);
  assert.equal((await admin.post('/server-members', { userId: user.id })).status, 200);
  await assertRevoked(client);
});

test("a kick only revokes this user's keys in this server", async () => {
  const { user, member, role } = await keyWith({});
  const elsewhere = await world.client(await world.server(await world.user()), [], user);
  const neighbour = await world.clientWithRole(server, role);
  assert.equal((await admin.delete(`/server-members/${member.id}`)).status, 200);
  assert.equal((await elsewhere.get('/servers')).status, 200);
  assert.equal((await neighbour.get('/servers')).status, 200);
});

test('deleting a role revokes all its keys and no others', async () => {
  const { client, role, user } = await keyWith({});
  const second = await world.clientWithRole(server, role);
  const other = await world.client(server, ['canViewData'], user);
  assert.equal((await admin.delete(`/roles/${role.id}`)).status, 200);
  await assertRevoked(client);
  await assertRevoked(second);
  assert.equal((await other.get('/servers')).status, 200);
});

test('a key can revoke itself', async () => {
  const { client } = await keyWith({ canEditApp: true });
  assert.equal((await client.delete(`/secrets/${client.secret.id}`)).status, 200);
  await assertRevoked(client);
});

test('a write concurrent with the revocation of its key succeeds or is rejected; every later one is rejected', async () => {
  for (let round = 0; round < 10; round++) {
    const { client } = await keyWith({ canEditChannel: true });
    const [revoked, written] = await Promise.all([
      admin.delete(`/secrets/${client.secret.id}`),
      client.post('/channels', { name: world.unique('channel') }),
    ]);
    assert.equal(revoked.status, 200);
    assert.ok([200, 401].includes(written.status), String(written.status));
    await assertRevoked(client);
  }
});

const changes: Record<string, (role: Json, flags: { canEditChannel: boolean }) => Promise<unknown>> = {
  'through the API': (role, flags) => admin.patch(`/roles/${role.id}`, flags),
  'by another process': (role, flags) => beside.db.write((tx) => tx.run(update('role', role.id, flags))),
};
for (const [how, changeRole] of Object.entries(changes)) {
  test(`changing a role ${how} takes effect with the next request`, async () => {
    const { client, role } = await keyWith({ canEditChannel: false });
    const write = async () => (await client.post('/channels', { name: world.unique('channel') })).status;
    for (const canEditChannel of [true, false, true, false]) {
      await changeRole(role, { canEditChannel });
      assert.equal(await write(), canEditChannel ? 200 : 403);
    }
  });
}

test('a key created by another process works immediately', async () => {
  const role = await createRole({});
  const user = await world.user();
  const { key } = await change(beside, (work) =>
    createKey(work, { server: server.id, user: user.id, role: role.id }),
  );
  assert.equal((await world.as(key).get('/servers')).status, 200);
});

test('a key keeps its role’s flags when its user loses the role', async () => {
  const { client, role, user } = await keyWith({ canEditChannel: true });
  const given = (await admin.post('/user-roles', { userId: user.id, roleId: role.id })).data;
  assert.equal((await admin.delete(`/user-roles/${given.id}`)).status, 200);
  assert.equal((await client.post('/channels', { name: world.unique('channel') })).status, 200);
});

test('a key gains no flags from its user’s other roles', async () => {
  const { client, user } = await keyWith({});
  const strong = await createRole({ canAdmin: true });
  assert.equal((await admin.post('/user-roles', { userId: user.id, roleId: strong.id })).status, 200);
  const refused = await client.post('/channels', { name: world.unique('channel') });
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.body.error.details.have, []);
});

test('a kick deletes the user’s keys in the same transaction', async () => {
  const { user, member } = await keyWith({});
  await world.client(server, ['canViewData'], user);
  assert.equal((await admin.delete(`/server-members/${member.id}`)).status, 200);
  assert.deepEqual(await world.data.db.read.all(find('secret', { userId: user.id })), []);
});
