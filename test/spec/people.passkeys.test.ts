import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { Browser, linkFor, PASSWORD } from '../support/account.ts';
import { Authenticator } from '../support/authenticator.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { ADDRESS, holderIn, prove, register, signIn } from '../support/passkeys.ts';
import { find, insert, update } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, address: ADDRESS });
});
after(() => world.close());

test('a passkey can be registered and signs in without a username, and shows when it was last used', async () => {
  const user = await world.user();
  const browser = await Browser.of(world, user);
  const options = dataOf(await browser.post('/passkeys/options'));
  assert.deepEqual(options.rp, { id: 'localhost', name: 'Palaver' });
  assert.equal(Buffer.from(options.user.id, 'base64url').toString('hex'), user.id.replaceAll('-', ''));
  assert.deepEqual(options.authenticatorSelection, {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  });
  assert.deepEqual(
    options.pubKeyCredParams.map(({ alg }: Json) => alg),
    [-8, -7, -257],
  );
  const phone = new Authenticator(ADDRESS);
  const made = dataOf(await browser.post('/passkeys', { name: 'Phone', passkey: phone.create(options) }));
  assert.equal(made.name, 'Phone');
  assert.equal(made.lastUsedAt, null);
  assert.deepEqual([made.origin, made.backupEligible, made.backedUp], [ADDRESS, false, false]);
  assert.equal(dataOf(await browser.get('/me')).hasPasskey, true);

  clock.advance(MINUTE_MS);
  const other = new Browser(world);
  const me = dataOf(await signIn(world, phone, {}, other));
  assert.equal(me.id, user.id);
  assert.equal(me.provenAt, clock.at);
  assert.equal(dataOf(await other.get('/me')).id, user.id);
  const [listed] = dataOf(await other.get('/passkeys'));
  assert.deepEqual(listed, { ...made, lastUsedAt: clock.at });
  const stored = await world.data.db.read.first(find('passkey', { id: made.id }));
  assert.equal(stored?.counter, phone.counter);

  const excluded = dataOf(await browser.post('/passkeys/options')).excludeCredentials;
  assert.deepEqual(excluded, [{ type: 'public-key', id: phone.id, transports: ['internal'] }]);
});

test('a synced passkey needs no counter, and its backup state is updated', async () => {
  const { authenticator, browser, passkey } = await holderIn(
    world,
    new Authenticator(ADDRESS, { counts: false, backedUp: true }),
  );
  assert.deepEqual([passkey.backupEligible, passkey.backedUp], [true, true]);
  dataOf(await signIn(world, authenticator));
  dataOf(await signIn(world, authenticator, { backedUp: false }));
  assert.equal(dataOf(await browser.get('/passkeys'))[0].backedUp, false);
});

test('a passkey counts as both factors: signing in asks for no code', async () => {
  const { user, authenticator, browser } = await holderIn(world);
  const factor = { id: user.id, createdAt: clock.at, updatedAt: clock.at, confirmedAt: clock.at };
  await world.data.db.write((tx) =>
    tx.run(insert('secondFactor', { ...factor, sealed: 'sealed', lastStep: 0, failures: 0, lockedUntil: 0 })),
  );
  assert.equal(dataOf(await browser.get('/me')).hasSecondFactor, true);
  assert.equal(dataOf(await signIn(world, authenticator)).id, user.id);
});

test("a passkey confirms its owner's identity for ten minutes, in this session only", async () => {
  const { user, authenticator, browser } = await holderIn(world);
  const other = await Browser.of(world, user);
  clock.advance(10 * MINUTE_MS);
  for (const [method, path] of [
    ['POST', '/passkeys/options'],
    ['POST', '/passkeys'],
    ['POST', '/second-factor'],
  ] as const) {
    const body =
      path === '/passkeys'
        ? { passkey: authenticator.create({ rp: {}, user: {} }, { rpId: '' }) }
        : undefined;
    const refused = await browser.send(method, path, body);
    assertRefused(refused, 'FORBIDDEN', path);
    assert.match(refused.body.error.details.rule, /^proof:/);
  }
  assert.equal(dataOf(await prove(browser, authenticator)).provenAt, clock.at);
  dataOf(await browser.post('/second-factor'));
  assertRefused(await other.post('/second-factor'), 'FORBIDDEN');
  assertRefused(await browser.post('/proof', {}), 'INVALID_REQUEST');
  const options = dataOf(await browser.post('/proof/options'));
  const both = { password: PASSWORD, passkey: authenticator.get(options) };
  assertRefused(await browser.post('/proof', both), 'INVALID_REQUEST', '', 'passkey');
});

