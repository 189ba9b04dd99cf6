import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, cookiesOf, linkFor, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;

const clock = new TestClock();
let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ clock });
  scene = await Scene.open(world);
});
after(() => world.close());

/** A member of the scene's server, in a browser. */
async function member(...roles: Json[]): Promise<{ user: Json; browser: Browser }> {
  const user = await world.user();
  await world.member(scene.server, user);
  for (const { id: roleId } of roles) await scene.make('/user-roles', { userId: user.id, roleId });
  return { user, browser: await Browser.of(world, user, scene.server) };
}

test('a session acts with all roles that the person has in the server, starting with the next request', async () => {
  const moderators = await scene.role({ canModerate: true });
  const editors = await scene.role({ canEditChannel: true });
  const { user, browser } = await member(moderators, editors);
  const me = dataOf(await browser.get('/me'));
  assert.deepEqual(me.flags.toSorted(), ['canEditChannel', 'canEditData', 'canModerate', 'canViewData']);
  assert.equal(me.id, user.id);
  assert.equal(me.serverId, scene.server.id);
  assertRefused(await browser.api.get('/users/me'), 'INVALID_REQUEST', 'sessions have no key');
  const usual = await world.defaultRole(scene.server);
  assert.deepEqual(me.roleIds.toSorted(), [usual.id, moderators.id, editors.id].toSorted());

  const made = dataOf(await browser.api.post('/channels', { name: world.unique('channel') }));
  assert.equal(made.creatorId, user.id);
  const refused = await browser.api.post('/roles', { name: 'More' });
  assertRefused(refused, 'FORBIDDEN');
  assert.equal(refused.body.error.message, 'your roles lack canAdmin');

  dataOf(await scene.admin.patch(`/roles/${editors.id}`, { canEditChannel: false }));
  assertRefused(await browser.api.post('/channels', { name: world.unique('channel') }), 'FORBIDDEN');
  const admins = await scene.role({ canAdmin: true });
  const given = await scene.make('/user-roles', { userId: user.id, roleId: admins.id });
  dataOf(await browser.api.post('/channels', { name: world.unique('channel') }));
  await scene.remove(`/user-roles/${given.id}`);
  assertRefused(await browser.api.post('/channels', { name: world.unique('channel') }), 'FORBIDDEN');
});

test('one of several roles is enough to see a private channel, in lists and in searches', async () => {
  const inside = await scene.role();
  const closed = await scene.channel({ private: true, roleIds: [inside.id] });
  await scene.message({ channelId: closed.id, content: 'behind closed doors' });
  const { browser } = await member(await scene.role(), inside);
  const { browser: outside } = await member(await scene.role());
  const channels = async (one: Browser) =>
    idsOf(dataOf(await one.api.get(`/servers/${scene.server.id}/channels?limit=100`)));
  assert.ok((await channels(browser)).includes(closed.id));
  assert.ok(!(await channels(outside)).includes(closed.id));
  const path = `/channels/${closed.id}/messages`;
  assert.equal(dataOf(await browser.api.get(path)).length, 1);
  assert.equal(dataOf(await browser.api.get(`${path}?q=doors`)).length, 1);
  assertRefused(await outside.api.get(path), 'FORBIDDEN');
});

test("a server's creator has full access there and nowhere else", async () => {
  const browser = await Browser.of(world, scene.owner, scene.server);
  assert.equal(dataOf(await browser.get('/me')).isServerCreator, true);
  dataOf(await browser.api.patch(`/servers/${scene.server.id}`, { tint: 5 }));
  const other = await Scene.open(world);
  assertRefused(await browser.api.patch(`/servers/${other.server.id}`, { tint: 5 }), 'FORBIDDEN');
  browser.place = other.server.id;
  assert.deepEqual(dataOf(await browser.get('/me')).flags, [], 'not a member there');
  assertRefused(await browser.api.get(`/servers/${other.server.id}/channels`), 'FORBIDDEN');
  browser.place = 'none';
  const me = dataOf(await browser.get('/me'));
  assert.deepEqual([me.serverId, me.flags, me.roleIds], [null, [], []]);
  assertRefused(await browser.api.post('/channels', { name: 'nowhere' }), 'INVALID_REQUEST');
});

