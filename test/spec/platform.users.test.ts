import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseUser } from '../../server/src/cli/people/erase.ts';
import { accountOf, Browser, PASSWORD } from '../support/account.ts';
import { addRows } from '../support/crowds.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { openPlatformScene, type PlatformScene } from '../support/platformScene.ts';
import { Scene } from '../support/scene.ts';
import { type Json, listAll } from '../support/world.ts';

let { clock, world, root, browser, audited, prove } = {} as PlatformScene;
before(async () => {
  ({ clock, world, root, browser, audited, prove } = await openPlatformScene());
});
after(() => world.close());

test('users can be found by a prefix of their username or their name, and are listed page by page', async () => {
  const word = world.unique('zoe');
  const users: Json[] = [];
  for (const name of ['Ågot', 'Zeta One', 'zeta two', 'Zeta%', 'Zet'])
    users.push(await world.user({ username: `${word}${users.length}`, name }));
  const named = async (query: string): Promise<string[]> =>
    (await listAll(browser, `/platform/users?${query}`, 2)).map(({ name }) => name);
  assert.deepEqual(await named(`username=${word.toUpperCase()}`), [
    'Ågot',
    'Zeta One',
    'zeta two',
    'Zeta%',
    'Zet',
  ]);
  assert.deepEqual((await named('name=ZETA')).sort(), ['Zeta One', 'Zeta%', 'zeta two']);
  assert.deepEqual(await named('name=Zeta%25'), ['Zeta%']);
  assert.deepEqual(await named('username=nobody.at.all'), []);
  const newest = dataOf(await browser.get('/platform/users?limit=2'));
  assert.deepEqual(idsOf(newest), [users[4].id, users[3].id]);
  assert.deepEqual(idsOf(await listAll(browser, '/platform/users?platformAdmin=true')), [root.id]);
  assertRefused(await browser.get('/platform/users?name=a&username=a'), 'INVALID_REQUEST');
  const user = users[0] as Json;
  await Browser.claimed(world, user);
  const one = dataOf(await browser.get(`/platform/users/${user.id}`));
  assert.deepEqual(
    [one.hasAccount, one.email, one.hasSecondFactor, one.sessions, one.servers],
    [true, null, false, 1, 0],
  );
  assertRefused(await browser.get('/platform/users/nobody'), 'NOT_FOUND');
});

test('suspending a user disables their keys, sessions, streams and agents until the suspension is lifted', async () => {
  const scene = await Scene.open(world);
  const user = await world.user();
  await world.member(scene.server, user);
  const role = await scene.role({ canEditApp: true });
  await scene.make('/user-roles', { userId: user.id, roleId: role.id });
  const victim = await Browser.claimed(world, user);
  victim.place = scene.server.id;
  const key = await world.client(scene.server, [], user);
  const agent = dataOf(await victim.api.post('/secrets', { kind: 'apiKey', name: 'Bot', roleId: role.id }));
  const child = dataOf(
    await world.as(agent.key).post('/secrets', { kind: 'apiKey', name: 'Child', roleId: role.id }),
  );
  const keys = [key, world.as(agent.key), world.as(child.key)];
  for (const one of keys) dataOf(await one.get('/users/me'));
  const { body } = await fetch(`${world.url}/api/v1/events`, {
    headers: { accept: 'text/event-stream', cookie: victim.cookie, 'palaver-server': scene.server.id },
    signal: AbortSignal.timeout(30_000),
  });
  const ended = (async () => {
    for await (const _piece of body as ReadableStream<Uint8Array>);
  })();

  const answer = dataOf(await browser.post(`/platform/users/${user.id}/suspend`, {}));
  assert.deepEqual(
    [answer.id, answer.suspendedAt, answer.agents, answer.isAll],
    [user.id, clock.now(), 2, true],
  );
  for (const one of keys) {
    const refused = await one.get('/users/me');
    assertRefused(refused, 'INVALID_API_KEY');
    assert.match(refused.body.error.message, /suspended/);
  }
  const refused = await victim.get('/me');
  assertRefused(refused, 'UNAUTHORIZED');
  assert.match(refused.body.error.message, /suspended/);
  await ended;
  const signIn = await new Browser(world).post('/sign-in', { name: user.username, password: PASSWORD });
  assertRefused(signIn, 'UNAUTHORIZED');
  assert.match(signIn.body.error.message, /suspended/);
  const wrong = await new Browser(world).post('/sign-in', { name: user.username, password: 'wrong' });
  assert.doesNotMatch(
    wrong.body.error.message,
    /suspended/,
    'only callers with the right password learn about the suspension',
  );
  assertRefused(
    await browser.post(`/platform/users/${user.id}/link`, { purpose: 'password' }),
    'INVALID_REQUEST',
  );
  const suspended = await listAll(browser, '/platform/users?suspended=true');
  assert.deepEqual(new Set(idsOf(suspended)), new Set([user.id, agent.userId, child.userId]));
  assert.deepEqual((await audited()).about, { id: user.id, agents: 2 });
  dataOf(await scene.admin.get(`/users/${user.id}`));

  const lifted = dataOf(await browser.post(`/platform/users/${user.id}/lift`, {}));
  assert.deepEqual([lifted.suspendedAt, lifted.agents], [null, 2]);
  for (const one of keys) dataOf(await one.get('/users/me'));
  dataOf(await victim.get('/me'));
});

