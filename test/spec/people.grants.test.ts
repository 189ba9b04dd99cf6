import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { CLIENT, form } from '../support/apps.ts';
import { ClientHost } from '../support/clientHost.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { appOf, exchanged, grantCode, granted, refreshed } from '../support/grants.ts';
import { assertRecord } from '../support/records.ts';
import { Scene } from '../support/scene.ts';
import { type Json, listAll, TestClock, World } from '../support/world.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const TOKEN = /^grant_plv_[0-9A-Za-z]{38}$/;
const REFRESH = /^refresh_plv_[0-9A-Za-z]{38}$/;

const clock = new TestClock();
let world: World;
let scene: Scene;
let host: ClientHost;
before(async () => {
  host = await ClientHost.open();
  world = await World.open({ clock, clientDocuments: { allowPrivate: true } });
  scene = await Scene.open(world);
});
after(async () => {
  await world.close();
  await host.close();
});

/** A member of the scene's server with these flags, in a browser. */
async function member(
  flags: object = {},
): Promise<{ user: Json; browser: Browser; membership: Json; role: Json }> {
  const user = await world.user();
  const membership = await world.member(scene.server, user);
  const role = await scene.role({ canEditData: true, ...flags });
  dataOf(await scene.admin.post('/user-roles', { userId: user.id, roleId: role.id }));
  return { user, membership, role, browser: await Browser.of(world, user) };
}

test('an app gets tokens for one server with the flags that its user granted', async () => {
  const { user, browser } = await member();
  const flags = ['canEditData'];
  const { answer, token } = await granted(world, browser, scene.server.id, { flags });
  assert.deepEqual(Object.keys(answer).sort(), [
    'access_token',
    'expires_in',
    'refresh_token',
    'scope',
    'token_type',
  ]);
  assert.match(token, TOKEN);
  assert.match(answer.refresh_token, REFRESH);
  assert.deepEqual(
    [answer.token_type, answer.expires_in, answer.scope],
    ['Bearer', 3600, 'read canEditData'],
  );

  const app = appOf(world, token);
  const channel = await scene.channel();
  const sent = dataOf(await app.post('/messages', { channelId: channel.id, content: 'Hello' }));
  assert.equal(sent.creatorId, user.id);
  assert.deepEqual(idsOf(await listAll(app as never, '/servers')), [scene.server.id]);
  const reacted = await app.post('/reactions', { messageId: sent.id, emoji: '👍' });
  assert.equal(dataOf(reacted).userId, user.id);

  const [listed, ...others] = dataOf(await browser.get('/grants'));
  assert.deepEqual(others, []);
  assertRecord(
    listed,
    {
      serverId: 'id',
      client: 'text',
      name: 'text',
      host: 'text?',
      flags: 'list',
      lastUsedAt: 'time',
      expiresAt: 'time',
    } as never,
    'grant',
  );
  assert.deepEqual(
    [listed.serverId, listed.client, listed.name, listed.host, listed.flags],
    [scene.server.id, CLIENT, CLIENT, null, flags],
  );
  assert.equal(listed.expiresAt - listed.createdAt, 90 * DAY_MS);
});

test("an app's actions are attributed to the person", async () => {
  const { user, browser } = await member();
  const { token } = await granted(world, browser, scene.server.id, { flags: ['canEditData'] });
  const channel = await scene.channel();
  dataOf(await appOf(world, token).post('/messages', { channelId: channel.id, content: 'Hello' }));
  const events = dataOf(await scene.admin.get('/events?limit=100&types=message.created'));
  const last = events.at(-1);
  assert.deepEqual([last.actorId, last.actor], [user.id, 'person']);
});

test("an app without flags can only read what its user's roles can see", async () => {
  const { browser, role } = await member({ canModerate: true });
  const { token, answer } = await granted(world, browser, scene.server.id);
  assert.equal(answer.scope, 'read');
  const app = appOf(world, token);
  const open = await scene.channel();
  const seen = await scene.channel({ private: true, roleIds: [role.id] });
  const hidden = await scene.channel({ private: true });
  dataOf(await app.get(`/channels/${open.id}/messages`));
  dataOf(await app.get(`/channels/${seen.id}/messages`));
  assertRefused(await app.get(`/channels/${hidden.id}/messages`), 'FORBIDDEN');
  const refusal = await app.post('/messages', { channelId: open.id, content: 'Hello' });
  assertRefused(refusal, 'FORBIDDEN');
  assert.match(refusal.body.error.message, /this app lacks/);
});

