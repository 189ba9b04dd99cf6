import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, cookiesOf, linkFor, PASSWORD } from '../support/account.ts';
import { appShows } from '../support/app.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { HostileProvider } from '../support/hostileProvider.ts';
import { settingsOf } from '../support/provider.ts';
import { ADDRESS, needOf, openProviderScene, type ProviderScene } from '../support/providerScene.ts';
import { Scene } from '../support/scene.ts';
import { change, insert } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
let scene: ProviderScene;
before(async () => {
  scene = await openProviderScene();
});
after(() => scene?.close());

test('the configured providers are public, without their secrets', async () => {
  const { world } = scene;
  const answer = await new Browser(world).get('/providers');
  assert.deepEqual(dataOf(answer), [
    { id: 'real', name: 'Provider real' },
    { id: 'other', name: 'Provider other' },
    { id: 'strict', name: 'Provider strict' },
  ]);
});

test('a new person can sign up with a real provider and sign in again', async () => {
  const { clock, real, world, start, callback, finish } = scene;
  const browser = new Browser(world);
  const began = await browser.post('/providers/real/start', { returnTo: '/channels?of=me' });
  const [cookie] = cookiesOf(began);
  assert.equal(cookie?.name, '__Host-palaver-sign-in');
  assert.deepEqual(cookie?.attributes, ['httponly', 'max-age=1200', 'path=/', 'samesite=strict', 'secure']);
  const { url, expiresAt } = dataOf(began);
  assert.equal(expiresAt, clock.at + 10 * MINUTE_MS);
  const asked = new URL(url).searchParams;
  assert.deepEqual(
    ['response_type', 'client_id', 'redirect_uri', 'scope', 'code_challenge_method'].map((name) =>
      asked.get(name),
    ),
    ['code', 'palaver', `${ADDRESS}/sign-in/real`, 'openid profile', 'S256'],
  );
  const back = await real.signIn(url, 'ada');
  assert.equal(back.origin + back.pathname, `${ADDRESS}/sign-in/real`);
  assert.equal(back.searchParams.get('iss'), real.issuer);
  const refused = await callback(browser, back.search, 'real');
  assertRefused(refused, 'UNAUTHORIZED');
  assert.deepEqual(refused.body.error.details, {
    need: 'username',
    username: 'ada',
    name: 'ada of the provider',
  });
  assertRefused(await finish(browser, { username: 'Not a name' }), 'INVALID_REQUEST', '', 'username');
  const { username } = await world.user();
  assertRefused(await finish(browser, { username }), 'ALREADY_EXISTS');
  const answer = await finish(browser, { username: 'ada' });
  const made = dataOf(answer);
  assert.deepEqual(
    [made.username, made.name, made.email, made.returnTo, made.platformAdmin],
    ['ada', 'ada of the provider', null, '/channels?of=me', false],
  );
  assert.deepEqual(
    cookiesOf(answer).map(({ name, value }) => [name, value === '']),
    [
      ['__Host-palaver', false],
      ['__Host-palaver-known', false],
      ['__Host-palaver-sign-in', true],
    ],
  );
  assert.equal(dataOf(await browser.get('/me')).id, made.id);

  const again = new Browser(world);
  const next = await real.signIn(await start(again, 'real'), 'ada');
  const signed = dataOf(await callback(again, next.search, 'real'));
  assert.deepEqual([signed.id, signed.returnTo], [made.id, '/']);
  dataOf(await again.post('/sign-out'));
  assertRefused(await again.get('/me'), 'UNAUTHORIZED');
  const suggested = new Browser(world);
  const third = await real.signIn(await start(suggested, 'real'), 'Ada');
  assert.equal((await callback(suggested, third.search, 'real')).body.error.details.username, 'ada2');
});

test('new people need what the signUp setting requires', async () => {
  const { clock, hostile, world, finish, comeBack } = scene;
  const place = await Scene.open(world);
  const at = await World.open({
    clock,
    address: ADDRESS,
    place: world.place,
    providers: [settingsOf('other', hostile.issuer)],
  });
  try {
    const browser = new Browser(at);
    assert.equal(needOf(await comeBack(browser, 'invited')), 'username');
    const username = world.unique('invited');
    assertRefused(await finish(browser, { username }), 'FORBIDDEN');
    const invite = await place.invite({ maxUses: 1 });
    const made = dataOf(await finish(browser, { username, inviteId: invite.id }));
    browser.place = place.server.id;
    assert.equal(dataOf(await browser.get('/me')).serverId, place.server.id);
    assert.equal(made.email, null);
    const other = new Browser(at);
    assert.equal(needOf(await comeBack(other, 'linked')), 'username');
    const { token } = await linkFor(world, undefined, 'signUp', 'linked@example.org');
    assert.equal(
      dataOf(await finish(other, { username: world.unique('linked'), token })).email,
      'linked@example.org',
    );
  } finally {
    await at.close();
  }
});

