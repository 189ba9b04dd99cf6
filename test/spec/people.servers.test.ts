import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock });
});
after(() => world.close());

test('a person who creates a server becomes its creator, first member and admin', async () => {
  const user = await world.user();
  const browser = await Browser.of(world, user);
  const made = dataOf(await browser.post('/servers', { name: 'Harbour' }));
  assert.deepEqual([made.name, made.creatorId, made.memberCount], ['Harbour', user.id, 1]);
  browser.place = made.id;
  const me = dataOf(await browser.get('/me'));
  assert.equal(me.isServerCreator, true);
  assert.ok(me.flags.includes('canAdmin'));
  dataOf(await browser.api.post('/channels', { name: 'general' }));
  const types = (await logOf(world, made.id)).map(({ type }) => type);
  assert.ok(types.includes('server.created') && types.includes('serverMember.created'), String(types));
  for (const name of ['', ' ', 5, 'x'.repeat(101)])
    assertRefused(await browser.post('/servers', { name }), 'INVALID_REQUEST', String(name), 'name');
});

test('a person can create at most a hundred servers', async () => {
  const user = await world.user();
  for (let number = 0; number < 99; number++) await world.server(user);
  const browser = await Browser.of(world, user);
  dataOf(await browser.post('/servers', { name: 'The last' }));
  assertRefused(await browser.post('/servers', { name: 'Too many' }), 'INVALID_REQUEST');
});

test('nobody can receive ownership of more servers than they may create', async () => {
  const { server, owner } = await Scene.open(world);
  const heir = await world.user();
  await world.member(server, heir);
  const servers: Json[] = [];
  for (let number = 0; number < 100; number++) servers.push(await world.server(heir));
  const handOver = async () =>
    (await Browser.of(world, owner, server)).post(`/servers/${server.id}/hand-over`, {
      userId: heir.id,
      name: server.name,
    });
  const refused = await handOver();
  assertRefused(refused, 'INVALID_REQUEST');
  const [{ reason, message }] = refused.body.error.details;
  assert.equal(reason, 'quota');
  assert.match(message, /^they have reached the limit of 100 servers/);
  const [first] = servers;
  const browser = await Browser.of(world, heir, first);
  dataOf(await browser.post(`/servers/${first.id}/delete`, { name: first.name }));
  assert.equal(dataOf(await handOver()).creatorId, heir.id);
});

test('an account that is closed while receiving ownership of a server does not keep the server', async () => {
  for (let round = 0; round < 8; round++) {
    const { server, owner } = await Scene.open(world);
    const heir = await world.user();
    await world.member(server, heir);
    const [giver, closer] = [await Browser.of(world, owner, server), await Browser.claimed(world, heir)];
    const [given, closed] = await Promise.all([
      giver.post(`/servers/${server.id}/hand-over`, { userId: heir.id, name: server.name }),
      closer.post('/close', { username: heir.username, messages: 'keep' }),
    ]);
    assert.equal(
      Number(given.status === 200) + Number(closed.status === 200),
      1,
      JSON.stringify([given.body, closed.body]),
    );
  }
});

test('only one of several concurrent requests for the last server that a person is allowed to create succeeds', async () => {
  const user = await world.user();
  for (let number = 0; number < 99; number++) await world.server(user);
  const browser = await Browser.of(world, user);
  const make = (_: unknown, number: number) => browser.post('/servers', { name: `Server ${number}` });
  const answers = await Promise.all(Array.from({ length: 10 }, make));
  const [made, ...others] = answers.toSorted((one, other) => one.status - other.status);
  dataOf(made as Answer);
  for (const answer of others) assertRefused(answer, 'INVALID_REQUEST');
});

test('a person can list all of their servers, including private ones, even while acting in none', async () => {
  const user = await world.user();
  const servers: Json[] = [];
  for (let number = 0; number < 2; number++) {
    const scene = await Scene.open(world);
    await world.member(scene.server, user);
    dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { private: true }));
    servers.push(scene.server);
  }
  const browser = await Browser.of(world, user);
  assert.deepEqual(idsOf(dataOf(await browser.api.get('/servers'))), idsOf(servers));
  const key = await world.client(servers[0], [], user);
  assert.deepEqual(idsOf(dataOf(await key.get('/servers'))), [servers[0].id], 'a key sees its own server');
  assertRefused(await browser.api.get(`/servers/${servers[0].id}`), 'FORBIDDEN');
  browser.place = servers[0].id;
  dataOf(await browser.api.get(`/servers/${servers[0].id}`));
});

test('the creator can transfer a server to a member, by typing its name and confirming their identity', async () => {
  const scene = await Scene.open(world);
  const { server, owner } = scene;
  const heir = await world.user();
  await world.member(server, heir);
  const [browser, next] = [await Browser.of(world, owner, server), await Browser.of(world, heir, server)];
  const handOver = (body: object, by = browser) => by.post(`/servers/${server.id}/hand-over`, body);
  const body = { userId: heir.id, name: server.name };
  assertRefused(await handOver({ ...body, name: 'Another' }), 'INVALID_REQUEST', '', 'name');
  assertRefused(
    await handOver({ ...body, userId: (await world.user()).id }),
    'INVALID_REQUEST',
    '',
    'userId',
  );
  const agent = await world.user({ agent: true });
  await world.member(server, agent);
  assertRefused(await handOver({ ...body, userId: agent.id }), 'INVALID_REQUEST', '', 'userId');
  assertRefused(await handOver({ ...body, userId: 'nobody' }), 'NOT_FOUND');
  assertRefused(await handOver(body, next), 'FORBIDDEN');
  const admins = await scene.role({ canAdmin: true });
  const admin = await world.user();
  await world.member(server, admin);
  await scene.make('/user-roles', { userId: admin.id, roleId: admins.id });
  assertRefused(await handOver(body, await Browser.of(world, admin, server)), 'FORBIDDEN', 'an admin');
  assertRefused(
    await handOver(body, await Browser.of(world, owner)),
    'FORBIDDEN',
    'while acting in another server',
  );
  clock.advance(10 * 60_000);
  const late = await handOver(body);
  assertRefused(late, 'FORBIDDEN');
  assert.match(late.body.error.details.rule, /^proof: /);

  const proven = await Browser.of(world, owner, server);
  assert.equal(dataOf(await handOver(body, proven)).creatorId, heir.id);
  const me = dataOf(await next.get('/me'));
  assert.deepEqual([me.isServerCreator, me.flags.includes('canAdmin')], [true, true]);
  assert.equal(dataOf(await proven.get('/me')).isServerCreator, false);
  assertRefused(await handOver(body, proven), 'FORBIDDEN', 'they no longer own it');
  const changed = (await logOf(world, server.id)).filter(({ type }) => type === 'server.updated');
  assert.equal(changed.at(-1)?.data.creatorId, heir.id);
});
