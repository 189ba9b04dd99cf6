import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountOf, Browser, invited } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { endOf, logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { change, createMember, q } from '../support/sources.ts';
import { type Json, listAll, TestClock, World } from '../support/world.ts';

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

const membersOf = async ({ admin, server }: Scene): Promise<string[]> =>
  (await listAll(admin, `/servers/${server.id}/members`)).map(({ userId }) => userId);

/** Lets days pass. Sessions expire in the meantime, so the owner and the person sign in again. */
async function pass(days: number, user: Json, browser: Browser): Promise<void> {
  clock.advance(days * DAY_MS);
  owner = await Browser.of(world, scene.owner, scene.server);
  browser.cookie = (await Browser.of(world, user)).cookie;
}

test('a person with an account becomes a member only by accepting an invitation', async () => {
  const { user, browser } = await accountOf(world);
  const refused = await scene.admin.post('/server-members', { userId: user.id });
  assertRefused(refused, 'FORBIDDEN');
  assert.match(refused.body.error.details.rule, /POST \/api\/people\/invitations/);
  assert.match(refused.body.error.message, /POST \/api\/people\/invitations/);
  assertRefused(await owner.api.post('/server-members', { userId: user.id }), 'FORBIDDEN');

  const stream = await browser.stream();
  await stream.told('opening');
  const made = dataOf(await invite(user.id));
  assert.deepEqual(
    [made.serverId, made.userId, made.creatorId, made.server.name, made.inviter.username],
    [scene.server.id, user.id, scene.owner.id, scene.server.name, scene.owner.username],
  );
  assert.equal(made.expiresAt, clock.at + 30 * DAY_MS);
  assert.ok(!(await membersOf(scene)).includes(user.id), 'an invitation is not a membership');
  const event = await stream.event(({ type }) => type === 'invitation.created');
  assert.deepEqual([event.data, event.serverId, event.actorId], [made, null, scene.owner.id]);
  assert.deepEqual(dataOf(await browser.get('/invitations')), [made]);
  assert.deepEqual(dataOf(await owner.get('/invitations')), [], 'only the invited person sees it');

  const member = dataOf(await browser.post(`/invitations/${made.id}/accept`, {}));
  assert.deepEqual([member.serverId, member.userId], [scene.server.id, user.id]);
  assert.ok((await membersOf(scene)).includes(user.id));
  await stream.event(({ type, data }) => type === 'invitation.deleted' && data.id === made.id);
  await stream.told('joined');
  stream.close();
  const [joined] = (await logOf(world, scene.server.id)).filter(
    ({ type, data }) => type === 'serverMember.created' && data.userId === user.id,
  );
  assert.equal(joined?.actorId, user.id, 'the person has joined by themselves');
  assert.deepEqual(dataOf(await browser.get('/invitations')), []);
  assertRefused(await browser.post(`/invitations/${made.id}/accept`, {}), 'NOT_FOUND');
  assertRefused(await invite(user.id), 'ALREADY_EXISTS');
  assertRefused(await scene.admin.post('/server-members', { userId: user.id }), 'ALREADY_EXISTS');
});

test('the inviter does not have to act in the server, but needs permission there', async () => {
  const { user } = await accountOf(world);
  const elsewhere = await Scene.open(world);
  for (const place of ['none', elsewhere.server.id]) {
    const by = await Browser.of(world, scene.owner);
    by.place = place;
    const body = { serverId: elsewhere.server.id, userId: user.id };
    assertRefused(await by.post('/invitations', body), 'FORBIDDEN', place);
    const other = await accountOf(world);
    dataOf(await by.post('/invitations', { serverId: scene.server.id, userId: other.user.id }));
  }
});

test('an invitation lets a person join a private server', async () => {
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { private: true }));
  const { user, browser } = await accountOf(world);
  assert.equal((await invited(owner, browser, user.id)).userId, user.id);
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { private: false }));
});

test('agents and users without an account are added; they cannot be invited', async () => {
  for (const user of [await world.user(), await world.user({ agent: true })]) {
    assertRefused(await invite(user.id), 'INVALID_REQUEST', '', 'userId');
    assert.equal((await scene.make('/server-members', { userId: user.id })).userId, user.id);
  }
});

