import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let owner: Json;
let home: Json;
let other: Json;
let admin: Client;
before(async () => {
  world = await World.open();
  owner = await world.user();
  home = await world.server(owner);
  other = await world.server(await world.user());
  admin = await world.client(home, ['canAdmin'], owner);
});
after(() => world.close());

test("the error of a forbidden channel write names the rule, the caller's flags and the required flags", async () => {
  const writer = await world.client(home, ['canEditData']);
  const channel = (await admin.post('/channels', { name: 'general' })).data;
  for (const answer of [
    await writer.post('/channels', { name: 'mine' }),
    await writer.patch(`/channels/${channel.id}`, { name: 'mine' }),
    await writer.delete(`/channels/${channel.id}`),
  ]) {
    assert.equal(answer.status, 403);
    assert.deepEqual(answer.body.error.details, {
      rule: 'channel: server creator, server admin, or canEditChannel/canEditServer',
      have: ['canEditData'],
      need: ['canEditChannel', 'canEditServer'],
    });
  }
});

test("a permission error lists all of the caller's flags and nobody else's", async () => {
  const flags = ['canEditServer', 'canEditData', 'canModerate', 'canEditApp', 'canViewData'] as const;
  const client = await world.client(home, flags);
  const { status, body } = await client.post('/roles', { name: 'Mine' });
  assert.equal(status, 403);
  assert.deepEqual(body.error.details.have, flags);
  assert.deepEqual(body.error.details.need, ['canAdmin']);
});

test("a platform admin can change the settings of the key's server", async () => {
  const user = await world.user({ platformAdmin: true });
  const within = await world.client(home, [], user);
  const elsewhere = await world.client(other, [], user);
  assert.equal((await within.patch(`/servers/${home.id}`, { welcome: 'Hi' })).status, 200);
  assert.equal((await elsewhere.patch(`/servers/${home.id}`, { welcome: 'Hi' })).status, 403);
  const plain = await world.client(home, ['canViewData']);
  assert.equal((await plain.patch(`/servers/${home.id}`, { welcome: 'Hi' })).status, 403);
});

test('a platform admin has no additional permissions in a server', async () => {
  const client = await world.client(home, [], await world.user({ platformAdmin: true }));
  for (const [path, body] of [
    ['/channels', { name: 'mine' }],
    ['/roles', { name: 'Mine' }],
    ['/apps', { name: 'Mine' }],
    ['/secrets', { kind: 'apiKey', name: 'Mine' }],
    ['/invites', {}],
  ] as const) {
    assert.equal((await client.post(path, body)).status, 403, path);
  }
});

test('an app’s server sets verified and installCount before it submits the app, and platform admins do afterwards', async () => {
  const { id } = (await admin.post('/apps', { name: 'Weather', verified: true, installCount: 7 })).data;
  const before = (await admin.get(`/apps/${id}`)).data;
  assert.deepEqual([before.verified, before.installCount], [true, 7]);
  assert.equal((await admin.patch(`/apps/${id}`, { verified: true, installCount: 8 })).status, 200);

  assert.equal((await admin.post('/app-installs', { appId: id })).status, 200);
  assert.equal((await admin.post('/apps/submit', { id })).status, 200);
  const submitted = (await admin.get(`/apps/${id}`)).data;
  assert.deepEqual([submitted.verified, submitted.installCount], [false, 1]);

  for (const fields of [{ verified: true }, { verified: false }, { installCount: 9 }, { installCount: 1 }]) {
    const refused = await admin.patch(`/apps/${id}`, { name: 'Renamed', ...fields });
    assert.equal(refused.status, 403, JSON.stringify(fields));
    assert.deepEqual(refused.body.error.details.have, ['canAdmin']);
    assert.deepEqual(refused.body.error.details.need, []);
  }
  assert.equal((await admin.get(`/apps/${id}`)).data.name, 'Weather');
  assert.equal((await admin.patch(`/apps/${id}`, { name: 'Renamed' })).status, 200);

  const user = await world.user({ platformAdmin: true });
  const vouching = await world.client(other, ['canEditServer'], user);
  assert.equal((await vouching.patch(`/apps/${id}`, { name: 'Taken over' })).status, 403);
  assert.equal((await vouching.patch(`/apps/${id}`, { verified: true, name: 'Taken over' })).status, 403);
  assert.equal((await vouching.patch(`/apps/${id}`, { verified: true, installCount: 5 })).status, 200);
  const vouched = (await admin.get(`/apps/${id}`)).data;
  assert.deepEqual([vouched.verified, vouched.installCount, vouched.name], [true, 5, 'Renamed']);
});

test('installCount counts the installs of a submitted app', async () => {
  const { id } = (await admin.post('/apps', { name: 'Clock', installCount: 40 })).data;
  assert.equal((await admin.post('/apps/submit', { id })).status, 200);
  const installer = await world.client(other, ['canEditChannel', 'canEditApp', 'canViewData']);
  const countNow = async () => (await admin.get(`/apps/${id}`)).data.installCount;
  assert.equal(await countNow(), 0);
  assert.equal((await installer.post('/apps/install-from-registry', { id })).status, 200);
  assert.equal(await countNow(), 1);
  const install = (await admin.post('/app-installs', { appId: id })).data;
  assert.equal(await countNow(), 2);
  assert.equal((await admin.delete(`/app-installs/${install.id}`)).status, 200);
  assert.equal(await countNow(), 1);
});

test('an agent can edit and delete others’ threads, but needs canEditData to start one', async () => {
  const channel = (await admin.post('/channels', { name: 'threads' })).data;
  const thread = (await admin.post('/threads', { channelId: channel.id })).data;
  const agent = await world.client(home, [], await world.user({ agent: true }));
  const person = await world.client(home, ['canModerate', 'canEditData'], await world.user());
  assert.equal((await person.patch(`/threads/${thread.id}`, { locked: true })).status, 403);
  assert.equal((await agent.post('/threads', { channelId: channel.id })).status, 403);
  assert.equal((await agent.patch(`/threads/${thread.id}`, { locked: true })).status, 200);
  assert.equal((await agent.delete(`/threads/${thread.id}`)).status, 200);
});

test('errors take precedence in the order 400, 404, 403, 409', async () => {
  const nobody = await world.client(home);
  await admin.post('/channels', { name: 'taken' });
  assert.equal((await nobody.post('/channels', { name: 5 })).status, 400);
  assert.equal((await nobody.post('/channels', { name: 'taken', serverId: 'none' })).status, 404);
  assert.equal((await nobody.post('/channels', { name: 'taken' })).status, 403);
  assert.equal((await admin.post('/channels', { name: 'taken' })).status, 409);
});
