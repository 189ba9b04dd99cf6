import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { recordFailures, recordHistory } from '../../server/src/accounts/history/record.ts';
import { Browser, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { change, q } from '../support/sources.ts';
import { type Json, listAll, TestClock, World } from '../support/world.ts';

// An account's history: events, networks and actors.

const DAY_MS = 24 * 60 * 60_000;
const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

const clock = new TestClock();
let world: World;
let root: Browser;
before(async () => {
  world = await World.open({ clock, signUp: 'open' });
  root = await Browser.claimed(world, await world.user({ platformAdmin: true }));
});
after(() => world.close());

/** A person who has signed up, in a browser. */
async function person(): Promise<{ user: Json; browser: Browser }> {
  const browser = new Browser(world);
  const body = { username: world.unique('person'), password: PASSWORD };
  const user = dataOf(await browser.post('/sign-up', body, FIREFOX));
  return { user, browser };
}

const historyOf = (browser: Browser): Promise<Json[]> => listAll(browser, '/history');
const typesOf = async (browser: Browser): Promise<string[]> =>
  (await historyOf(browser)).map(({ type }) => type);

const signIn = (browser: Browser, { username }: Json, password = PASSWORD, code?: string) =>
  browser.post('/sign-in', { name: username, password, ...(code !== undefined && { code }) }, FIREFOX);

/** The commands in the platform's audit log about a user, oldest first, with their actors. */
async function auditOf(user: Json): Promise<[string, string, string | null][]> {
  const entries = (await listAll(root, '/platform/audit')).filter(({ about }) => about.id === user.id);
  return entries.reverse().map(({ command, actor, actorId }) => [command, actor, actorId]);
}

test('signing up, in and out is recorded with the browser and its network, and in the audit log', async () => {
  const { user, browser } = await person();
  const other = new Browser(world);
  dataOf(await signIn(other, user));
  dataOf(await other.post('/sign-out', {}, FIREFOX));
  const entries = await historyOf(browser);
  assert.deepEqual(
    entries.map(({ type, actor, method, device, address, count }) => [
      type,
      actor,
      method,
      device,
      address,
      count,
    ]),
    [
      ['signedOut', 'person', null, FIREFOX['user-agent'], '127.0.0.1', 1],
      ['signedIn', 'person', 'password', FIREFOX['user-agent'], '127.0.0.1', 1],
      ['signedUp', 'person', 'password', FIREFOX['user-agent'], '127.0.0.1', 1],
    ],
  );
  assert.deepEqual(await auditOf(user), [
    ['account sign in', 'person', user.id],
    ['account sign out', 'person', user.id],
  ]);
  assert.deepEqual(idsOf(entries), idsOf(entries).toSorted().reverse());
  const page = await browser.get('/history?limit=2');
  assert.equal(page.body.data.length, 2);
  assert.notEqual(page.body.nextCursor, null);
  assertRefused(await new Browser(world).get('/history'), 'UNAUTHORIZED');
});

test('failed attempts are counted per hour and address, and nothing is recorded for an unknown name', async () => {
  const { user, browser } = await person();
  for (let tried = 0; tried < 3; tried++)
    assertRefused(await signIn(new Browser(world), user, 'not the password'), 'UNAUTHORIZED');
  assertRefused(await browser.post('/proof', { password: 'not the password' }), 'UNAUTHORIZED');
  assertRefused(await signIn(new Browser(world), { username: 'nobody-at-all' }), 'UNAUTHORIZED');
  const failures = async () => (await historyOf(browser)).filter(({ actor }) => actor === 'unknown');
  const counts = async () => (await failures()).map(({ type, count }) => [type, count]);
  // Written in the background, so the response time reveals nothing.
  await until(async () => (await failures()).reduce((sum, { count }) => sum + count, 0) === 4);
  assert.deepEqual(Object.fromEntries(await counts()), { signInFailed: 3, proofFailed: 1 });
  clock.advance(61 * 60_000);
  assertRefused(await signIn(new Browser(world), user, 'not the password'), 'UNAUTHORIZED');
  await until(async () => (await failures()).length === 3);
  const audited = (await auditOf(user)).filter(([command]) => command === 'account sign-in failed');
  assert.deepEqual(audited, [
    ['account sign-in failed', 'unknown', null],
    ['account sign-in failed', 'unknown', null],
  ]);
});

test('password changes and revoked sessions are recorded, even if an admin revokes the sessions', async () => {
  const { user, browser } = await person();
  const other = new Browser(world);
  dataOf(await signIn(other, user));
  const sessions = dataOf(await browser.get('/sessions'));
  const revoked = sessions.find(({ isCurrent }: Json) => !isCurrent);
  dataOf(await browser.delete(`/sessions/${revoked.id}`));
  dataOf(await browser.delete('/sessions'));
  const body = { password: PASSWORD, newPassword: 'a horse that somebody rides' };
  dataOf(await browser.post('/password', body));
  dataOf(await root.post('/proof', { password: PASSWORD }));
  dataOf(await root.post(`/platform/users/${user.id}/sign-out`, {}));
  dataOf(await signIn(browser, user, body.newPassword));
  const entries = await historyOf(browser);
  assert.deepEqual(
    entries.map(({ type, actor }) => [type, actor]),
    [
      ['signedIn', 'person'],
      ['sessionsRevoked', 'admin'],
      ['passwordChanged', 'person'],
      ['sessionsRevoked', 'person'],
      ['sessionRevoked', 'person'],
      ['signedIn', 'person'],
      ['signedUp', 'person'],
    ],
  );
  assert.equal(entries[4].device, FIREFOX['user-agent'], 'the browser of the revoked session');
});

test('a wrong code is recorded, although the response is the same as without one', async () => {
  const { user, browser } = await person();
  await change(world.data, async ({ db, newRow, now }) => {
    const factor = { sealed: '', confirmedAt: now, lastStep: 0, failures: 0, lockedUntil: 0 };
    await db.run(q.insertInto('secondFactor').values({ ...newRow(), ...factor, id: user.id }));
  });
  for (const code of ['AAAA-BBBB-CCCC-DDDD', 'AAAA-BBBB-CCCC-EEEE'])
    assertRefused(await signIn(new Browser(world), user, PASSWORD, code), 'UNAUTHORIZED');
  const [entry] = await historyOf(browser);
  assert.deepEqual([entry.type, entry.actor, entry.count], ['codeFailed', 'unknown', 2]);
});

test('the history is bounded, and failed attempts displace no other entries', async () => {
  const { user, browser } = await person();
  const userId = user.id;
  await change(world.data, async (work) => {
    for (let tried = 0; tried < 60; tried++) {
      const address = `203.0.113.${tried}`;
      await recordFailures(work, { userId, type: 'signInFailed', device: null, address, count: 1 });
    }
  });
  const failed = (await historyOf(browser)).filter(({ type }) => type === 'signInFailed');
  assert.equal(failed.length, 50);
  assert.equal(
    failed.reduce((sum, { count }) => sum + count, 0),
    60,
    'none is lost',
  );
  assert.ok((await typesOf(browser)).includes('signedUp'));
  await change(world.data, async (work) => {
    for (let made = 0; made < 1_000; made++) await recordHistory(work, { userId, type: 'signedOut' });
  });
  const all = await historyOf(browser);
  assert.equal(all.length, 1_000);
  assert.ok(all.every(({ type }) => type === 'signedOut'));
});

test('entries are deleted after 90 days, and with the account; the export contains them', async () => {
  const { user, browser } = await person();
  const copied = await fetch(`${world.url}/api/people/export`, {
    headers: { 'palaver-server': 'none', cookie: browser.cookie },
  });
  const lines = (await copied.text()).split('\n').filter(Boolean);
  const rows = lines.map((line) => JSON.parse(line) as Json);
  assert.deepEqual(
    rows.filter(({ table }) => table === 'history').map(({ row }) => row.type),
    ['signedUp', 'dataExported'],
  );
  assert.ok(!lines.join().includes('digest'));
  const left = async (): Promise<number> =>
    (await world.data.db.read.all(q.selectFrom('history').selectAll().where('userId', '=', user.id))).length;
  clock.advance(89 * DAY_MS);
  await world.tidy();
  assert.equal(await left(), 2);
  clock.advance(2 * DAY_MS);
  await world.tidy();
  assert.equal(await left(), 0);
  const again = new Browser(world);
  dataOf(await signIn(again, user));
  assert.equal(await left(), 1);
  dataOf(await again.post('/close', { username: user.username, messages: 'keep' }));
  assert.equal(await left(), 0);
});
