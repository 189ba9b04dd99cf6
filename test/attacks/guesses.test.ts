import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, linkFor, PASSWORD } from '../support/account.ts';
import { appShows } from '../support/app.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { change, find, q, update } from '../support/sources.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const clock = new TestClock();
/** One world without rate limits, for fast guessing, and one with the default limits behind a proxy. */
let world: World;
let limited: World;
before(async () => {
  world = await World.open({ clock });
  limited = await World.open({ clock, proxies: 1, limits: {} });
});
after(async () => {
  await limited?.close();
  await world?.close();
});

async function claimed(where = world): Promise<{ user: Json; browser: Browser }> {
  const user = await where.user();
  return { user, browser: await Browser.claimed(where, user) };
}

interface Try {
  password?: string;
  code?: string;
  address?: string;
}

const signIn = (browser: Browser, { username }: Json, { password = PASSWORD, code, address }: Try = {}) =>
  browser.post(
    '/sign-in',
    { name: username, password, ...(code !== undefined && { code }) },
    address === undefined ? {} : { 'x-forwarded-for': address },
  );

/** Tries wrong passwords until `count` attempts have been rejected with UNAUTHORIZED. */
async function guess(user: Json, count: number): Promise<void> {
  for (let tries = 0; tries < count; tries++)
    assertRefused(await signIn(new Browser(world), user, { password: `wrong ${tries}` }), 'UNAUTHORIZED');
}

function assertBlocked(answer: Answer): void {
  assertRefused(answer, 'FORBIDDEN');
  assert.match(answer.body.error.details.rule, /^signIn:/);
}

test('after 20 wrong passwords in an hour, only a browser that the account knows can sign in', async () => {
  const { user, browser } = await claimed();
  dataOf(await browser.post('/sign-out'));
  await guess(user, 20);
  assertBlocked(await signIn(new Browser(world), user));
  // The block lasts until the owner signs in.
  clock.advance(30 * 24 * HOUR_MS);
  assertBlocked(await signIn(new Browser(world), user));
  const { username } = user;
  assertBlocked(await signIn(new Browser(world), { username: username.toUpperCase() }));

  assert.equal(dataOf(await signIn(browser, user)).id, user.id);
  dataOf(await signIn(new Browser(world), user), 'the owner has acted');
});

test('an unknown name is blocked in the same way and for the same time', async () => {
  const user = { username: 'nobody.at.all' };
  await guess(user, 20);
  assertBlocked(await signIn(new Browser(world), user));
  await guess({ username: 'nobody.else' }, 1);
  clock.advance(30 * 24 * HOUR_MS);
  assertBlocked(await signIn(new Browser(world), user));
});

test('a block by email address does not reveal whose address it is', async () => {
  const { user } = await claimed();
  const email = `${user.username}@example.com`;
  await change(world.data, ({ db }) => db.run(update('person', user.id, { email, emailVerified: true })));
  for (const name of [email, email.toUpperCase()]) await guess({ username: name }, 10);
  assertBlocked(await signIn(new Browser(world), { username: email }));
  await guess(user, 1);
  await guess(user, 19);
  assertBlocked(await signIn(new Browser(world), user));
});

test('the number of blocked unknown names is bounded: the oldest are evicted', async () => {
  await guess({ username: 'first.name' }, 20);
  const now = clock.now();
  await change(world.data, async ({ db }) => {
    const row = {
      userId: null,
      failures: 20,
      since: now,
      blockedAt: now,
      forgetAt: now + 90 * 24 * HOUR_MS + 1,
    };
    for (let from = 0; from < 20_000; from += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => ({ ...row, subject: `invented ${from + at}` }));
      await db.run(q.insertInto('guess').values(rows));
    }
  });
  clock.advance(MINUTE_MS);
  await guess({ username: 'another.name' }, 20);
  assertBlocked(await signIn(new Browser(world), { username: 'another.name' }));
  await guess({ username: 'first.name' }, 1);
  await change(world.data, ({ db }) => db.run(q.deleteFrom('guess').where('subject', 'like', 'invented %')));
});

test('20 wrong passwords over more than an hour block nobody', async () => {
  const { user } = await claimed();
  await guess(user, 19);
  clock.advance(HOUR_MS + 1);
  await guess(user, 19);
  dataOf(await signIn(new Browser(world), user), 'and a success begins a new count');
  await guess(user, 19);
  dataOf(await signIn(new Browser(world), user));
});

test('signing in with a link ends the block', async () => {
  const { user } = await claimed();
  await guess(user, 20);
  const { token } = await linkFor(world, user, 'password');
  dataOf(await new Browser(world).post('/links/claim', { token, password: 'another horse entirely' }));
  dataOf(await signIn(new Browser(world), user, { password: 'another horse entirely' }));
});

test('a new password makes all browsers unknown', async () => {
  const { user, browser } = await claimed();
  const { token } = await linkFor(world, user, 'password');
  dataOf(await new Browser(world).post('/links/claim', { token, password: 'another horse entirely' }));
  await guess(user, 20);
  assertBlocked(await signIn(browser, user, { password: 'another horse entirely' }));
});

