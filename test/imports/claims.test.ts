import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountOf, Browser, giveAccount, linkFor, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { type MergeScene, openMergeScene } from '../support/mergeScene.ts';
import { addLink, change, find, update } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// One-time links that let people claim imported users.

let on: MergeScene;
before(async () => {
  on = await openMergeScene();
});
after(() => on.close());

const look = async (token: string): Promise<Json> =>
  dataOf(await new Browser(on.world).post('/links/look', { token }));

test('a signed-in person claims a user with a link, which shows the user', async () => {
  const { grace, linus, server, pier } = await on.scene();
  const { browser, user } = await accountOf(on.world);
  const { token } = await linkFor(on.world, grace);
  const seen = await look(token);
  assert.deepEqual(
    [seen.purpose, seen.username, seen.name, seen.image, seen.canMerge],
    ['claim', grace.username, grace.name, null, true],
  );
  assert.deepEqual(seen.servers, [{ id: server.id, name: server.name, icon: null }]);
  const claimed = dataOf(await browser.post('/links/merge', { token }));
  assert.deepEqual(
    [claimed.id, claimed.username, claimed.name, claimed.image],
    [grace.id, grace.username, grace.name, null],
  );
  assert.equal((await on.rowOf(grace.id))?.accountId, user.id);
  await on.merged();
  assert.deepEqual(await on.left(grace.id), []);
  browser.place = server.id;
  assert.deepEqual(await on.authors(browser.api, pier), new Set([user.id, linus.id]));
  const audits = await on.world.data.db.read.all(find('audit', { command: 'user claim' }));
  const entry = audits.find(({ about }) => (about as Json).id === grace.id);
  assert.deepEqual(
    [entry?.actor, entry?.actorId, entry?.about],
    ['person', user.id, { id: grace.id, accountId: user.id }],
  );
});

test('a link can still create a separate account', async () => {
  const { grace } = await on.scene();
  const { token } = await linkFor(on.world, grace);
  const browser = new Browser(on.world);
  const claimed = dataOf(await browser.post('/links/claim', { token, password: PASSWORD }));
  assert.equal(claimed.id, grace.id);
  assert.equal(await on.rowOf(grace.id), undefined);
  assertRefused(await browser.post('/links/merge', { token }), 'NOT_FOUND');
});

test('used, expired and unknown links are not found', async () => {
  const { grace, linus } = await on.scene();
  const { browser } = await accountOf(on.world);
  const { token } = await linkFor(on.world, grace);
  dataOf(await browser.post('/links/merge', { token }));
  assertRefused(await browser.post('/links/merge', { token }), 'NOT_FOUND', 'used by the same person');
  const { browser: other } = await accountOf(on.world);
  assertRefused(await other.post('/links/merge', { token }), 'NOT_FOUND', 'used by somebody else');
  const late = await change(on.world.data, (work) =>
    addLink(work, { purpose: 'claim', userId: linus.id, email: null }),
  );
  await on.world.data.db.write((tx) => tx.run(update('link', late.id, { expiresAt: 1 })));
  assertRefused(await browser.post('/links/merge', { token: late.token }), 'NOT_FOUND', 'expired');
  for (const unknown of ['', 'link_plv_', `${late.token}x`, grace.id, '\u0000', "' or 1=1 --"]) {
    const { status } = await browser.post('/links/merge', { token: unknown });
    assert.ok(status === 404 || status === 400, unknown);
  }
  assertRefused(await browser.post('/links/merge', {}), 'INVALID_REQUEST');
  assert.equal((await on.rowOf(linus.id))?.accountId, null);
});

