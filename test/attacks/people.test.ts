import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, cookiesOf, linkFor, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0, attempt: 5 } });
});
after(() => world.close());

test('passwords cannot be brute-forced, whether the account exists or not', async () => {
  const user = await world.user();
  await Browser.claimed(world, user);
  const attempt = (name: string, password: string) => new Browser(world).post('/sign-in', { name, password });
  for (const name of [user.username, 'nobody.at.all']) {
    for (let number = 0; number < 5; number++)
      assertRefused(await attempt(name, `wrong ${number}`), 'UNAUTHORIZED');
    const refused = await attempt(name.toUpperCase(), 'wrong');
    assertRefused(refused, 'RATE_LIMITED', name);
    assert.equal(refused.headers.get('retry-after'), '60');
  }
  assertRefused(await attempt(user.username, PASSWORD), 'RATE_LIMITED');
  const other = await world.user();
  await Browser.claimed(world, other);
  dataOf(await attempt(other.username, PASSWORD));
  clock.advance(60_000);
  dataOf(await attempt(user.username, PASSWORD));
});

test('passwords cannot be brute-forced from a session of the account', async () => {
  const browser = await Browser.claimed(world, await world.user());
  for (let number = 0; number < 5; number++)
    assertRefused(await browser.post('/proof', { password: `wrong ${number}` }), 'UNAUTHORIZED');
  assertRefused(await browser.post('/proof', { password: PASSWORD }), 'RATE_LIMITED');
  const change = { password: PASSWORD, newPassword: 'something else entirely' };
  assertRefused(await browser.post('/password', change), 'RATE_LIMITED');
  dataOf(await browser.get('/me'));
});

test('signing in replaces a planted session', async () => {
  const user = await world.user();
  await Browser.claimed(world, user);
  const attacker = await Browser.of(world, await world.user());
  const victim = new Browser(world);
  victim.cookie = attacker.cookie;
  dataOf(await victim.post('/sign-in', { name: user.username, password: PASSWORD }));
  assert.notEqual(victim.cookie, attacker.cookie);
  assert.equal(dataOf(await victim.get('/me')).id, user.id);
  assertRefused(await attacker.get('/me'), 'UNAUTHORIZED');
  // A browser cannot choose its session token either.
  const chosen = new Browser(world);
  chosen.cookie = `palaver=session_plv_${'0'.repeat(38)}`;
  const answer = await chosen.post('/sign-in', { name: user.username, password: PASSWORD });
  dataOf(answer);
  assert.match(cookiesOf(answer)[0]?.value ?? '', /^session_plv_(?!0{38})[0-9A-Za-z]{38}$/);
});

test('other sites cannot sign their visitors in or out, or use up a link', async () => {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const { token } = await linkFor(world, await world.user());
  const foreign = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { origin: `foo://${new URL(world.url).host}` },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    const requests: [string, object][] = [
      ['/sign-in', { name: user.username, password: PASSWORD }],
      ['/sign-out', {}],
      ['/links/claim', { token, password: PASSWORD }],
      ['/links/merge', { token }],
      ['/password', { password: PASSWORD, newPassword: 'something else entirely' }],
    ];
    for (const [path, body] of requests)
      assertRefused(await browser.post(path, body, headers as Record<string, string>), 'UNAUTHORIZED', path);
  }
  // A form on another site can send neither the header nor this media type.
  browser.place = undefined;
  assertRefused(await browser.post('/sign-out', {}), 'UNAUTHORIZED');
  const plain = { 'palaver-server': 'none', 'content-type': 'text/plain', cookie: browser.cookie };
  const url = `${world.url}/api/people/sign-out`;
  assertRefused(await world.request('POST', url, { raw: '{}', headers: plain }), 'INVALID_REQUEST');
  browser.place = 'none';
  dataOf(await browser.get('/me'));
  dataOf(await new Browser(world).post('/links/look', { token }));
});

test('hostile names and passwords are rejected with a clear error or match nobody', async () => {
  const texts = [
    "' or 1=1 --",
    '\u0000',
    '\ud800',
    '%00',
    '__proto__',
    'x'.repeat(255),
    '{"$ne":null}',
    '🐎'.repeat(64),
  ];
  for (const text of texts) {
    const answers = [
      await new Browser(world).post('/sign-in', { name: text, password: text }),
      await new Browser(world).post('/sign-up', { username: text, password: text }),
      await new Browser(world).post('/links/claim', { token: text, password: PASSWORD }),
    ];
    for (const { status, body } of answers)
      assert.ok([400, 401, 403, 404].includes(status), `${JSON.stringify(text)} ${JSON.stringify(body)}`);
  }
  for (const body of [
    { name: { $ne: null }, password: { $ne: null } },
    { name: ['a'], password: 'b' },
    [],
    'a',
    null,
  ])
    assertRefused(await new Browser(world).post('/sign-in', body), 'INVALID_REQUEST');
});
