import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { form } from '../support/apps.ts';
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
import { Scene } from '../support/scene.ts';
import { change, find, insert } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const ALL = ['canAdmin'];

const clock = new TestClock();
let world: World;
let scene: Scene;
let other: Scene;
before(async () => {
  world = await World.open({ clock });
  scene = await Scene.open(world);
  other = await Scene.open(world);
});
after(() => world.close());

/** The owner of the scene's server, who is also an admin of the platform and of another server. */
async function owner(): Promise<{ user: Json; browser: Browser; tokens: Granted }> {
  const browser = await Browser.of(world, scene.owner);
  return {
    user: scene.owner,
    browser,
    tokens: await granted(world, browser, scene.server.id, { flags: ALL }),
  };
}

const member = () => memberWithApp(scene);
const isOver = (tokens: Granted) => assertEnded(world, tokens);

test('reusing a refresh token revokes the whole family', async () => {
  const { tokens: first, browser } = await member();
  const { body: second } = await refreshed(world, first);
  const { body: third } = await refreshed(world, { ...first, refreshToken: second.refresh_token });
  // The attacker uses an older token, while the app has the newest one.
  const used = await refreshed(world, first);
  assert.deepEqual([used.status, used.body.error], [400, 'invalid_grant']);
  for (const token of [first.token, second.access_token, third.access_token])
    assertRefused(await appOf(world, token).get('/servers'), 'UNAUTHORIZED');
  await isOver({ ...first, refreshToken: third.refresh_token });
  assert.deepEqual(dataOf(await browser.get('/grants')), []);
});

test('at most one of several concurrent requests with one refresh token gets tokens, and these are revoked as well', async () => {
  const { tokens } = await member();
  const answers = await Promise.all([1, 2, 3, 4].map(() => refreshed(world, tokens)));
  const accepted = answers.filter(({ status }) => status === 200);
  assert.equal(accepted.length, 1);
  await isOver({
    ...tokens,
    token: accepted[0]?.body.access_token,
    refreshToken: accepted[0]?.body.refresh_token,
  });
});

test('a refresh token from another app, from a made-up family, or in place of an access token is rejected', async () => {
  const { tokens } = await member();
  assert.equal((await refreshed(world, { ...tokens, client: 'Another' })).body.error, 'invalid_grant');
  for (const refreshToken of [
    '',
    'x',
    tokens.token,
    `${tokens.refreshToken}x`,
    tokens.refreshToken.slice(0, -1),
  ])
    assert.equal((await refreshed(world, { ...tokens, refreshToken })).status, 400, refreshToken);
  assertRefused(await appOf(world, tokens.refreshToken).get('/servers'), 'INVALID_API_KEY');
  assert.equal((await refreshed(world, tokens)).status, 200);
});

test('reusing a code revokes the grant', async () => {
  const { browser } = await member();
  const code = await grantCode(browser, scene.server.id);
  const { body } = await exchanged(world, code);
  assert.equal((await exchanged(world, code)).body.error, 'invalid_grant');
  assertRefused(await appOf(world, body.access_token).get('/servers'), 'UNAUTHORIZED');
  // A failed attempt also uses up the code.
  const next = await grantCode(browser, scene.server.id);
  assert.equal((await exchanged(world, { ...next, verifier: 'x'.repeat(43) })).body.error, 'invalid_grant');
  assert.equal((await exchanged(world, next)).body.error, 'invalid_grant');
  const late = await grantCode(browser, scene.server.id);
  clock.advance(2 * MINUTE_MS);
  assert.equal((await exchanged(world, late)).body.error, 'invalid_grant');
});

test('a grant gives no access outside its server', async () => {
  const { user, tokens } = await owner();
  await world.member(other.server, user);
  const app = appOf(world, tokens.token);
  const channel = await other.channel();
  const invite = await other.invite();
  for (const path of [
    `/servers/${other.server.id}`,
    `/servers/${other.server.id}/channels`,
    `/channels/${channel.id}/messages`,
    `/invites/${invite.id}`,
    '/servers/joinable',
  ])
    assertRefused(await app.get(path), 'FORBIDDEN', path);
  const place = { 'palaver-server': other.server.id };
  assertRefused(await app.get(`/channels/${channel.id}/messages`, place), 'FORBIDDEN');
  const content = { channelId: channel.id, content: 'Hello' };
  assertRefused(await app.post('/messages', content), 'FORBIDDEN');
  const third = await Scene.open(world);
  const joins = { serverId: third.server.id, userId: user.id };
  assertRefused(await app.post('/server-members', joins), 'FORBIDDEN');
});

test('a grant never works under /api/people', async () => {
  const { tokens } = await owner();
  const places: Record<string, string>[] = [
    {},
    { 'palaver-server': 'none' },
    { 'palaver-server': scene.server.id },
  ];
  for (const place of places)
    for (const [method, path] of [
      ['GET', '/me'],
      ['GET', '/grants'],
      ['GET', '/servers'],
      ['GET', '/export'],
      ['DELETE', '/grants'],
      ['POST', '/password'],
      ['POST', '/events/tickets'],
      ['POST', '/approvals/redirect'],
      ['GET', '/platform/users'],
    ] as const) {
      const headers = { authorization: `Bearer ${tokens.token}`, ...place };
      const body = method === 'POST' ? {} : undefined;
      const answer = await world.request(method, `${world.url}/api/people${path}`, { headers, body });
      assertRefused(answer, 'FORBIDDEN', path);
    }
  // The token does not work as a cookie, either.
  const headers = { cookie: `palaver=${tokens.token}`, 'palaver-server': scene.server.id };
  assertRefused(await world.request('GET', '/servers', { headers }), 'UNAUTHORIZED');
});

