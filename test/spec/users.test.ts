import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { appOf, granted } from '../support/grants.ts';
import { flagTable } from '../support/rules.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

test('a key can read its user, itself without its value, its server, its role and its flags', async () => {
  const client = await world.client(scene.server, ['canModerate', 'canEditData']);
  const { key, server, role, flags, isServerCreator, ...profile } = dataOf(await client.get('/users/me'));
  assert.deepEqual(profile, dataOf(await client.get(`/users/${client.secret.userId}`)));
  assert.deepEqual(server, dataOf(await client.get(`/servers/${scene.server.id}`)));
  assert.deepEqual(role, dataOf(await client.get(`/roles/${client.secret.roleId}`)));
  assert.deepEqual(flags, ['canEditData', 'canModerate']);
  assert.equal(isServerCreator, false);
  const { lastUsedAt, ...rest } = key;
  assert.ok(lastUsedAt === null || lastUsedAt <= Date.now());
  assert.equal(rest.id, client.secret.id);
  assert.equal(rest.preview, `sk_live_plv_…${client.key.slice(-4)}`);
  assert.ok(!JSON.stringify({ key, profile }).includes(client.key));
});

test('an app can read its user, its grant, its server, and the flags that it still has', async () => {
  const user = await world.user();
  await world.member(scene.server, user);
  const role = await scene.role({ canModerate: true });
  const held = await scene.make('/user-roles', { userId: user.id, roleId: role.id });
  const browser = await Browser.of(world, user);
  const { token } = await granted(world, browser, scene.server.id, { flags: ['canModerate'] });
  const app = appOf(world, token);
  const { grant, server, flags, isServerCreator, ...profile } = dataOf(await app.get('/users/me'));
  assert.deepEqual(profile, dataOf(await app.get(`/users/${user.id}`)));
  assert.equal(server.id, scene.server.id);
  assert.deepEqual(flags, ['canModerate']);
  assert.equal(isServerCreator, false);
  const [listed] = dataOf(await browser.get('/grants'));
  assert.deepEqual({ ...grant, lastUsedAt: listed.lastUsedAt }, listed);
  assert.ok(grant.client && grant.expiresAt > Date.now());
  await scene.remove(`/user-roles/${held.id}`);
  assert.deepEqual(dataOf(await app.get('/users/me')).flags, []);
});

test("canAdmin shows all flags, and isServerCreator marks the server's creator", async () => {
  const mine = dataOf(await scene.admin.get('/users/me'));
  assert.deepEqual(mine.flags, flagTable);
  assert.equal(mine.isServerCreator, true);
  assert.equal(mine.id, scene.owner.id);
});

test('a rotated key shows its previous value, and each value identifies itself', async () => {
  const bot = await scene.secret();
  const rotated = await scene.make(`/secrets/${bot.id}/rotate`, { overlap: 3600 });
  for (const value of [bot.key, rotated.key]) {
    const { key } = dataOf(await world.as(value).get('/users/me'));
    assert.deepEqual(key.earlier, rotated.earlier);
    assert.equal(key.preview, rotated.preview);
  }
  await scene.remove(`/secrets/${bot.id}`);
  assertRefused(await world.as(rotated.key).get('/users/me'), 'INVALID_API_KEY');
});
