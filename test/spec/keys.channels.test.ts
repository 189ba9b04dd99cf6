import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const keyWith = (role: Json) => ({ kind: 'apiKey', name: 'Bot', roleId: role.id });

test('a caller cannot create a key for a role with access to a private channel that the caller does not see', async () => {
  const role = await scene.role({ canViewData: true });
  const minter = await world.client(scene.server, ['canEditApp', 'canViewData']);
  dataOf(await minter.post('/secrets', keyWith(role)));
  const channel = await scene.channel({ private: true, roleIds: [role.id] });
  assertRefused(await minter.get(`/channels/${channel.id}/messages`), 'FORBIDDEN');
  assertRefused(await minter.post('/secrets', keyWith(role)), 'FORBIDDEN');
  dataOf(await scene.admin.post('/secrets', keyWith(role)));
});

test('a caller can create a key for a role whose private channels the caller also sees', async () => {
  const own = await scene.role({ canEditApp: true });
  const other = await scene.role();
  const channel = await scene.channel({ private: true, roleIds: [own.id, other.id] });
  const minter = await world.clientWithRole(scene.server, own);
  for (const role of [own, other]) {
    const { key } = dataOf(await minter.post('/secrets', keyWith(role)));
    dataOf(await world.as(key).get(`/channels/${channel.id}`));
  }
});

test('records in a channel that the caller cannot see cannot be written', async () => {
  const role = await scene.role({ canEditServer: true });
  const channel = await scene.channel({ private: true, roleIds: [role.id] });
  const thread = await scene.thread({ channelId: channel.id });
  const client = await world.clientWithRole(scene.server, role);
  const app = dataOf(await client.post('/apps', { name: 'Poll', threadId: thread.id }));
  const indicator = dataOf(await client.post('/indicators', { type: 'typing', channelId: channel.id }));
  dataOf(await client.patch(`/indicators/${indicator.id}`, {}));
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, { roleIds: [] }));
  assertRefused(await client.patch(`/indicators/${indicator.id}`, {}), 'FORBIDDEN');
  assertRefused(await client.post('/apps', { threadId: thread.id }), 'FORBIDDEN');
  assertRefused(await client.patch(`/apps/${app.id}`, { threadId: thread.id }), 'FORBIDDEN');
  assert.equal(dataOf(await client.patch(`/apps/${app.id}`, { threadId: null })).id, app.id);
});