test("the owner's app has only the granted permissions, not all of the owner's", async () => {
  const browser = await Browser.of(world, scene.owner);
  const reader = appOf(world, (await granted(world, browser, scene.server.id)).token);
  const hidden = await scene.channel({ private: true });
  assertRefused(await reader.get(`/channels/${hidden.id}/messages`), 'FORBIDDEN');
  assertRefused(await reader.patch(`/servers/${scene.server.id}`, { name: 'Mine' }), 'FORBIDDEN');
  const { token } = await granted(world, browser, scene.server.id, { flags: ['canAdmin'] });
  const admin = appOf(world, token);
  dataOf(await admin.get(`/channels/${hidden.id}/messages`));
  dataOf(await admin.patch(`/servers/${scene.server.id}`, { name: 'Harbour' }));
});

test('an app never gets a flag that its user lacks, and loses flags that its user loses', async () => {
  const { user, browser, role } = await member({ canModerate: true });
  const asked = { ...redirect, serverId: scene.server.id, flags: ['canAdmin'] };
  assertRefused(await browser.post('/approvals/redirect', asked), 'INVALID_REQUEST', '', 'flags');
  const { token } = await granted(world, browser, scene.server.id, { flags: ['canEditData', 'canModerate'] });
  const app = appOf(world, token);
  const { id } = await scene.message();
  dataOf(await app.patch(`/messages/${id}`, { content: 'Moderated' }));
  dataOf(await scene.admin.patch(`/roles/${role.id}`, { canModerate: false }));
  assertRefused(await app.patch(`/messages/${id}`, { content: 'Again' }), 'FORBIDDEN');
  // A flag that the user gets later is not granted.
  const more = await scene.role({ canViewData: true });
  dataOf(await scene.admin.post('/user-roles', { userId: user.id, roleId: more.id }));
  assertRefused(await app.get(`/servers/${scene.server.id}/flows`), 'FORBIDDEN');
});

const redirect = {
  client: CLIENT,
  redirectUri: 'http://127.0.0.1:51004/done',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  codeChallengeMethod: 'S256',
};