test('a person can act in a server as soon as they join it, and no longer after they are removed', async () => {
  const user = await world.user();
  const browser = await Browser.of(world, user, scene.server);
  const path = `/servers/${scene.server.id}/channels`;
  assertRefused(await browser.api.get(path), 'FORBIDDEN');
  const joined = dataOf(await browser.api.post('/server-members', { serverId: scene.server.id }));
  dataOf(await browser.api.get(path));
  await scene.remove(`/server-members/${joined.id}`);
  assertRefused(await browser.api.get(path), 'FORBIDDEN');
});

test('a cookie only works with the header, from a page on this server, and without a key', async () => {
  const { browser } = await member();
  const { place, cookie } = browser;
  const get = (headers?: Record<string, string>) => browser.api.get('/servers', headers);
  dataOf(await get());
  for (const wrong of ['', 'somewhere', scene.server.id.toUpperCase()]) {
    browser.place = wrong;
    assertRefused(await get(), 'UNAUTHORIZED', wrong);
  }
  browser.place = undefined;
  assertRefused(await get(), 'UNAUTHORIZED', 'no header');
  browser.place = place;
  dataOf(await get({ origin: world.url, 'sec-fetch-site': 'same-origin' }));
  for (const site of ['cross-site', 'same-site', 'none'])
    assertRefused(await get({ 'sec-fetch-site': site }), 'UNAUTHORIZED', site);
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1', `${world.url}.evil.example`])
    assertRefused(await get({ origin }), 'UNAUTHORIZED', origin);
  browser.cookie = `${cookie}; palaver=`;
  assertRefused(await get(), 'UNAUTHORIZED', 'two cookies');
  browser.cookie = `other=1; ${cookie}; another=2`;
  dataOf(await get());
  browser.cookie = cookie.slice(0, -1) + (cookie.endsWith('0') ? '1' : '0');
  assertRefused(await get(), 'UNAUTHORIZED', 'mistyped');
  browser.cookie = '';
  assertRefused(await get(), 'UNAUTHORIZED', 'none');
  browser.cookie = cookie;
  assert.equal(dataOf(await get({ authorization: `Bearer ${scene.admin.key}` })).length, 1, 'the key wins');
  assertRefused(await get({ authorization: 'Bearer none' }), 'INVALID_API_KEY');
});

test('if an address is set, only its pages can use cookies, and cookies require TLS', async (t) => {
  const safe = await World.open({ address: 'https://chat.example.com' });
  t.after(() => safe.close());
  const user = await safe.user();
  const browser = new Browser(safe);
  const { token } = await linkFor(safe, user);
  const own = { origin: 'https://chat.example.com' };
  const claim = { token, password: PASSWORD };
  assertRefused(await browser.post('/links/claim', claim, { origin: safe.url }), 'UNAUTHORIZED');
  const answer = await browser.post('/links/claim', claim, own);
  dataOf(answer);
  const [cookie, ...others] = cookiesOf(answer);
  assert.deepEqual(
    others.map(({ name }) => name),
    ['__Host-palaver-known'],
  );
  assert.equal(cookie?.name, '__Host-palaver');
  assert.deepEqual(cookie?.attributes, [
    'httponly',
    'max-age=34560000',
    'path=/',
    'samesite=strict',
    'secure',
  ]);
  dataOf(await browser.get('/me'));
  browser.cookie = browser.cookie.replace('__Host-', '');
  assertRefused(await browser.get('/me'), 'UNAUTHORIZED', 'a cookie that anybody can set');
});

test('CORS allows neither the session header nor any path under /api/people', async () => {
  const asked = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'palaver-server,content-type',
  };
  const preflight = await world.request('OPTIONS', '/messages', { headers: asked });
  assert.doesNotMatch(preflight.headers.get('access-control-allow-headers') ?? '', /palaver|\*/i);
  assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
  const people = await world.request('OPTIONS', `${world.url}/api/people/sign-in`, { headers: asked });
  assertRefused(people, 'NOT_FOUND');
  for (const name of ['origin', 'headers', 'methods'])
    assert.equal(people.headers.get(`access-control-allow-${name}`), null);
});

