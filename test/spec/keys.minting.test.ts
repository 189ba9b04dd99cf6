import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Flag, flagTable } from '../support/rules.ts';
import { type Answer, type Client, type Json, listAll, World } from '../support/world.ts';

let world: World;
let server: Json;
let owner: Json;
let admin: Client;
let blank: Json;
before(async () => {
  world = await World.open();
  owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
  blank = (await admin.post('/roles', { name: 'Blank' })).data;
});
after(() => world.close());

const mintAs = (client: Client, fields: object = {}): Promise<Answer> =>
  client.post('/secrets', { kind: 'apiKey', name: 'Deploy bot', ...fields });

const roleWith = async (flags: readonly Flag[]): Promise<Json> =>
  (
    await admin.post('/roles', {
      name: world.unique('role'),
      ...Object.fromEntries(flags.map((flag) => [flag, true])),
    })
  ).data;

test('by default, a key gets the default role and a new agent named after it', async () => {
  const { status, data } = await mintAs(admin, { name: 'Weather bot' });
  assert.equal(status, 200);
  assert.equal(data.roleId, (await world.defaultRole(server)).id);
  const agent = (await admin.get(`/users/${data.userId}`)).data;
  assert.deepEqual([agent.type, agent.name, agent.platformAdmin], ['agent', 'Weather bot', false]);
  const members = await listAll(admin, `/servers/${server.id}/members`);
  assert.ok(members.some(({ userId }) => userId === agent.id));
  const channel = (await admin.post('/channels', { name: world.unique('channel') })).data;
  const sent = await world.as(data.key).post('/messages', { channelId: channel.id, content: 'Hello' });
  assert.deepEqual([sent.status, sent.data.type, sent.data.creatorId], [200, 'agent', agent.id]);
});

test('keys with the same name get separate agents', async () => {
  const [first, second] = [await mintAs(admin), await mintAs(admin)];
  assert.notEqual(first.data.userId, second.data.userId);
});

test("a key's value is only in the response that creates it", async () => {
  const { data } = await mintAs(admin);
  assert.equal(typeof data.key, 'string');
  assert.ok(!data.preview.includes(data.key.slice(12, -6)));
  const revoked = await admin.delete(`/secrets/${data.id}`);
  assert.equal('key' in revoked.data, false);
  assert.ok(!JSON.stringify(revoked.body).includes(data.key));
});

test('a key can act as its creator', async () => {
  const user = await world.user();
  const minter = await world.client(server, ['canEditApp'], user);
  const { status, data } = await mintAs(minter, { roleId: blank.id, userId: user.id });
  assert.deepEqual([status, data.userId], [200, user.id]);
});

test('a key that acts as a person has the person’s identity, but only the flags of its own role', async () => {
  const { data } = await mintAs(admin, { roleId: blank.id, userId: owner.id });
  const key = world.as(data.key);
  const role = await key.post('/roles', { name: 'Mine' });
  assert.equal(role.status, 403);
  assert.deepEqual(role.body.error.details.have, []);
  assert.equal((await key.patch(`/servers/${server.id}`, { welcome: 'Hi' })).status, 200);
});

test("a key can act as one of the server's agents", async () => {
  const agent = await world.user({ agent: true });
  await world.member(server, agent);
  const { status, data } = await mintAs(admin, { userId: agent.id });
  assert.deepEqual([status, data.userId], [200, agent.id]);
});

test('a key cannot act as anybody else', async () => {
  const person = await world.user();
  const vouching = await world.user({ agent: true, platformAdmin: true });
  for (const user of [person, vouching]) await world.member(server, user);
  const minter = await world.client(server, ['canEditApp']);
  for (const client of [admin, minter]) {
    for (const user of [person, vouching, ...(client === minter ? [owner] : [])]) {
      const answer = await mintAs(client, { userId: user.id, roleId: blank.id });
      assert.equal(answer.status, 403, user.username);
      assert.equal(answer.data, undefined);
    }
  }
});