test('only admins and moderators invite, and only the invited person responds', async () => {
  const { user, browser } = await accountOf(world);
  const plain = await accountOf(world);
  await world.member(scene.server, plain.user);
  plain.browser.place = scene.server.id;
  const outsider = await accountOf(world);
  const moderator = await accountOf(world);
  const role = await scene.role({ canModerate: true });
  await world.member(scene.server, moderator.user);
  await scene.make('/user-roles', { userId: moderator.user.id, roleId: role.id });
  moderator.browser.place = scene.server.id;

  const refused = await invite(user.id, plain.browser);
  assertRefused(refused, 'FORBIDDEN');
  assert.deepEqual(refused.body.error.details.need, ['canModerate']);
  const fromOutside = { serverId: scene.server.id, userId: user.id };
  assertRefused(await outsider.browser.post('/invitations', fromOutside), 'FORBIDDEN');
  assertRefused(await new Browser(world).post('/invitations', fromOutside), 'UNAUTHORIZED');
  const withKey = { body: fromOutside, headers: { authorization: `Bearer ${scene.admin.key}` } };
  const answer = await world.request('POST', `${world.url}/api/people/invitations`, withKey);
  assert.equal(answer.status, 401, 'keys do not invite');

  const made = dataOf(await invite(user.id, moderator.browser));
  for (const other of [owner, outsider.browser, plain.browser])
    for (const act of ['accept', 'decline'])
      assertRefused(await other.post(`/invitations/${made.id}/${act}`, {}), 'FORBIDDEN', act);
  assertRefused(await browser.post('/invitations/none/accept', {}), 'NOT_FOUND');
  assertRefused(await invite('none'), 'NOT_FOUND');
  assertRefused(await owner.post('/invitations', { serverId: 'none', userId: user.id }), 'NOT_FOUND');
  assertRefused(
    await owner.post('/invitations', { serverId: scene.server.id }),
    'INVALID_REQUEST',
    '',
    'userId',
  );
  assertRefused(await owner.post('/invitations', { userId: user.id }), 'INVALID_REQUEST', '', 'serverId');
});

test('declining blocks invitations to the server for a year, and the inviter cannot tell', async () => {
  const { user, browser } = await accountOf(world);
  const made = dataOf(await invite(user.id));
  const pending = await invite(user.id);
  assertRefused(pending, 'ALREADY_EXISTS');
  const declined = dataOf(await browser.post(`/invitations/${made.id}/decline`, {}));
  assert.equal(declined.id, made.id);
  assert.deepEqual(dataOf(await browser.get('/invitations')), []);
  assertRefused(await browser.post(`/invitations/${made.id}/accept`, {}), 'NOT_FOUND');
  assertRefused(await browser.post(`/invitations/${made.id}/decline`, {}), 'NOT_FOUND');
  const repeated = await invite(user.id);
  const { requestId: _one, ...error } = repeated.body.error;
  const { requestId: _other, ...asPending } = pending.body.error;
  assert.deepEqual(error, asPending);
  await pass(364, user, browser);
  await world.tidy();
  assertRefused(await invite(user.id), 'ALREADY_EXISTS');
  // Upkeep deletes old events, but not the latest one, which still has the number two.
  assert.equal(await endOf(world, user.id), 2, 'nothing more is heard');
  await pass(2, user, browser);
  dataOf(await invite(user.id));
  // The invited person can also join by themselves.
  browser.place = scene.server.id;
  dataOf(await browser.api.post('/server-members', { serverId: scene.server.id }));
  assert.deepEqual(dataOf(await browser.get('/invitations')), []);
});

test('people are invited by username, and the server lists and withdraws its invitations', async () => {
  const place = await Scene.open(world);
  const by = await Browser.of(world, place.owner, place.server);
  const listed = async () => dataOf(await by.get(`/servers/${place.server.id}/invitations`));
  const { user, browser } = await accountOf(world);
  const body = { serverId: place.server.id, username: `@${user.username.toUpperCase()}` };
  const made = dataOf(await by.post('/invitations', body));
  assert.equal(made.userId, user.id);
  const [sent, ...rest] = await listed();
  assert.deepEqual(
    [sent.id, sent.user.username, sent.expiresAt, rest.length],
    [made.id, user.username, made.expiresAt, 0],
  );
  assertRefused(
    await by.post('/invitations', { serverId: place.server.id, username: 'nobody-has-it' }),
    'NOT_FOUND',
  );
  const both = { ...body, userId: user.id };
  assertRefused(await by.post('/invitations', both), 'INVALID_REQUEST', '', 'userId');

  const plain = await accountOf(world);
  await world.member(place.server, plain.user);
  plain.browser.place = place.server.id;
  assertRefused(await plain.browser.get(`/servers/${place.server.id}/invitations`), 'FORBIDDEN');
  for (const other of [plain.browser, browser, owner])
    assertRefused(await other.delete(`/invitations/${made.id}`), 'FORBIDDEN');

  const stream = await browser.stream();
  await stream.told('opening');
  assert.equal(dataOf(await by.delete(`/invitations/${made.id}`)).id, made.id);
  await stream.event(({ type, data }) => type === 'invitation.deleted' && data.id === made.id);
  stream.close();
  assert.deepEqual([await listed(), dataOf(await browser.get('/invitations'))], [[], []]);
  assertRefused(await browser.post(`/invitations/${made.id}/accept`, {}), 'NOT_FOUND');
  assertRefused(await by.delete(`/invitations/${made.id}`), 'NOT_FOUND');
});