test('sessions are listed with device and last use, newest first, and can be revoked individually', async () => {
  const { user, browser } = await member();
  clock.advance(1_000);
  const phone = await Browser.of(world, user, scene.server, 'A phone');
  const list = dataOf(await phone.get('/sessions'));
  assert.deepEqual(
    list.map(({ device, isCurrent }: Json) => [device, isCurrent]),
    [
      ['A phone', true],
      [null, false],
    ],
  );
  assert.ok(!JSON.stringify(list).includes('digest'));
  assert.equal(list[0].createdAt, clock.at);
  const stranger = (await member()).browser;
  assertRefused(await stranger.delete(`/sessions/${list[0].id}`), 'FORBIDDEN');
  assertRefused(await stranger.delete('/sessions/none'), 'NOT_FOUND');
  dataOf(await browser.delete(`/sessions/${list[0].id}`));
  assertRefused(await phone.get('/sessions'), 'UNAUTHORIZED');
  assertRefused(await phone.api.get('/servers'), 'UNAUTHORIZED');
  assert.equal(dataOf(await browser.get('/sessions')).length, 1);
  dataOf(await browser.post('/sign-out'));
  assert.equal(browser.cookie, '');
});

test('a session expires thirty days after its last use, and is extended once a day', async () => {
  const { user, browser } = await member();
  const ends = async () => dataOf(await browser.get('/sessions'))[0].expiresAt;
  const first = await ends();
  assert.equal(first, clock.at + 30 * DAY_MS);
  clock.advance(DAY_MS / 2);
  await browser.api.get('/servers');
  assert.equal(await ends(), first);
  clock.advance(DAY_MS);
  await browser.api.get('/servers');
  // The expiry is extended in the background.
  await until(async () => (await ends()) === clock.at + 30 * DAY_MS);
  clock.advance(30 * DAY_MS - 1);
  dataOf(await browser.api.get('/servers'));
  await world.data.db.write(async () => {});
  clock.advance(30 * DAY_MS);
  assertRefused(await browser.api.get('/servers'), 'UNAUTHORIZED');
  assert.equal(dataOf(await (await Browser.of(world, user)).get('/sessions')).length, 1);
});

test('a person can have at most a hundred sessions: the least recently used one is removed', async () => {
  const { user, browser } = await member();
  for (let number = 0; number < 99; number++) {
    clock.advance(1);
    await Browser.of(world, user);
  }
  clock.advance(1);
  const last = await Browser.of(world, user);
  assert.equal(dataOf(await last.get('/sessions?limit=100')).length, 100);
  assertRefused(await browser.get('/me'), 'UNAUTHORIZED');
});

test('a stream ends with its session', async () => {
  const { browser } = await member();
  const [{ id }] = dataOf(await browser.get('/sessions'));
  const response = await fetch(`${world.url}/api/v1/events`, {
    headers: { 'palaver-server': scene.server.id, cookie: browser.cookie, accept: 'text/event-stream' },
  });
  assert.equal(response.status, 200);
  const ended = response.text();
  dataOf(await browser.delete(`/sessions/${id}`));
  await ended;
});

test('limits apply per person, across all of their sessions', async (t) => {
  const strict = await World.open({ limits: { '*': 0, query: 3 } });
  t.after(() => strict.close());
  const user = await strict.user();
  const browsers = [await Browser.of(strict, user), await Browser.of(strict, user)] as const;
  for (const place of [0, 1, 0] as const) dataOf(await browsers[place].api.get('/servers'));
  assertRefused(await browsers[1].api.get('/servers'), 'RATE_LIMITED');
  dataOf(await (await Browser.of(strict, await strict.user())).api.get('/servers'));
});

test("an Idempotency-Key is valid in all of a person's sessions", async () => {
  const { user, browser } = await member();
  const other = await Browser.of(world, user, scene.server);
  const channel = await scene.channel();
  const body = { channelId: channel.id, content: 'once' };
  const first = dataOf(await browser.api.post('/messages', body, { 'idempotency-key': 'k' }));
  const again = await other.api.post('/messages', body, { 'idempotency-key': 'k' });
  assert.equal(dataOf(again).id, first.id);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
});
