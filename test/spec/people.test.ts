import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { after, before, test } from 'node:test';
import { Browser, cookiesOf, linkFor, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { assertRecord, type Fields } from '../support/records.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;
const OTHER = 'another horse that nobody rides';

const person: Fields = {
  username: 'text',
  name: 'text',
  image: 'text?',
  type: 'text',
  platformAdmin: 'flag',
  email: 'text?',
  hasPassword: 'flag',
  hasPasskey: 'flag',
  creatorId: 'id?',
  hasSecondFactor: 'flag',
  directMessages: 'text',
  pushContent: 'text',
  digest: 'text',
  language: 'text?',
  keywords: 'list',
  quietHours: 'object?',
  provenAt: 'time',
};

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock });
});
after(() => world.close());

const signIn = (name: string, password = PASSWORD, browser = new Browser(world)): Promise<Answer> =>
  browser.post('/sign-in', { name, password });

test("an operator's link claims a user's account, once", async () => {
  const user = await world.user({ name: 'Ada Lovelace' });
  const { token } = await linkFor(world, user);
  const browser = new Browser(world);
  const look = () => browser.post('/links/look', { token });
  const seen = dataOf(await look());
  assert.deepEqual([seen.purpose, seen.username, seen.name], ['claim', user.username, 'Ada Lovelace']);
  assert.equal(seen.expiresAt, clock.at + 7 * DAY_MS);
  assert.ok(!JSON.stringify(seen).includes('digest'));
  const claimed = await browser.post('/links/claim', { token, password: PASSWORD });
  assertRecord(dataOf(claimed), person, 'person');
  assert.equal(claimed.data.id, user.id);
  const [cookie] = cookiesOf(claimed);
  assert.deepEqual(
    [cookie?.name, cookie?.attributes],
    ['palaver', ['httponly', 'max-age=34560000', 'path=/', 'samesite=strict']],
  );
  assert.ok(!JSON.stringify(claimed.body).includes(cookie?.value as string), 'scripts cannot read it');
  const standing: Fields = {
    serverId: 'id?',
    roleIds: 'ids',
    flags: 'list',
    isServerCreator: 'flag',
    pushKey: 'text',
    hasCalls: 'flag',
  };
  assertRecord(dataOf(await browser.get('/me')), { ...person, ...standing }, 'person');
  assertRefused(await look(), 'NOT_FOUND');
  assertRefused(await new Browser(world).post('/links/claim', { token, password: OTHER }), 'NOT_FOUND');
});

test('when a link is used twice concurrently, one gets the account', async () => {
  const { token } = await linkFor(world, await world.user());
  const passwords = [PASSWORD, OTHER];
  const answers = await Promise.all(
    passwords.map((password) => new Browser(world).post('/links/claim', { token, password })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
});

test('a link expires, or is replaced by the next one of its kind', async () => {
  const user = await world.user();
  const first = await linkFor(world, user);
  const second = await linkFor(world, user);
  const look = ({ token }: { token: string }) => new Browser(world).post('/links/look', { token });
  assertRefused(await look(first), 'NOT_FOUND');
  dataOf(await look(second));
  clock.advance(7 * DAY_MS - 1);
  dataOf(await look(second));
  clock.advance(1);
  assertRefused(await look(second), 'NOT_FOUND');
  for (const token of ['', 'link_plv_', `${second.token}x`, user.id])
    assertRefused(await look({ token }), 'NOT_FOUND', token);
});

test('people sign in by username or email address, case-insensitively, with exactly their password', async () => {
  const user = await world.user({ username: 'grace.hopper' });
  const { token } = await linkFor(world, user, 'claim', 'grace@example.com');
  dataOf(await new Browser(world).post('/links/claim', { token, password: PASSWORD }));
  for (const name of ['grace.hopper', 'GRACE.Hopper', 'grace@example.com', 'Grace@Example.com']) {
    const browser = new Browser(world);
    assert.equal(dataOf(await signIn(name, PASSWORD, browser)).id, user.id);
    assert.equal(dataOf(await browser.get('/me')).email, 'grace@example.com');
  }
  for (const password of [PASSWORD.toUpperCase(), `${PASSWORD} `, '', OTHER])
    assertRefused(await signIn('grace.hopper', password), 'UNAUTHORIZED');
});

test('a wrong password and an unknown name get the same response, after the same amount of work', async () => {
  const { username } = await world.user();
  const agent = await world.user({ agent: true });
  const unclaimed = await world.user();
  const user = await world.user();
  await Browser.claimed(world, user);
  let hashes = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (/^argon2/i.test(type)) hashes++;
    },
  }).enable();
  const answers: [string, number][] = [];
  const names = [username, unclaimed.username, agent.username, 'nobody', 'no body', '@', 'a@b.c', '💥'];
  for (const name of [user.username, ...names]) {
    hashes = 0;
    const answer = await signIn(name, OTHER);
    assertRefused(answer, 'UNAUTHORIZED', name);
    answers.push([answer.body.error.message, hashes]);
  }
  hook.disable();
  assert.deepEqual(answers, Array(names.length + 1).fill(['the username or password is wrong', 1]));
});