test("an agent that was suspended itself stays suspended when its creator's suspension is lifted", async () => {
  const scene = await Scene.open(world);
  const { userId } = await scene.secret();
  dataOf(await browser.post(`/platform/users/${userId}/suspend`, {}));
  assert.equal(dataOf(await browser.post(`/platform/users/${scene.owner.id}/suspend`, {})).agents, 0);
  dataOf(await browser.post(`/platform/users/${scene.owner.id}/lift`, {}));
  assert.notEqual(dataOf(await browser.get(`/platform/users/${userId}`)).suspendedAt, null);
});

test('the suspension of a closed account or an erased user cannot be lifted', async () => {
  const [closed, erased] = [await world.user(), await world.user()];
  const own = await Browser.claimed(world, closed);
  dataOf(await own.post('/close', { username: closed.username, messages: 'keep' }));
  await eraseUser(world.data, { username: erased.username, messages: 'keep' });
  const assertStays = async (user: Json): Promise<void> => {
    const refused = await browser.post(`/platform/users/${user.id}/lift`, {});
    assertRefused(refused, 'INVALID_REQUEST', user.username, 'id');
    assert.match(refused.body.error.message, /has closed their account or was erased/);
    assert.notEqual(dataOf(await browser.get(`/platform/users/${user.id}`)).suspendedAt, null);
  };
  for (const user of [closed, erased]) await assertStays(user);
  await world.tidy();
  await assertStays(closed);
});

test('suspending a user with many agents suspends the user immediately and the agents in the background', async () => {
  const user = await world.user();
  const none = {
    image: null,
    homeServerId: null,
    suspendedAt: null,
    suspendedWithId: null,
    platformAdmin: false,
  };
  const rows = Array.from({ length: 5_001 }, (_, number) => ({
    ...none,
    username: `many-${number}`,
    name: 'Agent',
    type: 'agent',
    creatorId: user.id,
  }));
  await addRows(world, 'user', rows);
  const suspend = async (): Promise<Json> =>
    dataOf(await browser.post(`/platform/users/${user.id}/suspend`, {}));
  const [first, second] = [await suspend(), await suspend()];
  assert.deepEqual([first.agents, first.isAll, second.agents, second.isAll], [5_000, false, 1, true]);
});

test('platform admins can be added and removed, but the last one stays, and nobody can suspend themselves', async () => {
  const user = await world.user();
  await world.member((await Scene.open(world)).server, user);
  const make = (id: string, platformAdmin: boolean, by = browser) =>
    by.patch(`/platform/users/${id}`, { platformAdmin });
  assertRefused(await make(root.id, false), 'FORBIDDEN');
  assertRefused(await browser.post(`/platform/users/${root.id}/suspend`, {}), 'FORBIDDEN');
  assertRefused(await make((await world.user({ agent: true })).id, true), 'INVALID_REQUEST');
  assert.equal(dataOf(await make(user.id, true)).platformAdmin, true);
  const other = await Browser.of(world, user);
  assert.equal(dataOf(await other.get('/platform/users')).length > 0, true);
  dataOf(await other.post(`/platform/users/${root.id}/suspend`, {}));
  assertRefused(await browser.get('/platform/users'), 'UNAUTHORIZED', 'a suspended platform admin');
  assertRefused(await make(user.id, false, other), 'FORBIDDEN', 'the other one is suspended');
  dataOf(await other.post(`/platform/users/${root.id}/lift`, {}));
  dataOf(await make(user.id, false));
  assertRefused(await other.get('/platform/users'), 'FORBIDDEN');
  clock.advance(10 * 60_000);
  const late = await make(user.id, true);
  assertRefused(late, 'FORBIDDEN');
  assert.match(late.body.error.details.rule, /^proof: /);
  await prove();
});