test('a refresh token is exchanged for new tokens, and the previous access token works until it expires', async () => {
  const { browser } = await member();
  const first = await granted(world, browser, scene.server.id);
  clock.advance(HOUR_MS / 2);
  const { status, body } = await refreshed(world, first, { scope: 'read' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(body.access_token, TOKEN);
  assert.match(body.refresh_token, REFRESH);
  assert.deepEqual([body.expires_in, body.scope, body.token_type], [3600, 'read', 'Bearer']);
  const path = `/servers/${scene.server.id}`;
  dataOf(await appOf(world, first.token).get(path));
  dataOf(await appOf(world, body.access_token).get(path));
  clock.advance(HOUR_MS / 2);
  assertRefused(await appOf(world, first.token).get(path), 'UNAUTHORIZED');
  dataOf(await appOf(world, body.access_token).get(path));
  const wide = await refreshed(
    world,
    { ...first, refreshToken: body.refresh_token },
    { scope: 'read canAdmin' },
  );
  assert.deepEqual([wide.status, wide.body.error], [400, 'invalid_scope']);
});

test('a grant expires after 90 days, regardless of refreshes', async () => {
  const { browser } = await member();
  let tokens = await granted(world, browser, scene.server.id);
  clock.advance(90 * DAY_MS - HOUR_MS / 2);
  const { body } = await refreshed(world, tokens);
  assert.equal(body.expires_in, 1800);
  tokens = { ...tokens, token: body.access_token, refreshToken: body.refresh_token };
  dataOf(await appOf(world, tokens.token).get('/servers'));
  clock.advance(HOUR_MS / 2);
  assertRefused(await appOf(world, tokens.token).get('/servers'), 'UNAUTHORIZED');
  assert.equal((await refreshed(world, tokens)).body.error, 'invalid_grant');
  await world.tidy();
});

test('an app with a metadata document gets its name from it', async () => {
  const { browser } = await member();
  const client = host.publish();
  const redirectUri = 'http://localhost:4711/callback';
  const shown = dataOf(await browser.post('/approvals/client', { client, redirectUri }));
  assert.deepEqual(shown, { client, name: 'Harbour Agent', host: new URL(host.url).host, isLocal: true });
  const { token } = await granted(world, browser, scene.server.id, { client, redirectUri });
  dataOf(await appOf(world, token).get('/servers'));
  const [listed] = dataOf(await browser.get('/grants'));
  assert.deepEqual([listed.client, listed.name, listed.host], [client, 'Harbour Agent', shown.host]);

  const before = host.asked;
  const web = { client, redirectUri: 'https://agent.example.com/callback' };
  assert.equal(dataOf(await browser.post('/approvals/client', web)).isLocal, false);
  assert.equal(host.asked, before, 'cached');
  clock.advance(10 * 60_000);
  dataOf(await browser.post('/approvals/client', web));
  assert.equal(host.asked, before + 1);
  // An app with a metadata document cannot get a session.
  assertRefused(
    await browser.post('/approvals/redirect', { ...redirect, ...web }),
    'INVALID_REQUEST',
    '',
    'serverId',
  );
});

test("the resource can be the grant's server or Palaver itself, but not another server", async () => {
  const { browser } = await member();
  const own = `${world.url}/mcp/${scene.server.id}`;
  for (const resource of [own, world.url, `${world.url}/`, `${world.url}/mcp`]) {
    const code = await grantCode(browser, scene.server.id, { resource });
    assert.equal((await exchanged(world, code, { resource })).status, 200, resource);
  }
  const other = `${world.url}/mcp/${(await world.server(await world.user())).id}`;
  for (const resource of [other, 'https://other.example.com', `${own}/more`]) {
    const refusal = await browser.post('/approvals/redirect', {
      ...redirect,
      serverId: scene.server.id,
      resource,
    });
    assertRefused(refusal, 'INVALID_REQUEST', resource, 'resource');
  }
  const code = await grantCode(browser, scene.server.id, { resource: own });
  const { status, body } = await exchanged(world, code, { resource: other });
  assert.deepEqual([status, body.error], [400, 'invalid_target']);
  const tokens = await granted(world, browser, scene.server.id);
  assert.equal((await refreshed(world, tokens, { resource: other })).body.error, 'invalid_target');
  assert.equal((await refreshed(world, tokens, { resource: own })).status, 200);
});

test('the metadata says where to get tokens, and for which resource', async () => {
  const get = async (path: string) => (await world.request('GET', `${world.url}${path}`)).body;
  const site = await get('/.well-known/oauth-protected-resource');
  assert.deepEqual([site.resource, site.authorization_servers], [world.url, [world.url]]);
  const path = `/mcp/${scene.server.id}`;
  const { resource, scopes_supported: scopes } = await get(`/.well-known/oauth-protected-resource${path}`);
  assert.equal(resource, world.url + path);
  assert.deepEqual(scopes.slice(0, 2), ['read', 'canAdmin']);
  assert.equal(
    (await world.request('GET', `${world.url}/.well-known/oauth-protected-resource/mcp/none`)).status,
    404,
  );
  const server = await get('/.well-known/oauth-authorization-server');
  assert.equal(server.client_id_metadata_document_supported, true);
  assert.ok(server.grant_types_supported.includes('refresh_token'));
  assert.equal(server.registration_endpoint, undefined);
  const registered = await form(world, 'register', { client_name: 'Me' });
  assert.deepEqual([registered.status, registered.body.error], [400, 'invalid_client_metadata']);
  assert.match(registered.body.error_description, /metadata document/);
});

test('a person revokes apps individually, or all at once', async () => {
  const { browser } = await member();
  const tokens = [];
  for (const _ of [1, 2, 3]) tokens.push(await granted(world, browser, scene.server.id));
  const apps = tokens.map(({ token }) => appOf(world, token));
  const works = () => Promise.all(apps.map(async (app) => (await app.get('/servers')).status));
  assert.deepEqual(await works(), [200, 200, 200]);
  const [last] = dataOf(await browser.get('/grants'));
  assert.equal(dataOf(await browser.delete(`/grants/${last.id}`)).id, last.id);
  assert.deepEqual(await works(), [200, 200, 401]);
  const other = await member();
  assertRefused(
    await other.browser.delete(`/grants/${dataOf(await browser.get('/grants'))[0].id}`),
    'FORBIDDEN',
  );
  const code = await grantCode(browser, scene.server.id);
  assert.equal(dataOf(await browser.delete('/grants')).revoked, 2);
  assert.deepEqual(await works(), [401, 401, 401]);
  assert.equal((await exchanged(world, code)).body.error, 'invalid_grant');
  const types = dataOf(await browser.get('/history')).map(({ type }: Json) => type);
  assert.deepEqual(types.slice(0, 6), [...Array(3).fill('grantRevoked'), ...Array(3).fill('grantAdded')]);
});

test('an app revokes its own grant with any of its tokens (RFC 7009)', async () => {
  const { browser } = await member();
  for (const kind of ['token', 'refreshToken'] as const) {
    const tokens = await granted(world, browser, scene.server.id);
    assert.equal((await form(world, 'revoke', { token: tokens[kind] })).status, 200);
    assertRefused(await appOf(world, tokens.token).get('/servers'), 'UNAUTHORIZED', kind);
    assert.equal((await refreshed(world, tokens)).body.error, 'invalid_grant', kind);
  }
  assert.deepEqual(dataOf(await browser.get('/grants')), []);
});
