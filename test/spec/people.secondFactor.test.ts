import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, linkFor, PASSWORD } from '../support/account.ts';
import { appShows as codeAt } from '../support/app.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { find } from '../support/sources.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

const STEP_MS = 30_000;
const clock = new TestClock();
let world: World;
/** The code that an authenticator app with this secret shows. */
const appShows = (secret: string, at = clock.at): string => codeAt(secret, at);

before(async () => {
  world = await World.open({ clock });
});
after(() => world.close());

test("this test's authenticator app generates the standard's codes", () => {
  // RFC 6238, appendix B: SHA-1, the last six digits.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  assert.deepEqual(
    [59, 1111111109, 20000000000].map((seconds) => appShows(secret, seconds * 1000)),
    ['287082', '081804', '353130'],
  );
});

interface Account {
  user: Json;
  browser: Browser;
  secret: string;
  codes: string[];
}

async function withFactor(): Promise<Account> {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const { secret, uri } = dataOf(await browser.post('/second-factor'));
  assert.equal(uri, `otpauth://totp/Palaver:${user.username}?secret=${secret}&issuer=Palaver`);
  const { codes } = dataOf(await browser.post('/second-factor/confirm', { code: appShows(secret) }));
  clock.advance(STEP_MS);
  return { user, browser, secret, codes };
}

const signIn = ({ user }: Pick<Account, 'user'>, code?: string, password = PASSWORD): Promise<Answer> =>
  new Browser(world).post('/sign-in', { name: user.username, password, ...(code !== undefined && { code }) });

const assertNeedsCode = (answer: Answer): void => {
  assertRefused(answer, 'UNAUTHORIZED');
  assert.deepEqual(answer.body.error.details, { need: 'code' });
  assert.deepEqual(answer.headers.getSetCookie(), []);
};

test('once two-factor authentication is confirmed, signing in needs a code, and each code works once', async () => {
  const account = await withFactor();
  const { secret, browser } = account;
  assert.equal(dataOf(await browser.get('/me')).hasSecondFactor, true);
  assertNeedsCode(await signIn(account));
  const before = dataOf(await browser.get('/sessions')).length;
  assertNeedsCode(await signIn(account, '000000'));
  assert.equal(dataOf(await browser.get('/sessions')).length, before, 'a password alone creates no session');
  const code = appShows(secret);
  dataOf(await signIn(account, code));
  assertNeedsCode(await signIn(account, code));
  assertNeedsCode(await signIn(account, appShows(secret, clock.at - STEP_MS)));
  dataOf(await signIn(account, appShows(secret, clock.at + STEP_MS)));
  assertNeedsCode(await signIn(account, appShows(secret, clock.at + 2 * STEP_MS)));
  const wrong = await signIn(account, appShows(secret), 'a wrong password');
  assertRefused(wrong, 'UNAUTHORIZED');
  assert.equal(wrong.body.error.details, undefined, 'a code is only requested after the right password');
});

test('when a code is used twice concurrently, one sign-in succeeds', async () => {
  const account = await withFactor();
  const code = appShows(account.secret);
  const answers = await Promise.all([signIn(account, code), signIn(account, code)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
});

test('recovery codes replace the app, each once, until new ones are generated', async () => {
  const account = await withFactor();
  const { browser, codes } = account;
  assert.equal(new Set(codes).size, 10);
  const [first, second, third] = codes as [string, string, string];
  assert.match(first, /^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
  dataOf(await signIn(account, first));
  assertNeedsCode(await signIn(account, first));
  dataOf(await signIn(account, ` ${second.toLowerCase().replaceAll('-', '')} `));
  const fresh = dataOf(await browser.post('/recovery-codes')).codes;
  assertNeedsCode(await signIn(account, third));
  dataOf(await signIn(account, fresh[0]));
});

test('codes cannot be guessed: after ten wrong ones, all are rejected for a while', async () => {
  const account = await withFactor();
  for (let number = 0; number < 10; number++) assertNeedsCode(await signIn(account, 'ABCD-EFGH'));
  const refused = await signIn(account, appShows(account.secret));
  assertRefused(refused, 'RATE_LIMITED');
  assert.equal(refused.headers.get('retry-after'), '900');
  dataOf(await account.browser.get('/me'));
  clock.advance(15 * 60_000);
  dataOf(await signIn(account, appShows(account.secret)));
});

test('setting up, confirming or removing two-factor authentication requires a confirmed identity', async () => {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const { secret } = dataOf(await browser.post('/second-factor'));
  dataOf(await signIn({ user }), 'not confirmed yet');
  assertRefused(await browser.post('/second-factor/confirm', { code: '12345' }), 'UNAUTHORIZED');
  assertRefused(await browser.post('/recovery-codes'), 'NOT_FOUND');
  const again = dataOf(await browser.post('/second-factor'));
  assert.notEqual(again.secret, secret);
  assertRefused(await browser.post('/second-factor/confirm', { code: appShows(secret) }), 'UNAUTHORIZED');
  dataOf(await browser.post('/second-factor/confirm', { code: appShows(again.secret) }));
  assertRefused(await browser.post('/second-factor'), 'ALREADY_EXISTS');
  clock.advance(10 * 60_000);
  for (const [method, path] of [
    ['POST', '/recovery-codes'],
    ['DELETE', '/second-factor'],
  ] as const)
    assertRefused(await browser.send(method, path), 'FORBIDDEN', path);
  assertNeedsCode(await browser.post('/proof', { password: PASSWORD }));
  dataOf(await browser.post('/proof', { password: PASSWORD, code: appShows(again.secret) }));
  assert.equal(dataOf(await browser.delete('/second-factor')).hasSecondFactor, false);
  dataOf(await signIn({ user }));
  assertRefused(await browser.delete('/second-factor'), 'NOT_FOUND');
});

test('removing a sign-in method does not revoke sessions, because a proof with it was required', async () => {
  const { user, browser, secret } = await withFactor();
  const other = new Browser(world);
  dataOf(await other.post('/sign-in', { name: user.username, password: PASSWORD, code: appShows(secret) }));
  dataOf(await browser.delete('/second-factor'));
  dataOf(await other.get('/me'));
  dataOf(await browser.delete('/sessions'));
  assertRefused(await other.get('/me'), 'UNAUTHORIZED');
});

test("the operator's password link requires a code, unless it also removes two-factor authentication", async () => {
  const { user, secret } = await withFactor();
  const claim = (token: string, code?: string) =>
    new Browser(world).post('/links/claim', {
      token,
      password: 'a new horse altogether',
      ...(code && { code }),
    });
  const plain = await linkFor(world, user, 'password');
  assertNeedsCode(await claim(plain.token));
  assertNeedsCode(await claim(plain.token, '000000'));
  dataOf(await claim(plain.token, appShows(secret)));
  const { token } = await linkFor(world, user, 'recovery');
  assert.equal(dataOf(await claim(token)).hasSecondFactor, false);
  dataOf(await signIn({ user }, undefined, 'a new horse altogether'));
});

test('neither the secret nor a recovery code is stored in plain text', async () => {
  const { user, secret, codes } = await withFactor();
  const { read } = world.data.db;
  const stored = JSON.stringify([
    await read.all(find('secondFactor', { id: user.id })),
    await read.all(find('recoveryCode', { userId: user.id })),
  ]);
  assert.ok(!stored.includes(secret));
  for (const code of codes) assert.ok(!stored.includes(code) && !stored.includes(code.replaceAll('-', '')));
});