test("another account's cookie, or a forged or malformed one, does not make a browser known", async () => {
  const [one, other] = [await claimed(), await claimed()];
  await guess(one.user, 20);
  const [name = '', value = ''] = one.browser.known.split('=');
  const salt = value.slice(0, 16);
  for (const known of [
    other.browser.known,
    `${name}=${salt}`,
    `${name}=${salt}.${'A'.repeat(22)}`,
    `${name}=${'B'.repeat(16)}${value.slice(16)}`,
    `${name}=${value}; ${name}=${value}`,
    `${name}=${'.'.repeat(3000)}`,
    `${name}=`,
  ]) {
    const browser = new Browser(world);
    browser.known = known;
    assertBlocked(await signIn(browser, one.user));
  }
  // A browser can be known to several accounts, and stays known to all of them.
  const shared = new Browser(world);
  shared.known = one.browser.known;
  dataOf(await signIn(shared, other.user));
  dataOf(await signIn(shared, one.user));
});

test('wrong codes count, but do not lock out known browsers', async () => {
  const { user, browser } = await claimed();
  const { secret } = dataOf(await browser.post('/second-factor'));
  dataOf(await browser.post('/second-factor/confirm', { code: appShows(secret, clock.at) }));
  clock.advance(MINUTE_MS);
  const code = () => appShows(secret, clock.at);
  for (let tries = 0; tries < 10; tries++)
    assertRefused(await signIn(new Browser(world), user, { code: '000000' }), 'UNAUTHORIZED');
  assertRefused(await signIn(new Browser(world), user, { code: code() }), 'RATE_LIMITED');
  dataOf(await browser.post('/sign-out'));
  dataOf(await signIn(browser, user, { code: code() }));
  // The successful sign-in reset the counter but did not end the lock.
  clock.advance(16 * MINUTE_MS);
  for (let tries = 0; tries < 20; tries++) {
    assertRefused(await signIn(new Browser(world), user, { code: '000000' }), 'UNAUTHORIZED');
    if (tries === 9) clock.advance(16 * MINUTE_MS);
  }
  clock.advance(16 * MINUTE_MS);
  assertBlocked(await signIn(new Browser(world), user, { code: code() }));
  dataOf(await signIn(browser, user, { code: code() }));
});

test('twenty wrong passwords or codes in a row end a session, however slow the attempts are', async () => {
  const { user, browser } = await claimed();
  const prove = (body: object) => browser.post('/proof', { password: PASSWORD, ...body });
  const guessPassword = () => prove({ password: 'wrong' });
  for (let tries = 0; tries < 19; tries++) {
    assertRefused(await guessPassword(), 'UNAUTHORIZED');
    clock.advance(HOUR_MS);
  }
  dataOf(await prove({}));
  const { secret } = dataOf(await browser.post('/second-factor'));
  dataOf(await browser.post('/second-factor/confirm', { code: appShows(secret, clock.at) }));
  const other = await Browser.of(world, user);
  for (let tries = 0; tries < 20; tries++) {
    assertRefused(await prove({ code: '000000' }), 'UNAUTHORIZED', String(tries));
    clock.advance(2 * HOUR_MS);
  }
  assertRefused(await browser.get('/me'), 'UNAUTHORIZED');
  const [last] = dataOf(await other.get('/history'));
  assert.deepEqual([last.type, last.actor], ['sessionRevoked', 'unknown']);
  dataOf(await signIn(browser, user, { code: appShows(secret, clock.at) }));

  const plain = await claimed();
  const body = { password: 'wrong', newPassword: 'another horse entirely' };
  for (let tries = 0; tries < 20; tries++)
    assertRefused(await plain.browser.post('/password', body), 'UNAUTHORIZED');
  assertRefused(await plain.browser.get('/me'), 'UNAUTHORIZED', 'changing the password asks for it, too');
});

test('concurrent attempts from many networks do not lock out the owner, and attempts from one provider lock out nobody', async () => {
  const { user, browser } = await claimed(limited);
  dataOf(await browser.post('/sign-out'));
  const statuses = async (addresses: string[]) => {
    const found: number[] = [];
    for (const address of addresses)
      found.push((await signIn(new Browser(limited), user, { password: 'wrong', address })).status);
    return found;
  };
  // A customer's /56 contains 256 /64 networks, but gets only as many attempts as two of them.
  const own = Array.from({ length: 16 }, (_, at) => `2001:db8:0:${at.toString(16)}::1`);
  const first = await statuses(own);
  assert.equal(first.filter((status) => status === 401).length, 10, String(first));
  // The whole /48 gets twice as many attempts.
  const near = Array.from({ length: 16 }, (_, at) => `2001:db8:0:${(at + 1).toString(16)}00::1`);
  const second = await statuses(near);
  assert.equal(second.filter((status) => status === 401).length, 10, String(second));
  // There have been 20 guesses by now. A known browser can sign in from any network.
  const address = own[0] as string;
  assert.equal(dataOf(await signIn(browser, user, { address })).id, user.id);
});

test('counts of failed attempts are deleted when the account is closed and when they expire', async () => {
  const { user, browser } = await claimed();
  await guess(user, 20);
  const rows = (userId: string | null) => world.data.db.read.all(find('guess', { userId }));
  assert.equal((await rows(user.id)).length, 1);
  dataOf(await browser.post('/close', { username: user.username, messages: 'keep' }));
  assert.deepEqual(await rows(user.id), []);
  await guess({ username: 'soon.forgotten' }, 1);
  clock.advance(91 * 24 * HOUR_MS);
  await world.tidy();
  assert.deepEqual(await rows(null), []);
});