test('of two accounts that use a link at once, one claims the user', async () => {
  const { grace } = await on.scene();
  const { token } = await linkFor(on.world, grace);
  const both = await Promise.all([accountOf(on.world), accountOf(on.world)]);
  const answers = await Promise.all(both.map(({ browser }) => browser.post('/links/merge', { token })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
  const winner = both[answers.findIndex(({ status }) => status === 200)];
  assert.equal((await on.rowOf(grace.id))?.accountId, winner?.user.id);
});

test('a link claims nobody who belongs to an account, is suspended or administers the platform', async () => {
  const { grace, linus } = await on.scene();
  const { browser, user } = await accountOf(on.world);
  const { user: other } = await accountOf(on.world);
  const set = (fields: object) =>
    on.world.data.db.write((tx) => tx.run(update('user', grace.id, fields as never)));
  const refused = async (code: string, why: string) => {
    // A new link, as if it had been created at the same time as the change.
    const { token } = await linkFor(on.world, grace);
    assert.equal((await look(token)).canMerge, false, why);
    assertRefused(await browser.post('/links/merge', { token }), code as never, why);
    assert.equal((await look(token)).purpose, 'claim', 'the link is not used up');
  };
  await set({ platformAdmin: true });
  await refused('INVALID_REQUEST', 'a platform admin');
  await set({ platformAdmin: false, suspendedAt: 1 });
  await refused('INVALID_REQUEST', 'suspended');
  await set({ suspendedAt: null });
  for (const account of [user, other]) {
    await on.world.data.db.write((tx) =>
      tx.run(update('placeholder', grace.id, { accountId: account.id, claimedAt: 1 })),
    );
    await refused('ALREADY_EXISTS', account === user ? 'claimed by oneself' : 'claimed by another account');
  }
  const own = await linkFor(on.world, user);
  assertRefused(await browser.post('/links/merge', { token: own.token }), 'INVALID_REQUEST', 'own account');
  await giveAccount(on.world, linus);
  const { token } = await linkFor(on.world, linus);
  assertRefused(await browser.post('/links/merge', { token }), 'ALREADY_EXISTS', 'has an account');
});

test('other kinds of links, other sites and signed-out people cannot claim anybody', async () => {
  const { grace } = await on.scene();
  const { browser, user } = await accountOf(on.world);
  const { user: other } = await accountOf(on.world);
  for (const purpose of ['password', 'recovery'] as const) {
    const { token } = await linkFor(on.world, other, purpose);
    assert.deepEqual((await look(token)).servers, []);
    assertRefused(await browser.post('/links/merge', { token }), 'INVALID_REQUEST', purpose);
  }
  for (const [of, purpose] of [
    [undefined, 'signUp'],
    [user, 'email'],
  ] as const) {
    const { token } = await linkFor(on.world, of, purpose, 'ada@example.org');
    assertRefused(await browser.post('/links/merge', { token }), 'INVALID_REQUEST', purpose);
  }
  const { token } = await linkFor(on.world, grace);
  assertRefused(await new Browser(on.world).post('/links/merge', { token }), 'UNAUTHORIZED');
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  assertRefused(await browser.post('/links/merge', { token }, foreign), 'UNAUTHORIZED');
  assert.equal((await on.rowOf(grace.id))?.accountId, null);
});

test('a user who was added on the command line is claimed like an imported person', async () => {
  const { browser, user } = await accountOf(on.world);
  const added = await on.world.user();
  const server = await on.world.server(on.owner);
  await on.world.member(server, added);
  const { token } = await linkFor(on.world, added);
  dataOf(await browser.post('/links/merge', { token }));
  await on.merged();
  browser.place = server.id;
  const members = dataOf(await browser.api.get(`/servers/${server.id}/members?limit=10`));
  assert.deepEqual(members.map(({ userId }: Json) => userId).sort(), [on.owner.id, user.id].sort());
  assert.deepEqual(await on.left(added.id), []);
});

test('guessing links is limited per person', async () => {
  const world = await World.open({ limits: { '*': 0, person: 3 } });
  try {
    const { browser, user } = await accountOf(world);
    const answers: number[] = [];
    for (let tries = 0; tries < 4; tries++)
      answers.push((await browser.post('/links/merge', { token: `link_plv_${user.id}` })).status);
    assert.deepEqual(answers, [404, 404, 404, 429]);
  } finally {
    await world.close();
  }
});

test('members that no account has claimed are marked until one claims them', async () => {
  const { grace, linus, server, admin } = await on.scene();
  const listed = async () =>
    new Map(
      dataOf(await admin.get(`/servers/${server.id}/members?limit=10`)).map(
        ({ userId, unclaimed }: Json) => [userId, unclaimed] as const,
      ),
    );
  const changes = async () =>
    (await admin.get('/events?wait=0&limit=100')).body.data
      .filter(({ type, data }: Json) => type === 'serverMember.updated' && data.userId === linus.id)
      .map(({ data }: Json) => data.unclaimed);
  assert.deepEqual(
    await listed(),
    new Map([
      [on.owner.id, false],
      [grace.id, true],
      [linus.id, true],
    ]),
  );
  const { browser, user } = await accountOf(on.world);
  dataOf(await browser.post('/links/merge', { token: (await linkFor(on.world, grace)).token }));
  await on.merged();
  const { token } = await linkFor(on.world, linus);
  dataOf(await new Browser(on.world).post('/links/claim', { token, password: PASSWORD }));
  assert.deepEqual(await changes(), []);
  await on.world.tidy();
  assert.deepEqual(await changes(), [false], 'members are notified');
  assert.deepEqual(
    await listed(),
    new Map([
      [on.owner.id, false],
      [user.id, false],
      [linus.id, false],
    ]),
  );
});

test('an imported person who is added to another server is marked there, too', async () => {
  const { grace } = await on.scene();
  const server = await on.world.server(on.owner);
  const admin = await on.world.client(server, ['canAdmin'], on.owner);
  const added = await admin.post('/server-members', { userId: grace.id });
  dataOf(added);
  const { data: events } = (await admin.get('/events?wait=0&limit=100')).body;
  const [created] = events.filter(({ data }: Json) => data.userId === grace.id);
  assert.equal(created.data.unclaimed, true);
});