test('an invitation that was declined is listed and withdrawn like an open one', async () => {
  const place = await Scene.open(world);
  const by = await Browser.of(world, place.owner, place.server);
  const path = `/servers/${place.server.id}/invitations`;
  const one = await accountOf(world);
  const other = await accountOf(world);
  const made: Json[] = [];
  for (const { user } of [one, other])
    made.push(dataOf(await by.post('/invitations', { serverId: place.server.id, userId: user.id })));
  dataOf(await one.browser.post(`/invitations/${made[0]?.id}/decline`, {}));
  const shown = dataOf(await by.get(path));
  assert.deepEqual(
    shown.map(({ id, expiresAt }: Json) => [id, expiresAt]),
    made.map(({ id, expiresAt }) => [id, expiresAt]).reverse(),
  );
  assert.deepEqual(Object.keys(shown[0]), Object.keys(shown[1]));
  for (const { id } of made) dataOf(await by.delete(`/invitations/${id}`));
  assert.deepEqual(dataOf(await by.get(path)), []);
  for (const { user } of [one, other])
    assertRefused(
      await by.post('/invitations', { serverId: place.server.id, userId: user.id }),
      'ALREADY_EXISTS',
    );
});

test('an invitation expires after 30 days, and can then be repeated, whether or not upkeep has deleted it', async () => {
  const { user, browser } = await accountOf(world);
  const made = dataOf(await invite(user.id));
  await pass(30, user, browser);
  assert.deepEqual(dataOf(await browser.get('/invitations')), []);
  assertRefused(await browser.post(`/invitations/${made.id}/accept`, {}), 'NOT_FOUND');
  const second = dataOf(await invite(user.id));
  assert.notEqual(second.id, made.id);
  await pass(31, user, browser);
  await world.tidy();
  const rows = q.selectFrom('invitation').selectAll().where('userId', '=', user.id);
  assert.deepEqual(await world.data.db.read.all(rows), []);
  dataOf(await invite(user.id));
});

const ways: Record<string, (browser: Browser, member: Json) => Promise<unknown>> = {
  'with their own request': async (browser, { id }) =>
    dataOf(await browser.api.delete(`/server-members/${id}`)),
  'by the web client': async (browser) => dataOf(await browser.post(`/servers/${browser.place}/leave`, {})),
};
for (const [way, leave] of Object.entries(ways))
  test(`a member who left ${way} can only come back on their own`, async () => {
    const { user, browser } = await accountOf(world);
    const member = await invited(owner, browser, user.id);
    browser.place = scene.server.id;
    await leave(browser, member);
    assertRefused(await scene.admin.post('/server-members', { userId: user.id }), 'FORBIDDEN');
    const adding = change(world.data, (work) =>
      createMember(work, { server: scene.server.id, user: user.id }),
    );
    await assert.rejects(adding, /left the server/);
    // A person who left has to accept an invitation.
    browser.place = 'none';
    await invited(owner, browser, user.id);
    const left = q.selectFrom('departure').selectAll().where('userId', '=', user.id);
    assert.deepEqual(await world.data.db.read.all(left), []);
  });

test('a user without an account who left cannot be added again, but a kicked one can', async () => {
  const user = await world.user();
  const client = await world.client(scene.server, [], user);
  const [member] = (await listAll(scene.admin, `/servers/${scene.server.id}/members`)).filter(
    ({ userId }) => userId === user.id,
  );
  dataOf(await client.delete(`/server-members/${member.id}`));
  const refused = await scene.admin.post('/server-members', { userId: user.id });
  assertRefused(refused, 'FORBIDDEN');
  assert.match(refused.body.error.message, /left/);
  const kicked = await scene.member();
  await scene.remove(`/server-members/${kicked.id}`);
  await scene.make('/server-members', { userId: kicked.userId });
});