test("a platform admin can end all of a user's sessions and create links for them", async () => {
  const user = await world.user();
  const link = async (purpose: string) => browser.post(`/platform/users/${user.id}/link`, { purpose });
  assertRefused(await link('password'), 'INVALID_REQUEST', 'no account yet', 'purpose');
  const claim = dataOf(await link('claim'));
  const [, token] = /^\/welcome#(link_plv_\w+)$/.exec(claim.path) ?? [];
  const own = new Browser(world);
  dataOf(await own.post('/links/claim', { token, password: PASSWORD }));
  assertRefused(await link('claim'), 'INVALID_REQUEST', 'already has an account', 'purpose');
  dataOf(await link('recovery'));
  const entry = await audited();
  assert.deepEqual([entry.command, entry.actorId, entry.account], ['user link recovery', root.id, null]);
  assert.ok(!JSON.stringify(entry).includes('link_plv_'));
  dataOf(await browser.post(`/platform/users/${user.id}/sign-out`, {}));
  assertRefused(await own.get('/me'), 'UNAUTHORIZED');
  dataOf(await new Browser(world).post('/sign-in', { name: user.username, password: PASSWORD }));
});

test('a platform admin lists imported people that nobody has claimed, and creates links for them', async () => {
  const { server } = await Scene.open(world);
  const [ada, ben, other] = [await world.user({ name: 'Ädä' }), await world.user(), await world.user()];
  const agent = await world.user({ agent: true });
  for (const user of [ada, ben]) await world.member(server, user);
  const times = { createdAt: 1, updatedAt: 1, claimedAt: null, mergedAt: null, place: null, serverIds: [] };
  const rows = [ada, ben, other].map(({ id }) => ({
    id,
    email: null,
    source: 'slack',
    accountId: null,
    ...times,
  }));
  await addRows(world, 'placeholder', rows);
  const listed = async (query: string): Promise<string[]> =>
    dataOf(await browser.get(`/platform/users?unclaimed=true${query}`)).map(({ id }: Json) => id);
  assert.deepEqual(await listed(''), [other.id, ben.id, ada.id]);
  assert.deepEqual(await listed(`&serverId=${server.id}`), [ben.id, ada.id]);
  assert.deepEqual(await listed(`&serverId=${server.id}&name=ada`), [ada.id]);
  assert.deepEqual(await listed(`&username=${ben.username}`), [ben.id]);
  const { nextCursor } = (await browser.get(`/platform/users?unclaimed=true&serverId=${server.id}&limit=1`))
    .body;
  assert.deepEqual(await listed(`&serverId=${server.id}&limit=1&cursor=${nextCursor}`), [ada.id]);
  const open = `/platform/users?serverId=${server.id}`;
  assertRefused(await browser.get(open), 'INVALID_REQUEST', 'all members', 'serverId');
  assertRefused(await browser.get(`/platform/users?unclaimed=true&serverId=${ada.id}`), 'NOT_FOUND');

  await Browser.claimed(world, other);
  const ask = (ids: unknown, by = browser) => by.post('/platform/users/links', { ids });
  const { links } = dataOf(await ask([ada.id, ben.id, other.id, agent.id, server.id, 'no id']));
  assert.deepEqual(
    links.map(({ userId, username, name }: Json) => [userId, username, name]),
    [ada, ben].map(({ id, username, name }) => [id, username, name]),
  );
  const look = (path: string) => new Browser(world).post('/links/look', { token: path.split('#')[1] });
  assert.equal(dataOf(await look(links[0].path)).username, ada.username);
  const again = dataOf(await ask([ada.id]));
  assertRefused(await look(links[0].path), 'NOT_FOUND', 'the earlier link');
  dataOf(await look(again.links[0].path));
  dataOf(await look(links[1].path));
  const entry = await audited();
  assert.deepEqual([entry.command, entry.actorId, entry.about], ['user link claim', root.id, { id: ada.id }]);
  assertRefused(await ask([ada.id, ada.id]), 'INVALID_REQUEST', 'twice', 'ids');
  assertRefused(await ask([]), 'INVALID_REQUEST');
  assertRefused(await ask(Array.from({ length: 101 }, (_, index) => String(index))), 'INVALID_REQUEST');
  const { browser: member } = await accountOf(world);
  assertRefused(await ask([ada.id], member), 'FORBIDDEN');
  assertRefused(await member.get('/platform/users?unclaimed=true'), 'FORBIDDEN');
  clock.advance(10 * 60_000);
  assert.match((await ask([ada.id])).body.error.details.rule, /^proof: /);
  await prove();
});
