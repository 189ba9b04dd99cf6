import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { App, approved, begin, CLIENT, form, pkce, poll, redeem, redirectBody } from '../support/apps.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { find, update } from '../support/sources.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const clock = new TestClock();
let world: World;
let user: Json;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0, attempt: 5 } });
  user = await world.user();
});
after(() => world.close());

// Pending apps are limited per IP address, so those from the previous test have to expire first.
const person = async (): Promise<Browser> => {
  clock.advance(10 * MINUTE_MS);
  return Browser.of(world, user);
};

const errorOf = ({ status, body }: Answer): [number, string] => [status, body?.error];
const codeOf = (redirectTo: string): string => new URL(redirectTo).searchParams.get('code') as string;

async function redirected(browser: Browser): Promise<{ code: string; verifier: string }> {
  const { verifier, challenge } = pkce();
  const { redirectTo } = dataOf(await browser.post('/approvals/redirect', redirectBody(challenge)));
  return { code: codeOf(redirectTo), verifier };
}

test('the user code cannot be guessed', async () => {
  const browser = await person();
  const { user_code: userCode } = await begin(world);
  for (const wrong of ['BBBB-BBBB', 'AEIO-UAEI', '', '%', userCode.slice(1)].slice(0, 5))
    assert.ok(
      [400, 404].includes((await browser.post('/approvals/look', { userCode: wrong })).status),
      wrong,
    );
  assertRefused(await browser.post('/approvals/look', { userCode: 'CCCC-CCCC' }), 'NOT_FOUND');
  const limited = await browser.post('/approvals', { userCode });
  assertRefused(limited, 'RATE_LIMITED', 'the right code after five wrong ones');
  assertRefused(await (await Browser.of(world, user)).post('/approvals', { userCode }), 'RATE_LIMITED');
  clock.advance(MINUTE_MS);
  dataOf(await browser.post('/approvals', { userCode }));
});