test('easily guessed passwords are rejected', async () => {
  const user = await world.user({ username: 'marie.curie.1867' });
  const { token } = await linkFor(world, user);
  const claim = (password: unknown) => new Browser(world).post('/links/claim', { token, password });
  for (const password of [
    'password',
    'PassWord1',
    'iloveyou1',
    'Marie.Curie.1867',
    'short',
    'x'.repeat(257),
    5,
    null,
  ])
    assertRefused(await claim(password), 'INVALID_REQUEST', String(password), 'password');
  dataOf(await claim('pässwörd of a scientist'));
});

test('changing the password ends all sessions and starts a new one here', async () => {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const other = new Browser(world);
  dataOf(await signIn(user.username, PASSWORD, other));
  const change = (body: object) => browser.post('/password', body);
  assertRefused(await change({ password: OTHER, newPassword: OTHER }), 'UNAUTHORIZED');
  assertRefused(
    await change({ password: PASSWORD, newPassword: 'password1' }),
    'INVALID_REQUEST',
    '',
    'newPassword',
  );
  assertRefused(await change({ newPassword: OTHER }), 'INVALID_REQUEST', '', 'password');
  dataOf(await other.get('/me'));
  const before = browser.cookie;
  dataOf(await change({ password: PASSWORD, newPassword: OTHER }));
  assert.notEqual(browser.cookie, before);
  dataOf(await browser.get('/me'));
  assertRefused(await other.get('/me'), 'UNAUTHORIZED');
  browser.cookie = before;
  assertRefused(await browser.get('/me'), 'UNAUTHORIZED');
  assertRefused(await signIn(user.username, PASSWORD), 'UNAUTHORIZED');
  dataOf(await signIn(user.username, OTHER));
});

test("the operator's link sets a new password and ends all sessions", async () => {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const { token } = await linkFor(world, user, 'password');
  const other = new Browser(world);
  assert.equal(dataOf(await other.post('/links/look', { token })).expiresAt, clock.at + DAY_MS);
  dataOf(await other.post('/links/claim', { token, password: OTHER }));
  assertRefused(await browser.get('/me'), 'UNAUTHORIZED');
  assertRefused(await signIn(user.username), 'UNAUTHORIZED');
  dataOf(await signIn(user.username, OTHER));
});

test('dangerous actions ask for the password again after ten minutes', async () => {
  const scene = await Scene.open(world);
  const browser = await Browser.claimed(world, scene.owner);
  browser.place = scene.server.id;
  const admins = await scene.role({ canAdmin: true });
  const mint = (role?: Json) =>
    browser.api.post('/secrets', { kind: 'apiKey', name: 'Bot', ...(role && { roleId: role.id }) });
  const { id } = dataOf(await mint(admins));
  clock.advance(10 * 60_000);
  const refused = await mint(admins);
  assertRefused(refused, 'FORBIDDEN');
  assert.match(refused.body.error.details.rule, /^proof: /);
  assertRefused(await browser.api.post(`/secrets/${id}/rotate`, {}), 'FORBIDDEN');
  dataOf(await mint());
  assertRefused(await browser.post('/proof', { password: OTHER }), 'UNAUTHORIZED');
  assertRefused(await mint(admins), 'FORBIDDEN');
  assert.equal(dataOf(await browser.post('/proof', { password: PASSWORD })).provenAt, clock.at);
  dataOf(await mint(admins));
  dataOf(await browser.api.post(`/secrets/${id}/rotate`, {}));
  dataOf(await scene.admin.post('/secrets', { kind: 'apiKey', name: 'By a key', roleId: admins.id }));
});

test('agents have no account, and a key cannot act as a signed-in person', async () => {
  const scene = await Scene.open(world);
  const headers = { authorization: `Bearer ${scene.admin.key}`, 'palaver-server': 'none' };
  for (const path of ['/me', '/sessions']) {
    const answer = await world.request('GET', `${world.url}/api/people${path}`, { headers });
    assertRefused(answer, 'UNAUTHORIZED', path);
  }
});