test('a person can connect a provider account and sign in with it; matching email addresses connect nothing', async () => {
  const { clock, hostile, world, start, callback, comeBack } = scene;
  const user = await world.user();
  const { token } = await linkFor(world, user, 'claim', 'same@example.org');
  const browser = new Browser(world);
  dataOf(await browser.post('/links/claim', { token, password: PASSWORD }));
  hostile.claims = { email: 'same@example.org', email_verified: true };
  assert.equal(needOf(await comeBack(new Browser(world), 'connected')), 'username');
  hostile.claims = {};
  const connect = async (by = browser, sub = 'connected') =>
    hostile.query(dataOf(await by.post('/providers/other/connect', { returnTo: '/me' })).url, sub);
  const add = (query: string, by = browser) => by.post('/identities', { provider: 'other', query });

  clock.advance(10 * MINUTE_MS);
  assertRefused(await browser.post('/providers/other/connect', {}), 'FORBIDDEN');
  dataOf(await browser.post('/proof', { password: PASSWORD }));
  const query = await connect();
  assertRefused(await callback(browser, query), 'UNAUTHORIZED', 'it signs nobody in');
  const connected = dataOf(await add(query));
  assert.deepEqual([connected.kind, connected.provider, connected.returnTo], ['provider', 'other', '/me']);
  assertRefused(await add(query), 'UNAUTHORIZED');
  assert.deepEqual(
    dataOf(await browser.get('/identities')).map(({ kind, name }: Json) => [kind, name]),
    [
      ['provider', 'Provider other'],
      ['password', 'Password'],
    ],
  );
  assert.equal(dataOf(await comeBack(new Browser(world), 'connected')).id, user.id);

  // A provider account that is linked to another person is not taken over, and one person's callback does not work
  // for another.
  const second = await Browser.claimed(world, await world.user());
  assertRefused(await add(await connect(second), second), 'ALREADY_EXISTS');
  const third = await Browser.claimed(world, await world.user());
  const meant = await connect(second, 'meant');
  third.binding = second.binding;
  assertRefused(await add(meant, third), 'UNAUTHORIZED', 'from another person');
  const same = await Browser.of(world, user);
  const own = await connect(browser, 'meant');
  same.binding = browser.binding;
  assertRefused(await add(own, same), 'UNAUTHORIZED', 'from another session');
  assertRefused(await add(hostile.query(await start(browser), 'meant')), 'UNAUTHORIZED', 'from a sign-in');
  assertRefused(await new Browser(world).post('/providers/other/connect', {}), 'UNAUTHORIZED');

  const { id: userId } = dataOf(await third.get('/me'));
  await change(world.data, async ({ db, newRow }) => {
    for (let number = 1; number < 20; number++) {
      const row = { userId, provider: 'https://id.example', account: `${number}`, password: null };
      await db.run(insert('identity', { ...newRow(), ...row }));
    }
  });
  const beyond = await add(await connect(third, 'beyond'), third);
  assertRefused(beyond, 'INVALID_REQUEST', 'more than the maximum per person');
  assert.equal(beyond.body.error.details[0].reason, 'quota');
});

