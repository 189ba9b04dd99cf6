import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { needOf, openProviderScene, type ProviderScene } from '../support/providerScene.ts';
import { find, insert } from '../support/sources.ts';

const MINUTE_MS = 60_000;
let scene: ProviderScene;
before(async () => {
  scene = await openProviderScene();
});
after(() => scene?.close());

test('a code, a state and a callback are valid once, in the browser that started the sign-in, for ten minutes', async () => {
  const { clock, hostile, world, start, callback, finish, comeBack } = scene;
  const browser = new Browser(world);
  const query = hostile.query(await start(browser), 'once');
  // Another browser with its own pending sign-in is not signed in as somebody else (login CSRF).
  const victim = new Browser(world);
  await start(victim);
  assertRefused(await callback(victim, query), 'UNAUTHORIZED');
  assertRefused(await callback(new Browser(world), query), 'UNAUTHORIZED');
  assert.equal(
    needOf(await callback(browser, query)),
    'username',
    'these attempts have not used up the state',
  );
  assertRefused(await callback(browser, query), 'UNAUTHORIZED', 'the same state again');
  assertRefused(await finish(victim, { username: 'victim' }), 'UNAUTHORIZED');
  const { binding } = browser;
  dataOf(await finish(browser, { username: world.unique('once') }));
  browser.binding = binding;
  assertRefused(await finish(browser, { username: world.unique('twice') }), 'UNAUTHORIZED');

  // Replays the code with another state: the provider has already redeemed the code, and the verifier differs.
  const thief = new Browser(world);
  const state = new URL(await start(thief)).searchParams.get('state') as string;
  const code = new URLSearchParams(query).get('code') as string;
  const replayed = new URLSearchParams({ code, state, iss: hostile.issuer });
  const answer = await callback(thief, `?${replayed}`);
  assertRefused(answer, 'UNAUTHORIZED');
  assert.match(answer.body.error.message, /invalid_grant/);

  const slow = new Browser(world);
  const late = hostile.query(await start(slow), 'late');
  clock.advance(10 * MINUTE_MS);
  assertRefused(await callback(slow, late), 'UNAUTHORIZED');
  const next = new Browser(world);
  assert.equal(needOf(await comeBack(next, 'late')), 'username');
  clock.advance(10 * MINUTE_MS);
  assertRefused(await finish(next, { username: 'too.late' }), 'UNAUTHORIZED');
  await world.tidy();
  const { read } = world.data.db;
  assert.deepEqual(await read.all(find('authenticationRequest', { provider: 'other' })), []);
});

test('unfinished sign-ins are limited per address and in total, and swept', async () => {
  const { clock, world } = scene;
  const begin = () => new Browser(world).post('/providers/other/start', {});
  const rows = () => world.data.db.read.all(find('authenticationRequest', { provider: 'other' }));
  const known = (await rows()).length;
  dataOf(await begin());
  const row = (await rows()).at(-1) as NonNullable<Awaited<ReturnType<typeof rows>>[number]>;
  const fill = (amount: number, address: string | null) =>
    world.data.db.write(async (tx) => {
      for (let number = 0; number < amount; number++) {
        const id = randomUUID();
        await tx.run(insert('authenticationRequest', { ...row, id, digest: id, browser: id, address }));
      }
    });
  await fill(99 - known, row.address);
  const refused = await begin();
  assertRefused(refused, 'RATE_LIMITED');
  assert.equal(refused.headers.get('retry-after'), '60');
  clock.advance(10 * MINUTE_MS);
  dataOf(await begin(), 'the earlier ones have expired');
  await world.tidy();
  assert.equal((await rows()).length, 1);

  const expiresAt = clock.at + MINUTE_MS;
  row.expiresAt = expiresAt;
  await fill(9_999, '203.0.113.7');
  assertRefused(await begin(), 'RATE_LIMITED', 'all addresses in total');
  clock.advance(10 * MINUTE_MS);
  dataOf(await begin());
  await world.tidy();
});

test('when a sign-in is completed twice concurrently, one succeeds', async () => {
  const { hostile, world, start, callback, finish } = scene;
  const browser = new Browser(world);
  const query = hostile.query(await start(browser), 'both');
  const answers = await Promise.all([callback(browser, query), callback(browser, query)]);
  assert.equal(answers.filter(({ body }) => body.error.details?.need === 'username').length, 1);
  const twice = await Promise.all(['a', 'b'].map(() => finish(browser, { username: world.unique('both') })));
  assert.deepEqual(twice.map(({ status }) => status).sort(), [200, 401]);
});

test("one provider's callback cannot be used for another", async () => {
  const { hostile, strict, world, start, callback } = scene;
  const browser = new Browser(world);
  const url = await start(browser, 'strict');
  const asked = strict.asked.length + hostile.asked.length;
  // The browser was sent to the malicious provider, which forwards it with the honest provider's state.
  assertRefused(await callback(browser, hostile.query(url, 'eve'), 'other'), 'UNAUTHORIZED');
  // The malicious provider may also redirect to the honest provider's page: `iss` reveals this (RFC 9207).
  const mixed = await callback(browser, hostile.query(url, 'eve'), 'strict');
  assertRefused(mixed, 'UNAUTHORIZED');
  const next = new Browser(world);
  const without = hostile.query(await start(next, 'strict'), 'eve', { iss: undefined });
  assertRefused(await callback(next, without, 'strict'), 'UNAUTHORIZED');
  assert.equal(strict.asked.length + hostile.asked.length, asked, 'no code was revealed');
});