test('a key cannot act as an agent that created the server', async () => {
  const creator = await world.user({ agent: true });
  const founded = await world.server(creator);
  const client = await world.client(founded, ['canAdmin']);
  assert.equal((await mintAs(client, { userId: creator.id })).status, 403);
  const self = await world.client(founded, ['canAdmin'], creator);
  assert.equal((await mintAs(self, { userId: creator.id })).status, 200);
});

test("a key's user and role must belong to the server", async () => {
  const stranger = await world.user({ agent: true });
  const other = await world.server(await world.user());
  const answers = {
    'not a member': await mintAs(admin, { userId: stranger.id }),
    'unknown user': await mintAs(admin, { userId: 'none' }),
    'role of another server': await mintAs(admin, { roleId: (await world.defaultRole(other)).id }),
    'unknown role': await mintAs(admin, { roleId: 'none' }),
    'another server': await mintAs(admin, { serverId: other.id }),
  };
  assert.deepEqual(
    Object.entries(answers).map(([what, { status }]) => [what, status]),
    [
      ['not a member', 400],
      ['unknown user', 404],
      ['role of another server', 400],
      ['unknown role', 404],
      ['another server', 403],
    ],
  );
});

for (const flag of flagTable) {
  test(`a caller without ${flag} cannot create a key that has it`, async () => {
    const role = await roleWith([flag]);
    const others = flagTable.filter((other) => other !== flag && other !== 'canAdmin');
    const lacking = await world.client(server, flag === 'canEditApp' ? [] : others, await world.user());
    const refused = await mintAs(lacking, { roleId: role.id });
    assert.equal(refused.status, 403);
    assert.deepEqual(refused.body.error.details.have, flag === 'canEditApp' ? [] : others);
    assert.deepEqual(refused.body.error.details.need, [flag]);

    const holding = await world.client(server, ['canEditApp', flag]);
    const given = await mintAs(holding, { roleId: role.id });
    assert.equal(given.status, 200, JSON.stringify(given.body));
  });
}

test("only callers with the default role's flags can create a key with that role", async () => {
  const minter = await world.client(server, ['canEditApp']);
  const refused = await mintAs(minter);
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.body.error.details.need, ['canEditData', 'canViewData']);
});

test('a rejected request leaves no agent behind', async () => {
  const minter = await world.client(server, ['canEditApp']);
  const before = (await listAll(admin, `/servers/${server.id}/members`)).length;
  assert.equal((await mintAs(minter)).status, 403);
  assert.equal((await mintAs(minter, { roleId: admin.secret.roleId })).status, 403);
  assert.equal((await listAll(admin, `/servers/${server.id}/members`)).length, before);
});

test('the server’s creator can create keys without having any flag, but only for a role without flags', async () => {
  const creator = await world.client(server, [], owner);
  assert.equal((await mintAs(creator, { roleId: blank.id })).status, 200);
  assert.equal((await mintAs(creator)).status, 403);
});

test('fields of the other kind of secret are rejected, such as an expiry for an app secret', async () => {
  const appId = (await admin.post('/apps', { name: 'Weather' })).data.id;
  const stored = { kind: 'appSecret', appId, value: 'the token' };
  const other = { roleId: blank.id, userId: owner.id, expiresAt: Date.now() + 1e9 };
  for (const [fields, strays] of [
    [stored, other],
    [{}, { appId, value: 'the token' }],
  ] as const) {
    for (const [stray, value] of Object.entries(strays)) {
      const { status, body } = await mintAs(admin, { ...fields, [stray]: value });
      assert.equal(status, 400, stray);
      assert.deepEqual([body.error.details[0].path, body.error.details[0].reason], [stray, 'not_together']);
    }
  }
  assert.equal((await mintAs(admin, { ...stored, expiresAt: null })).status, 200);
});