test('passkeys can be renamed and removed by their owner, and sessions continue', async () => {
  const { browser, authenticator, passkey, user } = await holderIn(world);
  const path = `/passkeys/${passkey.id}`;
  clock.advance(1);
  const renamed = dataOf(await browser.send('PATCH', path, { name: 'Laptop' }));
  assert.deepEqual([renamed.name, renamed.updatedAt], ['Laptop', clock.at]);
  for (const name of ['', ' ', 'x'.repeat(101), 5])
    assertRefused(await browser.send('PATCH', path, { name }), 'INVALID_REQUEST');
  const stranger = await Browser.claimed(world, await world.user());
  assertRefused(await stranger.send('PATCH', path, { name: 'Mine' }), 'FORBIDDEN');
  assertRefused(await stranger.delete(path), 'FORBIDDEN');
  assertRefused(await stranger.delete('/passkeys/none'), 'NOT_FOUND');
  assert.deepEqual(dataOf(await stranger.get('/passkeys')), []);

  const { token } = await linkFor(world, user);
  dataOf(await browser.post('/links/claim', { token, password: PASSWORD }));
  assert.equal(dataOf(await browser.get('/me')).hasPasskey, true, 'a new password keeps passkeys');
  assert.equal(dataOf(await browser.delete(path)).id, passkey.id);
  assert.equal(dataOf(await browser.get('/me')).hasPasskey, false);
  assertRefused(await signIn(world, authenticator), 'UNAUTHORIZED');
});

test('nobody can lock themselves out: without a password, two passkeys or a backed-up one must remain', async () => {
  const { user, browser, passkey, authenticator } = await holderIn(world);
  assertRefused(await browser.delete(`/passkeys/${passkey.id}`), 'FORBIDDEN');
  assertRefused(await browser.delete('/password'), 'NOT_FOUND');
  const claim = await linkFor(world, user);
  dataOf(await browser.post('/links/claim', { token: claim.token, password: PASSWORD }));
  assertRefused(await browser.delete('/password'), 'FORBIDDEN', 'one device may get lost');
  const second = dataOf(await register(browser, new Authenticator(ADDRESS)));
  assert.equal(dataOf(await browser.delete('/password')).hasPassword, false);
  assertRefused(
    await new Browser(world).post('/sign-in', { name: user.username, password: PASSWORD }),
    'UNAUTHORIZED',
  );
  const answers = await Promise.all([passkey.id, second.id].map((id) => browser.delete(`/passkeys/${id}`)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 403],
  );
  const third = dataOf(await register(browser, new Authenticator(ADDRESS)));
  const raced = await Promise.all([second.id, third.id].map((id) => browser.delete(`/passkeys/${id}`)));
  assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 403], 'one of two concurrent removals');
  const left = dataOf(await browser.get('/passkeys')).map(({ id }: Json) => id);
  assert.equal(left.length, 2);
  dataOf(await register(browser, new Authenticator(ADDRESS, { backedUp: true })));
  for (const id of left) dataOf(await browser.delete(`/passkeys/${id}`));
  assertRefused(await signIn(world, authenticator), 'UNAUTHORIZED');
  // Setting a password again requires a confirmed identity.
  clock.advance(10 * MINUTE_MS);
  assertRefused(await browser.post('/password', { newPassword: PASSWORD }), 'FORBIDDEN');
  assertRefused(await browser.post('/proof', { password: PASSWORD }), 'UNAUTHORIZED');
});

test('passkeys for a previous server address cannot sign in', async () => {
  const { browser, passkey, user } = await holderIn(world, new Authenticator(ADDRESS, { backedUp: true }));
  const { token } = await linkFor(world, user);
  dataOf(await browser.post('/links/claim', { token, password: PASSWORD }));
  const second = dataOf(await register(browser, new Authenticator(ADDRESS)));
  const movedTo = (origin: string, id: string) =>
    world.data.db.write((tx) => tx.run(update('passkey', id, { origin })));
  for (const { id } of [passkey, second]) await movedTo('https://former.example.com', id);
  assertRefused(await browser.delete('/password'), 'FORBIDDEN', 'none of them can sign in');
  await movedTo('https://localhost', passkey.id);
  dataOf(await browser.delete('/password'), 'only the host matters, not the scheme or port');
  assertRefused(await browser.delete(`/passkeys/${passkey.id}`), 'FORBIDDEN');
  dataOf(await browser.delete(`/passkeys/${second.id}`));
});