test('invalid ID tokens sign nobody in', async () => {
  const { hostile, world, finish, comeBack } = scene;
  const now = Math.floor(Date.now() / 1000);
  const wrong: [claims: object, header?: object][] = [
    [{ nonce: 'another' }],
    [{ nonce: undefined }],
    [{ aud: 'another' }],
    [{ aud: ['palaver', 'another'], azp: 'another' }],
    [{ iss: 'https://evil.example' }],
    [{ exp: now - 300 }],
    [{ exp: undefined }],
    [{ sub: undefined }],
    [{ sub: '' }],
    [{ sub: 'x'.repeat(256) }],
    [{ sub: 'two\nlines' }],
    [{}, { alg: 'none' }],
    [{}, { alg: 'HS256' }],
    [{}, { kid: 'unknown' }],
    [{ iat: now + 120 }],
    [{ iat: now + 10 * 365 * 86_400, exp: now + 11 * 365 * 86_400 }],
  ];
  for (const [claims, header = {}] of wrong) {
    hostile.claims = claims;
    hostile.header = header;
    const browser = new Browser(world);
    const answer = await comeBack(browser, 'mallory');
    const context = JSON.stringify([claims, header]);
    assertRefused(answer, 'UNAUTHORIZED', context);
    assert.equal(answer.body.error.details, undefined, context);
    assertRefused(await finish(browser, { username: 'mallory' }), 'UNAUTHORIZED', context);
  }
  hostile.claims = {};
  hostile.header = {};
  // This token is signed with a key that is not the provider's.
  const { key } = hostile;
  hostile.replaceKey();
  hostile.published = [{ ...key, kid: hostile.key.kid }];
  assertRefused(await comeBack(new Browser(world), 'mallory'), 'UNAUTHORIZED');
  // The provider may rotate its keys at any time, and clocks may differ.
  hostile.replaceKey();
  hostile.claims = { iat: now + 30, exp: now - 30 };
  assert.equal(needOf(await comeBack(new Browser(world), 'mallory')), 'username');
  hostile.claims = {};
});

test('refusals by the provider, and forged queries, get a clear error', async () => {
  const { hostile, world, start, callback } = scene;
  const browser = new Browser(world);
  const refused = hostile.query(await start(browser), 'x', { code: undefined, error: 'access_denied' });
  const answer = await callback(browser, refused);
  assertRefused(answer, 'UNAUTHORIZED');
  assert.match(answer.body.error.message, /Provider other did not sign you in: access_denied/);
  const odd = hostile.query(await start(browser), 'x', { code: undefined, error: '<b>odd</b>' });
  assert.doesNotMatch((await callback(browser, odd)).body.error.message, /<b>/);
  for (const query of [
    '?',
    'nothing',
    '?state=',
    '?code=1&state=in.1',
    `?${'a=1&'.repeat(100)}`,
    '\u0000',
    '#?%%',
  ])
    assert.ok([400, 401].includes((await callback(browser, query)).status), query);
  const doubled = `${hostile.query(await start(browser), 'x')}&code=another`;
  assertRefused(await callback(browser, doubled), 'UNAUTHORIZED');
  for (const id of ['nobody', '__proto__', 'constructor'])
    assertRefused(await browser.post(`/providers/${id}/start`, {}), 'NOT_FOUND', id);
});

test('a sign-in can only return to a page on this server', async () => {
  const { world } = scene;
  const browser = new Browser(world);
  for (const returnTo of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'channels',
    ' /channels',
    '',
  ])
    assertRefused(
      await browser.post('/providers/other/start', { returnTo }),
      'INVALID_REQUEST',
      JSON.stringify(returnTo),
      'returnTo',
    );
  dataOf(await browser.post('/providers/other/start', { returnTo: '/a/b?c=//d#e' }));
});

test('other sites can neither start nor complete a sign-in', async () => {
  const { hostile, world, start, callback } = scene;
  const browser = new Browser(world);
  const query = hostile.query(await start(browser), 'victim');
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const [path, body] of [
    ['/providers/other/start', {}],
    ['/providers/other/callback', { query }],
    ['/providers/finish', { username: 'victim' }],
  ] as const)
    assertRefused(await browser.post(path, body, foreign), 'UNAUTHORIZED', path);
  assert.equal(needOf(await callback(browser, query)), 'username');
});

test('only the account id from a provider is stored, encrypted while the sign-in is pending', async () => {
  const { world, finish, comeBack } = scene;
  const browser = new Browser(world);
  assert.equal(needOf(await comeBack(browser, 'a-secret-subject')), 'username');
  const { read } = world.data.db;
  const kept = JSON.stringify(await read.all(find('authenticationRequest', { provider: 'other' })));
  assert.doesNotMatch(kept, /a-secret-subject|an access token|nonce|verifier/);
  const [, binding = ''] = browser.binding.split('=');
  assert.ok(binding.length >= 43 && !kept.includes(binding));
  dataOf(await finish(browser, { username: world.unique('kept') }));
  assert.doesNotMatch(
    JSON.stringify(await read.all(find('identity', { account: 'a-secret-subject' }))),
    /token/,
  );
});