test('a user code is approved or denied once, by a person who has confirmed their identity', async () => {
  const browser = await person();
  const { user_code: userCode, device_code: code } = await begin(world);
  const answers = await Promise.all([1, 2].map(() => browser.post('/approvals', { userCode })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
  assertRefused(await browser.post('/approvals/deny', { userCode }), 'NOT_FOUND');
  assertRefused(await browser.post('/approvals/look', { userCode }), 'NOT_FOUND');
  assert.equal((await poll(world, code)).status, 200);
  clock.advance(10 * MINUTE_MS);
  const next = await begin(world);
  const refused = await browser.post('/approvals', { userCode: next.user_code });
  assertRefused(refused, 'FORBIDDEN');
  assert.match(refused.body.error.details.rule, /^proof:/);
  assertRefused(await browser.post('/approvals/redirect', redirectBody(pkce().challenge)), 'FORBIDDEN');
  // Another site cannot approve an app on behalf of its visitor.
  assertRefused(
    await browser.post('/approvals/deny', { userCode: next.user_code }, { origin: 'https://evil.example' }),
    'UNAUTHORIZED',
  );
  dataOf(await browser.post('/approvals/deny', { userCode: next.user_code }));
  assert.deepEqual(errorOf(await poll(world, next.device_code)), [400, 'access_denied']);
});

test('a code is exchanged once, even by concurrent requests', async () => {
  const browser = await person();
  const { user_code: userCode, device_code: code } = await begin(world);
  dataOf(await browser.post('/approvals', { userCode }));
  const polls = await Promise.all([1, 2, 3].map(() => poll(world, code)));
  assert.deepEqual(polls.map(({ status }) => status).sort(), [200, 400, 400]);
  assert.deepEqual(errorOf(await poll(world, code)), [400, 'invalid_grant']);
  const { code: other, verifier } = await redirected(browser);
  const redeemed = await Promise.all([1, 2, 3].map(() => redeem(world, other, verifier)));
  assert.deepEqual(redeemed.map(({ status }) => status).sort(), [200, 400, 400]);
});

test('a redirect code is useless without its verifier, client and redirect URI', async () => {
  const browser = await person();
  const wrong: Record<string, Record<string, string>> = {
    'another verifier': { code_verifier: pkce().verifier },
    'another app': { client_id: 'Another' },
    'another address': { redirect_uri: 'http://127.0.0.1:51004/other' },
  };
  for (const [what, fields] of Object.entries(wrong)) {
    const { code, verifier } = await redirected(browser);
    assert.deepEqual(errorOf(await redeem(world, code, verifier, fields)), [400, 'invalid_grant'], what);
    assert.deepEqual(
      errorOf(await redeem(world, code, verifier)),
      [400, 'invalid_grant'],
      `${what}: the code is used up`,
    );
  }
  const { code, verifier } = await redirected(browser);
  assert.deepEqual(errorOf(await redeem(world, code, '')), [400, 'invalid_request']);
  assert.deepEqual(errorOf(await poll(world, code)), [400, 'invalid_grant'], 'as a device code');
  clock.advance(2 * MINUTE_MS);
  assert.deepEqual(errorOf(await redeem(world, code, verifier)), [400, 'invalid_grant'], 'too late');
  // A device code cannot be used as a redirect code, or by another app.
  const { device_code: waiting } = await begin(world);
  assert.deepEqual(errorOf(await redeem(world, waiting, verifier)), [400, 'invalid_grant']);
  const other = await poll(world, waiting, { client_id: 'Another' });
  assert.deepEqual(errorOf(other), [400, 'invalid_grant']);
  assert.deepEqual(errorOf(await poll(world, waiting)), [400, 'authorization_pending']);
});

test('a redirect can only lead to an app on the same machine', async () => {
  const browser = await person();
  const { challenge } = pkce();
  const approve = (fields: object) => browser.post('/approvals/redirect', redirectBody(challenge, fields));
  for (const redirectUri of [
    'https://evil.example/done',
    'http://evil.example/done',
    'http://localhost.evil.example/done',
    'http://LOCALHOST:51004/done',
    'http://127.0.0.1.evil.example/done',
    'http://127.0.0.1@evil.example/done',
    'http://127.0.0.1:51004@evil.example/',
    'http://0x7f.1/done',
    'http://127.1/done',
    'http://127.0.0.1\\@evil.example/done',
    'http://127.0.0.1:51004/done#fragment',
    'http://user@127.0.0.1:51004/done',
    'https://127.0.0.1:51004/done',
    'javascript:alert(1)',
    'com.example.app:/done',
    '//127.0.0.1/done',
    'http:127.0.0.1/done',
    'http://127.0.0.1/a\tb',
  ])
    assertRefused(await approve({ redirectUri }), 'INVALID_REQUEST', redirectUri, 'redirectUri');
  for (const redirectUri of [
    'http://[::1]:51004/done',
    'http://127.0.0.1:1/',
    'http://127.0.0.1/?a=b',
    'http://localhost:4711/',
  ])
    dataOf(await approve({ redirectUri }));
  for (const fields of [
    { codeChallenge: 'short' },
    { codeChallenge: undefined },
    { codeChallengeMethod: 'plain' },
    { codeChallengeMethod: undefined },
    { client: 'Pal\u202eaver' },
    { device: 'a\nb' },
  ])
    assertRefused(await approve(fields), 'INVALID_REQUEST', JSON.stringify(fields));
});

test('apps that poll too often are told to slow down, and pending apps are limited', async () => {
  await person();
  const { device_code: code } = await begin(world);
  const errors: string[] = [];
  for (let time = 0; time < 14; time++) errors.push((await poll(world, code)).body.error);
  assert.deepEqual(errors, [...Array(13).fill('authorization_pending'), 'slow_down']);
  clock.advance(MINUTE_MS);
  assert.deepEqual(errorOf(await poll(world, code)), [400, 'authorization_pending']);
  clock.advance(9 * MINUTE_MS);
  assert.deepEqual(errorOf(await poll(world, code)), [400, 'expired_token']);
  const begun = await Promise.all(Array.from({ length: 30 }, () => begin(world)));
  const refused = begun.filter(({ error }) => error === 'slow_down');
  assert.deepEqual([begun.filter((one) => one.user_code).length, refused.length], [20, 10]);
  clock.advance(10 * MINUTE_MS);
  assert.ok((await begin(world)).user_code);
});

test("another site's page cannot start approvals from its visitors' address", async () => {
  const path = `${world.url}/oauth/device_authorization`;
  const ask = (headers: Record<string, string>) =>
    world.request('POST', path, {
      raw: 'client_id=app',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  for (const headers of [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ] as Record<string, string>[]) {
    const refused = await ask(headers);
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'], JSON.stringify(headers));
  }
  const { host } = new URL(world.url);
  assert.equal((await ask({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).status, 200);
  assert.equal((await ask({})).status, 200, 'an app is not a page');
});

test('an unclaimed code is invalidated by a new password', async () => {
  clock.advance(10 * MINUTE_MS);
  const owner = await world.user();
  const browser = await Browser.claimed(world, owner);
  const { user_code: userCode, device_code: code } = await begin(world);
  dataOf(await browser.post('/approvals', { userCode }));
  const app = new App(world, await approved(world, browser));
  const { code: other, verifier } = await redirected(browser);
  dataOf(await browser.post('/password', { password: PASSWORD, newPassword: 'a new horse altogether' }));
  assert.deepEqual(errorOf(await poll(world, code)), [400, 'invalid_grant']);
  assert.deepEqual(errorOf(await redeem(world, other, verifier)), [400, 'invalid_grant']);
  assertRefused(await app.get('/people/me'), 'UNAUTHORIZED');
});

test('an unclaimed code is invalidated with the session that approved it, and by a suspension', async () => {
  clock.advance(10 * MINUTE_MS);
  const owner = await world.user();
  const browser = await Browser.of(world, owner);
  const { user_code: userCode, device_code: code } = await begin(world);
  dataOf(await browser.post('/approvals', { userCode }));
  const { code: other, verifier } = await redirected(browser);
  const own = await Browser.of(world, owner);
  const stolen = dataOf(await own.get('/sessions')).find(({ isCurrent }: Json) => !isCurrent);
  dataOf(await own.delete(`/sessions/${stolen.id}`));
  assert.deepEqual(errorOf(await poll(world, code)), [400, 'invalid_grant']);
  assert.deepEqual(errorOf(await redeem(world, other, verifier)), [400, 'invalid_grant']);

  const next = await begin(world);
  dataOf(await own.post('/approvals', { userCode: next.user_code }));
  const last = await redirected(own);
  const suspend = (suspendedAt: number | null) =>
    world.data.db.write((tx) => tx.run(update('user', owner.id, { suspendedAt })));
  await suspend(clock.at);
  assert.deepEqual(errorOf(await poll(world, next.device_code)), [400, 'access_denied']);
  assert.deepEqual(errorOf(await redeem(world, last.code, last.verifier)), [400, 'invalid_grant']);
  await suspend(null);
  assert.deepEqual(errorOf(await poll(world, next.device_code)), [400, 'invalid_grant'], 'used up');
  assert.deepEqual(errorOf(await redeem(world, last.code, last.verifier)), [400, 'invalid_grant']);
});

test('malformed forms are rejected with OAuth error codes', async () => {
  await person();
  const twice = 'client_id=a&client_id=b';
  const type = 'application/x-www-form-urlencoded';
  const raw = async (path: string, body: string, contentType = type) =>
    world.request('POST', `${world.url}/oauth/${path}`, {
      raw: body,
      headers: { 'content-type': contentType },
    });
  for (const path of ['token', 'device_authorization'])
    for (const answer of [
      await raw(path, twice),
      await raw(path, ''),
      await raw(path, '{"client_id":"a"}', 'application/json'),
      await raw(path, `client_id=${'a'.repeat(20_000)}`),
      await raw(path, 'client_id='),
    ])
      assert.deepEqual(errorOf(answer), [400, 'invalid_request'], JSON.stringify(answer.body));
  for (const name of ['x'.repeat(101), ' ', 'a\u0000b', '\u202eevil', 'line\nbreak'])
    assert.deepEqual(errorOf(await form(world, 'device_authorization', { client_id: name })), [
      400,
      'invalid_request',
    ]);
  const unknown = { client_id: CLIENT, grant_type: 'password', username: 'a', password: 'b' };
  assert.deepEqual(errorOf(await form(world, 'token', unknown)), [400, 'unsupported_grant_type']);
  for (const code of ['x', 'code_plv_0', '🐎', "' or 1=1 --"])
    assert.deepEqual(errorOf(await poll(world, code)), [400, 'invalid_grant'], code);
  const { device_code: code, user_code: userCode } = await begin(world);
  const rows = await world.data.db.read.all(find('approval', { client: CLIENT }));
  assert.ok(rows.length > 0);
  const stored = JSON.stringify(rows);
  assert.ok(!stored.includes(code) && !stored.includes(userCode));
});

test('the endpoints are rate-limited per address', async (t) => {
  const strict = await World.open({ clock, limits: { '*': 0, session: 2 } });
  t.after(() => strict.close());
  const begun = [await begin(strict), await begin(strict), await begin(strict)];
  assert.deepEqual(
    begun.map(({ error }) => error),
    [undefined, undefined, 'slow_down'],
  );
  const statuses = new Set<number>();
  for (let time = 0; time < 21; time++) statuses.add((await poll(strict, 'none')).status);
  assert.deepEqual([...statuses], [400, 429]);
});