test('an account without a password gets one once its owner has confirmed their identity', async () => {
  const { user, browser, authenticator } = await holderIn(world);
  dataOf(await prove(browser, authenticator));
  assert.equal(dataOf(await browser.post('/password', { newPassword: PASSWORD })).hasPassword, true);
  dataOf(await new Browser(world).post('/sign-in', { name: user.username, password: PASSWORD }));
  assertRefused(
    await browser.post('/password', { newPassword: `${PASSWORD}!` }),
    'INVALID_REQUEST',
    '',
    'password',
  );
});

test("the operator's recovery link removes passkeys, but the password link does not", async () => {
  const { user, authenticator } = await holderIn(world);
  const claim = async (purpose: 'password' | 'recovery') => {
    const { token } = await linkFor(world, user, purpose);
    return dataOf(await new Browser(world).post('/links/claim', { token, password: PASSWORD }));
  };
  assert.equal((await claim('password')).hasPasskey, true);
  dataOf(await signIn(world, authenticator));
  assert.equal((await claim('recovery')).hasPasskey, false);
  assertRefused(await signIn(world, authenticator), 'UNAUTHORIZED');
});

test('a person can have at most twenty passkeys', async () => {
  const { browser, user } = await holderIn(world);
  const row = await world.data.db.read.first(find('passkey', { userId: user.id }));
  assert.ok(row);
  await world.data.db.write(async (tx) => {
    for (let number = 1; number < 20; number++)
      await tx.run(insert('passkey', { ...row, id: randomUUID(), credential: `other ${number}` }));
  });
  const refused = await register(browser, new Authenticator(ADDRESS));
  assertRefused(refused, 'INVALID_REQUEST');
  assert.equal(refused.body.error.details[0].reason, 'quota');
});

/** Returns the status of a sign-in with the Host header `localhost:1`, which `fetch` does not allow. */
const statusOfRelay = (open: World, body: object): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      host: 'localhost:1',
      origin: 'http://localhost:1',
      'palaver-server': 'none',
      'content-type': 'application/json',
    };
    const asked = request(`${open.url}/api/people/sign-in/passkey`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode as number);
    });
    asked.on('error', reject);
    asked.end(JSON.stringify(body));
  });

test('browsers support passkeys over https and at localhost: elsewhere, the error says so', async (t) => {
  const open = await World.open({ clock });
  t.after(() => open.close());
  const user = await open.user();
  const browser = await Browser.of(open, user);
  const refused = await browser.post('/passkeys/options');
  assertRefused(refused, 'INVALID_REQUEST');
  assert.equal(refused.body.error.details[0].reason, 'insecure_address');
  assert.match(refused.body.error.message, new RegExp(`Open http://localhost:${new URL(open.url).port}$`));
  assertRefused(await new Browser(open).post('/sign-in/options'), 'INVALID_REQUEST');

  // Uses `localhost` instead of the IP address. Without a configured address, a passkey works on the
  // origin where it was created.
  const origin = open.url.replace('127.0.0.1', 'localhost');
  const at = async (path: string, body?: unknown, cookie = '') =>
    dataOf(
      await open.request('POST', `${origin}/api/people${path}`, {
        body,
        headers: { 'palaver-server': 'none', origin, ...(cookie && { cookie }) },
      }),
    );
  const authenticator = new Authenticator(origin);
  const options = await at('/passkeys/options', undefined, browser.cookie);
  assert.equal(options.rp.id, 'localhost');
  await at('/passkeys', { passkey: authenticator.create(options) }, browser.cookie);
  const asked = await at('/sign-in/options');
  // A page on another port that relays requests through its own program, which can send any header.
  const forged = authenticator.get(asked, { origin: 'http://localhost:1' });
  assert.equal(await statusOfRelay(open, { passkey: forged }), 401);
  assert.equal((await at('/sign-in/passkey', { passkey: authenticator.get(asked) })).id, user.id);
  for (const address of ['http://chat.example.com', 'https://192.0.2.1'])
    await t.test(address, async () => {
      const other = await World.open({ clock, address });
      const refusal = await new Browser(other).post('/sign-in/options');
      await other.close();
      assertRefused(refusal, 'INVALID_REQUEST');
      assert.equal(refusal.body.error.details[0].reason, 'insecure_address');
    });
});