test('the last way to sign in cannot be removed', async () => {
  const { clock, hostile, world, signedUp } = scene;
  const { browser, user } = await signedUp('only');
  assertRefused(
    await browser.post('/proof', { password: PASSWORD }),
    'UNAUTHORIZED',
    'the account has no password',
  );
  const ways = async () => dataOf(await browser.get('/identities'));
  const [only] = await ways();
  assertRefused(await browser.delete(`/identities/${only.id}`), 'FORBIDDEN');
  const query = hostile.query(dataOf(await browser.post('/providers/other/connect', {})).url, 'more');
  const more = dataOf(await browser.post('/identities', { provider: 'other', query }));
  const other = await Browser.claimed(world, await world.user());
  assertRefused(await other.delete(`/identities/${more.id}`), 'NOT_FOUND');
  const both = await Promise.all([only, more].map(({ id }) => browser.delete(`/identities/${id}`)));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 403]);
  assert.equal((await ways()).length, 1);
  // A provider that is no longer configured does not count as a sign-in method.
  const at = await World.open({ clock, address: ADDRESS, place: world.place });
  try {
    const { token } = await linkFor(at, user, 'password');
    const claimed = new Browser(at);
    dataOf(await claimed.post('/links/claim', { token, password: PASSWORD }));
    const password = dataOf(await claimed.get('/identities')).find(({ kind }: Json) => kind === 'password');
    assertRefused(await claimed.delete(`/identities/${password.id}`), 'INVALID_REQUEST', '', 'id');
    assertRefused(await claimed.delete('/password'), 'FORBIDDEN');
    const gone = dataOf(await claimed.get('/identities')).find(({ kind }: Json) => kind === 'provider');
    assert.deepEqual([gone.provider, gone.name], [null, hostile.issuer]);
    dataOf(await claimed.delete(`/identities/${gone.id}`));
  } finally {
    await at.close();
  }
});

test('a two-factor code is required where the setting says so, and only there', async () => {
  const { clock, strict, world, start, callback, finish, comeBack, signedUp } = scene;
  const { browser } = await signedUp('factor');
  const url = dataOf(await browser.post('/providers/strict/connect', {})).url;
  dataOf(await browser.post('/identities', { provider: 'strict', query: strict.query(url, 'factor') }));
  const { secret } = dataOf(await browser.post('/second-factor'));
  dataOf(await browser.post('/second-factor/confirm', { code: appShows(secret, clock.at) }));
  clock.advance(MINUTE_MS);
  dataOf(await comeBack(new Browser(world), 'factor'));
  const careful = new Browser(world);
  const asked = await callback(careful, strict.query(await start(careful, 'strict'), 'factor'), 'strict');
  assert.equal(needOf(asked), 'code');
  assert.equal(careful.cookie, '');
  assert.equal(needOf(await finish(careful, {})), 'code');
  assert.equal(needOf(await finish(careful, { code: '000000' })), 'code');
  assert.equal(careful.cookie, '');
  dataOf(await finish(careful, { code: appShows(secret, clock.at) }));
  dataOf(await careful.get('/me'));
});

test('a provider that is down, misconfigured or not a provider at all is reported clearly', async () => {
  const { clock, callback } = scene;
  const lone = await HostileProvider.open();
  const at = await World.open({ clock, address: ADDRESS, providers: [settingsOf('lone', lone.issuer)] });
  const begin = (browser: Browser) => browser.post('/providers/lone/start', {});
  try {
    await lone.close();
    const down = await begin(new Browser(at));
    assertRefused(down, 'INTERNAL_ERROR');
    assert.match(down.body.error.message, /Provider lone does not respond \(ECONNREFUSED\)/);
    assert.equal(down.headers.get('retry-after'), '10');
    await lone.listen();
    const place = '/.well-known/openid-configuration';
    const wrong: Record<string, (response: import('node:http').ServerResponse) => void> = {
      'an error': (response) => response.writeHead(500).end('{}'),
      'not JSON': (response) => response.writeHead(200).end('<html>'),
      'a redirect': (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'far too large': (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(600_000)}"`),
    };
    for (const [name, answer] of Object.entries(wrong)) {
      lone.instead = { [place]: answer };
      assertRefused(await begin(new Browser(at)), 'INTERNAL_ERROR', name);
    }
    lone.instead = {};
    lone.metadata = { issuer: 'https://evil.example' };
    assert.ok((await begin(new Browser(at))).status >= 401);
    lone.metadata = {};
    const browser = new Browser(at);
    const { url } = dataOf(await begin(browser), 'failures are not cached');
    lone.instead = {
      '/token': (response) =>
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}'),
    };
    const misset = await callback(browser, lone.query(url, 'x'), 'lone');
    assertRefused(misset, 'INTERNAL_ERROR');
    assert.match(misset.body.error.message, /does not accept this server: invalid_client/);
    assert.match(lone.authorizations[0] ?? '', /^$/);
  } finally {
    await at.close();
    await lone.close();
  }
});
