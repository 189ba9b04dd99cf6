import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseUser } from '../../server/src/cli/people/erase.ts';
import { Browser, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import {
  appOf,
  assertEnded,
  exchanged,
  type Granted,
  grantCode,
  granted,
  memberWithApp,
  refreshed,
} from '../support/grants.ts';
import { metricOf } from '../support/metrics.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { change, find, update } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ clock });
  scene = await Scene.open(world);
});
after(() => world.close());

const member = () => memberWithApp(scene);
const grantsOf = ({ id: userId }: Json) => world.data.db.read.all(find('grant', { userId }));
const isOver = (tokens: Granted) => assertEnded(world, tokens);

const ends: Record<string, (of: Awaited<ReturnType<typeof member>>) => Promise<unknown>> = {
  'leaving the server': async ({ membership, browser }) => {
    browser.place = scene.server.id;
    dataOf(await browser.api.delete(`/server-members/${membership.id}`));
  },
  'being removed': async ({ membership }) =>
    dataOf(await scene.admin.delete(`/server-members/${membership.id}`)),
  'a ban': async ({ user }) =>
    dataOf(await scene.admin.post('/server-bans', { userId: user.id, reason: 'Spam' })),
};

for (const [name, end] of Object.entries(ends))
  test(`${name} revokes the grant, even if the membership is renewed`, async () => {
    const one = await member();
    const code = await grantCode(one.browser, scene.server.id);
    await end(one);
    assertRefused(await appOf(world, one.tokens.token).get('/servers'), 'UNAUTHORIZED');
    const late = await exchanged(world, code);
    assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant'], 'a code approved before');
    const ban = dataOf(await scene.admin.get(`/servers/${scene.server.id}/bans`))[0];
    if (ban) dataOf(await scene.admin.delete(`/server-bans/${ban.id}`));
    one.browser.place = 'none';
    dataOf(await one.browser.api.post('/server-members', { serverId: scene.server.id }));
    await isOver(one.tokens);
  });

test("suspending a user revokes their apps' access", async () => {
  const one = await member();
  await change(world.data, ({ db }) => db.run(update('user', one.user.id, { suspendedAt: clock.now() })));
  assertRefused(await appOf(world, one.tokens.token).get('/servers'), 'UNAUTHORIZED');
  assert.equal((await refreshed(world, one.tokens)).body.error, 'invalid_grant');
});

test('changing the password keeps the grants unless the user asks otherwise; resetting it with a link revokes them', async () => {
  const user = await world.user();
  await world.member(scene.server, user);
  const browser = await Browser.claimed(world, user);
  const tokens = await granted(world, browser, scene.server.id);
  const next = 'another horse that nobody rides';
  dataOf(await browser.post('/password', { password: PASSWORD, newPassword: next }));
  dataOf(await appOf(world, tokens.token).get('/servers'));
  dataOf(await browser.post('/password', { password: next, newPassword: PASSWORD, revokeGrants: true }));
  await isOver(tokens);
});

test('closing an account and deleting a server revoke the grants', async () => {
  const user = await world.user();
  const own = await world.server(user);
  const friend = await world.user();
  await world.member(own, friend);
  const owners = await Browser.claimed(world, user);
  const others = await granted(world, await Browser.of(world, friend), own.id);
  const mine = await granted(world, owners, own.id);
  owners.place = own.id;
  dataOf(await owners.post(`/servers/${own.id}/delete`, { name: own.name }));
  await isOver(mine);
  await isOver(others);
  await world.member(scene.server, user);
  const tokens = await granted(world, owners, scene.server.id);
  dataOf(await owners.post('/close', { username: user.username, messages: 'keep' }));
  await isOver(tokens);
  assert.deepEqual(await world.data.db.read.all(find('grant', { userId: user.id })), []);
});

test('erasing a person revokes and deletes their grants and pending codes', async () => {
  for (const messages of ['keep', 'delete']) {
    const { user, browser, tokens } = await member();
    const code = await grantCode(browser, scene.server.id);
    const stays = await member();
    await eraseUser(world.data, { username: user.username, messages });
    await isOver(tokens);
    assert.equal((await exchanged(world, code)).body.error, 'invalid_grant');
    for (const table of ['grant', 'approval'] as const)
      assert.deepEqual(await world.data.db.read.all(find(table, { userId: user.id })), [], table);
    dataOf(await appOf(world, stays.tokens.token).get('/servers'));
  }
});

test('metrics count active grants', async () => {
  const amount = () => metricOf(world, 'palaver_grants');
  const isNow = (expected: number) => until(async () => (await amount()) === expected);
  const { user, browser } = await member();
  const rows = await world.data.db.read.all(find('grant', {}));
  await isNow(rows.length);
  dataOf(await browser.delete('/grants'));
  await isNow(rows.length - 1);
  await granted(world, browser, scene.server.id);
  const end = update('grant', (await grantsOf(user))[0]?.id as string, { expiresAt: clock.now() });
  await world.data.db.write((tx) => tx.run(end));
  await isNow(rows.length - 1);
});

test("a person's export lists their apps without secrets, and platform admins see how many there are", async () => {
  const { user, browser, tokens } = await member();
  const row = await world.data.db.read.first(find('grant', { userId: user.id }));
  const headers = { 'palaver-server': 'none', cookie: browser.cookie };
  const text = await (await fetch(`${world.url}/api/people/export`, { headers })).text();
  const lines = text.split('\n').filter((line) => line.includes('"table":"grant"'));
  assert.equal(lines.length, 1, text.slice(0, 300));
  assert.match(lines[0] as string, /"client":"Palaver for Tests"/);
  for (const secret of [tokens.token, row?.digest, row?.familyDigest, row?.refreshDigest])
    assert.ok(!text.includes(secret as string));
  const admin = await Browser.of(world, await world.user({ platformAdmin: true }));
  assert.equal(dataOf(await admin.get(`/platform/users/${user.id}`)).grants, 1);
  dataOf(await admin.post(`/platform/users/${user.id}/sign-out`, {}));
  await isOver(tokens);
});

test('a grant requires two-factor authentication if its user needs it', async () => {
  const strict = await World.open({ secondFactor: 'admins' });
  const owner = await strict.user();
  const server = await strict.server(owner);
  const other = await strict.user();
  await strict.member(server, other);
  const browser = await Browser.of(strict, other);
  dataOf(await appOf(strict, (await granted(strict, browser, server.id)).token).get('/servers'));
  const { db } = strict.data;
  const tokens = await granted(strict, browser, server.id);
  await db.write((tx) => tx.run(update('server', server.id, { creatorId: other.id })));
  assertRefused(await appOf(strict, tokens.token).get('/servers'), 'FORBIDDEN');
  await strict.close();
});
