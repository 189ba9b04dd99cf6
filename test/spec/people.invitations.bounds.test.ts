import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountOf, Browser, giveAccount, invited } from '../support/account.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { change, q, update } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;

const clock = new TestClock();
let world: World;
let scene: Scene;
let owner: Browser;
before(async () => {
  world = await World.open({ clock, quotas: { invitations: 200 } });
  scene = await Scene.open(world);
  owner = await Browser.of(world, scene.owner, scene.server);
});
after(() => world.close());

const invite = (userId: string, by: Browser = owner) =>
  by.post('/invitations', { serverId: by.place, userId });

const typesOf = async (userId: string): Promise<string[]> =>
  (await logOf(world, userId)).map(({ type }) => type);

/** A new server with its owner in a browser. */
async function another(): Promise<{ scene: Scene; owner: Browser }> {
  const scene = await Scene.open(world);
  return { scene, owner: await Browser.of(world, scene.owner, scene.server) };
}

test('a ban closes an invitation, and prevents repeating it or sending another', async () => {
  const { user, browser } = await accountOf(world);
  const made = dataOf(await invite(user.id));
  const ban = await scene.make('/server-bans', { userId: user.id });
  assert.deepEqual(dataOf(await browser.get('/invitations')), []);
  assertRefused(await browser.post(`/invitations/${made.id}/accept`, {}), 'NOT_FOUND');
  assertRefused(await invite(user.id), 'FORBIDDEN');
  await scene.remove(`/server-bans/${ban.id}`);
  assertRefused(await invite(user.id), 'ALREADY_EXISTS');
  assert.deepEqual(await typesOf(user.id), ['invitation.created', 'invitation.deleted']);
});

test('a suspended person cannot be invited, and an invitation to a deleted server disappears', async () => {
  const suspended = await accountOf(world);
  await change(world.data, ({ db, now }) => db.run(update('user', suspended.user.id, { suspendedAt: now })));
  assertRefused(await invite(suspended.user.id), 'INVALID_REQUEST', '', 'userId');

  const gone = await another();
  const { user, browser } = await accountOf(world);
  const made = dataOf(await invite(user.id, gone.owner));
  dataOf(await gone.owner.post(`/servers/${gone.scene.server.id}/delete`, { name: gone.scene.server.name }));
  assert.deepEqual(dataOf(await browser.get('/invitations')), []);
  assertRefused(await browser.post(`/invitations/${made.id}/accept`, {}), 'NOT_FOUND');
  await world.tidy();
  await until(async () => (await typesOf(user.id)).includes('invitation.deleted'));
});

test('invitations are limited per server, per person, and per person and inviter', async () => {
  const { user, browser } = await accountOf(world);
  const servers: Browser[] = [];
  for (let made = 0; made < 11; made++)
    servers.push(await Browser.of(world, scene.owner, await world.server(scene.owner)));
  for (const by of servers.slice(0, 10)) dataOf(await invite(user.id, by));
  assertRefused(await invite(user.id, servers[10] as Browser), 'INVALID_REQUEST', '', 'userId');
  const listed = dataOf(await browser.get('/invitations?limit=4'));
  assert.equal(listed.length, 4);
  assert.deepEqual(idsOf(listed), idsOf(listed).toSorted().reverse(), 'newest first');
  for (const { id } of listed) dataOf(await browser.post(`/invitations/${id}/decline`, {}));
  assertRefused(
    await invite(user.id, servers[10] as Browser),
    'INVALID_REQUEST',
    'declined ones count',
    'userId',
  );

  // Adds invitations by another inviter, up to the limit per person.
  const rows = await Promise.all([...Array(94)].map(() => world.server(scene.owner)));
  await change(world.data, async ({ db, newRow, now }) => {
    for (const { id: serverId } of rows) {
      const row = { ...newRow(), serverId, userId: user.id, creatorId: user.id, closedAt: null };
      await db.run(q.insertInto('invitation').values({ ...row, expiresAt: now + DAY_MS }));
    }
  });
  const fresh = await another();
  assertRefused(await invite(user.id, fresh.owner), 'INVALID_REQUEST', '', 'userId');
  const [first] = dataOf(await browser.get('/invitations?limit=1'));
  dataOf(await browser.post(`/invitations/${first.id}/decline`, {}));
  dataOf(await invite(user.id, fresh.owner));

  const full = await World.open({ place: world.place, clock, quotas: { invitations: 1 } });
  const small = await another();
  const inFull = await Browser.of(full, small.scene.owner, small.scene.server);
  dataOf(await invite((await accountOf(world)).user.id, inFull));
  assertRefused(await invite((await accountOf(world)).user.id, inFull), 'INVALID_REQUEST');
  await full.close();
});

test('two concurrent accepts create one member', async () => {
  const { user, browser } = await accountOf(world);
  const made = dataOf(await invite(user.id));
  const answers = await Promise.all(
    [...Array(6)].map(() => browser.post(`/invitations/${made.id}/accept`, {})),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404]);
});

test('an invitation reveals nothing about the invited person to the inviter', async () => {
  const user = await giveAccount(world, await world.user({ name: 'Grace Hopper' }));
  const answer = await invite(user.id);
  assert.ok(!JSON.stringify(answer.body).includes('Grace'));
  assertRefused(await owner.api.get(`/users/${user.id}`), 'FORBIDDEN');
});

test("an export contains the person's invitations, and closing the account removes them", async () => {
  const { user, browser } = await accountOf(world);
  const made = dataOf(await invite(user.id));
  const other = await another();
  await invited(other.owner, browser, user.id);
  browser.place = other.scene.server.id;
  dataOf(await browser.post(`/servers/${browser.place}/leave`, {}));
  const exported = await fetch(`${world.url}/api/people/export`, {
    headers: { 'palaver-server': 'none', cookie: browser.cookie },
  });
  const rows = (await exported.text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Json);
  const inTable = (name: string) => rows.filter(({ table }) => table === name).map(({ row }) => row);
  assert.deepEqual(
    inTable('invitation').map(({ id }) => id),
    [made.id],
  );
  assert.deepEqual(
    inTable('departure').map(({ serverId }) => serverId),
    [other.scene.server.id],
  );
  dataOf(await browser.post('/close', { username: user.username, messages: 'keep' }));
  for (const table of ['invitation', 'departure'] as const) {
    const left = q.selectFrom(table).selectAll().where('userId', '=', user.id);
    assert.deepEqual(await world.data.db.read.all(left), []);
  }
});
