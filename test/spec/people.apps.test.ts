import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { App, approved, begin, CLIENT, pkce, poll, redeem, redirectBody } from '../support/apps.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { assertRecord } from '../support/records.ts';
import { Scene } from '../support/scene.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = new TestClock();
let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ clock });
  scene = await Scene.open(world);
});
after(() => world.close());

/** A member of the scene's server, in a browser. */
async function member(): Promise<{ user: Json; browser: Browser }> {
  const user = await world.user();
  await world.member(scene.server, user);
  return { user, browser: await Browser.of(world, user) };
}

test('an app that shows a code gets a session once its user approves it', async () => {
  const { user, browser } = await member();
  const begun = await begin(world, { device_name: 'A television' });
  assert.match(begun.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  assert.equal(begun.verification_uri, `${world.url}/device`);
  assert.equal(begun.verification_uri_complete, `${world.url}/device#${begun.user_code}`);
  assert.deepEqual([begun.expires_in, begun.interval], [600, 5]);
  const waits = await poll(world, begun.device_code);
  assert.deepEqual([waits.status, waits.body.error], [400, 'authorization_pending']);
  assert.equal(waits.headers.get('cache-control'), 'no-store');

  const typed = begun.user_code.toLowerCase().replace('-', ' ');
  const seen = dataOf(await browser.post('/approvals/look', { userCode: typed }));
  assertRecord(
    seen,
    {
      userCode: 'text',
      client: 'text',
      device: 'text?',
      address: 'text',
      isSameAddress: 'flag',
      status: 'text',
      expiresAt: 'time',
    },
    'approval',
  );
  assert.deepEqual(
    [seen.userCode, seen.client, seen.device, seen.address, seen.isSameAddress, seen.status],
    [begun.user_code, CLIENT, 'A television', '127.0.0.1', true, 'pending'],
  );
  assert.equal(dataOf(await browser.post('/approvals', { userCode: typed })).status, 'approved');
  const { body } = await poll(world, begun.device_code);
  assert.deepEqual(Object.keys(body).sort(), ['access_token', 'token_type']);
  assert.equal(body.token_type, 'Bearer');
  assert.match(body.access_token, /^access_plv_[0-9A-Za-z]{38}$/);

  const app = new App(world, body.access_token, scene.server.id);
  const me = await app.get('/people/me');
  assert.equal(dataOf(me).id, user.id);
  assert.deepEqual(me.headers.getSetCookie(), []);
  const channel = await scene.channel();
  const sent = await app.post('/v1/messages', { channelId: channel.id, content: 'From the sofa' });
  assert.equal(dataOf(sent).creatorId, user.id);
  const listed = dataOf(await browser.get('/sessions'));
  assert.deepEqual(
    listed.map(({ device, form, isCurrent }: Json) => [device, form, isCurrent]),
    [
      [`${CLIENT}, A television`, 'bearer', false],
      [null, 'cookie', true],
    ],
  );
  assert.equal(dataOf(await app.get('/people/sessions'))[0].isCurrent, true);
});

test('an app on the same machine as the browser gets a session by redirect', async () => {
  const { user, browser } = await member();
  const { verifier, challenge } = pkce();
  const body = redirectBody(challenge, { state: 'a&b=c', device: 'A laptop' });
  const { redirectTo, expiresAt } = dataOf(await browser.post('/approvals/redirect', body));
  assert.equal(expiresAt, clock.at + 2 * MINUTE_MS);
  const { origin, pathname, searchParams } = new URL(redirectTo);
  assert.equal(origin + pathname, body.redirectUri);
  assert.deepEqual([...searchParams.keys()], ['code', 'state', 'iss']);
  assert.deepEqual([searchParams.get('state'), searchParams.get('iss')], ['a&b=c', world.url]);
  const { status, body: granted } = await redeem(world, searchParams.get('code') as string, verifier);
  assert.equal(status, 200, JSON.stringify(granted));
  const app = new App(world, granted.access_token);
  assert.equal(dataOf(await app.get('/people/me')).id, user.id);
  assert.equal(dataOf(await app.get('/people/sessions'))[0].device, `${CLIENT}, A laptop`);
});

test('OAuth libraries can discover the endpoints', async () => {
  const { body } = await world.request('GET', `${world.url}/.well-known/oauth-authorization-server`, {});
  assert.equal(body.issuer, world.url);
  assert.equal(body.token_endpoint, `${world.url}/oauth/token`);
  assert.equal(body.device_authorization_endpoint, `${world.url}/oauth/device_authorization`);
  assert.equal(body.revocation_endpoint, `${world.url}/oauth/revoke`);
  assert.deepEqual(body.code_challenge_methods_supported, ['S256']);
  // Apps may send an Origin other than this server's.
  for (const origin of ['app://palaver', 'null', 'https://evil.example']) {
    const url = `${world.url}/.well-known/oauth-authorization-server`;
    assert.equal((await world.request('GET', url, { headers: { origin } })).body.issuer, world.url, origin);
  }
});

test('an access token requires the server header and only works as a bearer token', async () => {
  const { browser } = await member();
  const app = new App(world, await approved(world, browser), scene.server.id);
  dataOf(await app.get('/v1/servers'));
  // Browsers do not send a token automatically, so any page may send it, such as an app's page.
  dataOf(await app.get('/v1/servers', { origin: 'app://palaver', 'sec-fetch-site': 'cross-site' }));
  for (const place of [undefined, '', 'somewhere']) {
    app.place = place;
    assertRefused(await app.get('/v1/servers'), 'UNAUTHORIZED', place);
    assertRefused(await app.get('/people/me'), 'UNAUTHORIZED', place);
  }
  app.place = 'none';
  assert.equal(dataOf(await app.get('/people/me')).serverId, null);
  const planted = new Browser(world);
  planted.cookie = `palaver=${app.token}`;
  assertRefused(await planted.get('/me'), 'UNAUTHORIZED', 'in a cookie');
  const stolen = new App(world, browser.cookie.replace('palaver=', ''));
  for (const path of ['/people/me', '/v1/servers'])
    assert.equal((await stolen.get(path)).status, 401, "a cookie's token as a bearer");
  const mistyped = new App(world, app.token.slice(0, -1) + (app.token.endsWith('0') ? '1' : '0'));
  assertRefused(await mistyped.get('/people/me'), 'UNAUTHORIZED');
  // A proxy may require its own Basic authentication. The cookie still authenticates the person.
  dataOf(await browser.get('/me', { authorization: 'Basic YTpi' }));
});

test("an app's session is listed, extended while it is used, and can be revoked immediately", async () => {
  const { browser } = await member();
  const token = await approved(world, browser);
  const app = new App(world, token);
  const own = async (one: App) =>
    dataOf(await one.get('/people/sessions')).find((row: Json) => row.isCurrent);
  assert.equal((await own(app)).expiresAt, clock.at + 30 * DAY_MS);
  clock.advance(2 * DAY_MS);
  await app.get('/v1/servers');
  // The expiry is extended in the background.
  await until(async () => (await own(app)).expiresAt === clock.at + 30 * DAY_MS);
  dataOf(await browser.delete(`/sessions/${(await own(app)).id}`));
  assertRefused(await app.get('/people/me'), 'UNAUTHORIZED');
  assertRefused(await app.get('/v1/servers'), 'UNAUTHORIZED');
  const other = await Browser.of(world, dataOf(await browser.get('/me')));
  const second = new App(world, await approved(world, other));
  const out = await second.post('/people/sign-out');
  assert.deepEqual([out.status, out.headers.getSetCookie()], [200, []]);
  assertRefused(await second.get('/people/me'), 'UNAUTHORIZED');
});

test('an app starts without a confirmed identity until its user confirms it', async () => {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const app = new App(world, await approved(world, browser));
  assert.equal(dataOf(await app.get('/people/me')).provenAt, 0);
  assertRefused(await app.post('/people/second-factor'), 'FORBIDDEN');
  assertRefused(await app.post('/people/proof', { password: 'wrong' }), 'UNAUTHORIZED');
  dataOf(await app.post('/people/proof', { password: PASSWORD }));
  dataOf(await app.post('/people/second-factor'));
  clock.advance(10 * MINUTE_MS);
  assertRefused(await app.post('/people/second-factor'), 'FORBIDDEN');

  const second = new App(world, await approved(world, await Browser.of(world, user)));
  const changed = { password: PASSWORD, newPassword: 'a new horse altogether' };
  const answer = await second.post('/people/password', changed);
  assert.deepEqual([answer.status, answer.headers.getSetCookie()], [200, []]);
  dataOf(await second.get('/people/me'), 'the app that changed it stays signed in');
  assertRefused(await app.get('/people/me'), 'UNAUTHORIZED');
  assertRefused(await browser.get('/me'), 'UNAUTHORIZED');
});