test('a grant cannot create keys, secrets or webhooks, which would outlive it', async () => {
  const { tokens } = await owner();
  const app = appOf(world, tokens.token);
  const channel = await scene.channel();
  const webhook = await scene.webhook();
  const secret = await scene.secret();
  for (const [path, body] of [
    ['/secrets', { kind: 'apiKey', name: 'Mine' }],
    ['/webhooks', { name: 'Out', url: 'https://example.com/', types: ['message.created'] }],
    ['/webhooks/incoming', { name: 'In', channelId: channel.id }],
    [`/secrets/${secret.id}/rotate`, {}],
    [`/webhooks/${webhook.id}/rotate`, {}],
    ['/events/tickets', {}],
  ] as const)
    assert.ok([400, 403, 404].includes((await app.post(path, body)).status), path);
  assertRefused(await app.post('/secrets', { kind: 'apiKey', name: 'Mine' }), 'FORBIDDEN');
  assertRefused(await app.patch(`/webhooks/${webhook.id}`, { name: 'Changed' }), 'FORBIDDEN');
});

test('a grant cannot change anything that requires a confirmed identity', async () => {
  const { tokens } = await owner();
  const role = await scene.role();
  const refusal = await appOf(world, tokens.token).patch(`/roles/${role.id}`, { canAdmin: true });
  assertRefused(refusal, 'FORBIDDEN');
  assert.match(refusal.body.error.message, /apps cannot/);
});

test("the owner's app cannot leave the server for them", async () => {
  const { user, tokens } = await owner();
  const membership = await world.data.db.read.first(
    find('serverMember', { serverId: scene.server.id, userId: user.id }),
  );
  assertRefused(await appOf(world, tokens.token).delete(`/server-members/${membership?.id}`), 'FORBIDDEN');
});

test("a grant can neither read nor write its user's direct messages and personal state", async () => {
  const { browser, tokens } = await member();
  const friend = await world.user();
  await world.member(scene.server, friend);
  browser.place = scene.server.id;
  const conversation = dataOf(await browser.api.post('/conversations', { userIds: [friend.id] }));
  const sent = dataOf(await browser.api.post('/messages', { channelId: conversation.id, content: 'Psst' }));
  const full = await granted(world, browser, scene.server.id);
  for (const { token } of [tokens, full]) {
    const app = appOf(world, token);
    assert.deepEqual(dataOf(await app.get('/conversations')), []);
    assertRefused(await app.get(`/channels/${conversation.id}/messages`), 'FORBIDDEN');
    assertRefused(await app.get(`/messages/${sent.id}`), 'FORBIDDEN');
    assertRefused(await app.post('/messages', { channelId: conversation.id, content: 'Me' }), 'FORBIDDEN');
    assertRefused(await app.post('/conversations', { userIds: [friend.id] }), 'FORBIDDEN');
    assertRefused(await app.get('/messages/none'), 'NOT_FOUND');
    const events = dataOf(await app.get('/events?limit=100'));
    assert.ok(!JSON.stringify(events).includes(sent.id), 'in the log');
    assert.ok(
      !JSON.stringify(dataOf(await app.get(`/servers/${scene.server.id}/messages?q=Psst`))).includes(sent.id),
    );
  }
});

test('the hundred-and-first grant revokes the least recently used grant', async () => {
  const { browser, tokens, user } = await member();
  const [row] = await world.data.db.read.all(find('grant', { userId: user.id }));
  await change(world.data, async ({ db, newRow }) => {
    for (let count = 1; count < 100; count++) {
      const unique = `x${count}`;
      const digests = { digest: unique, familyDigest: unique, refreshDigest: unique };
      await db.run(
        insert('grant', { ...row, ...newRow(), ...digests, lastUsedAt: clock.now() + 1 } as never),
      );
    }
  });
  dataOf(await appOf(world, tokens.token).get('/servers'));
  await granted(world, browser, scene.server.id);
  assert.equal((await world.data.db.read.all(find('grant', { userId: user.id }))).length, 100);
  await isOver(tokens);
});

test('at most twenty codes can be pending', async () => {
  const { browser } = await member();
  for (let count = 0; count < 20; count++) await grantCode(browser, scene.server.id);
  await assert.rejects(grantCode(browser, scene.server.id), /RATE_LIMITED/);
});

test('a person cannot grant flags that they lack', async () => {
  const { browser } = await member();
  await assert.rejects(grantCode(browser, other.server.id), /NOT_FOUND/);
  await assert.rejects(grantCode(browser, scene.server.id, { flags: ['canAdmin'] }), /flags/);
  clock.advance(15 * MINUTE_MS);
  await assert.rejects(grantCode(browser, scene.server.id), /FORBIDDEN/, 'without a recent proof');
});

test('revoking an unknown token does nothing', async () => {
  const { tokens } = await member();
  for (const token of ['grant_plv_', 'refresh_plv_', `${tokens.token.slice(0, -1)}x`])
    assert.equal((await form(world, 'revoke', { token })).status, 200);
  dataOf(await appOf(world, tokens.token).get('/servers'));
});
