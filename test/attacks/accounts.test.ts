import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { networkOf } from '../../server/src/lib/network.ts';
import { Browser, cookiesOf, linkFor, PASSWORD } from '../support/account.ts';
import { appShows } from '../support/app.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { TestClock, World } from '../support/world.ts';

// Attacks on accounts by somebody who has an old password, a link, a session or control of a neighbouring host.

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, proxies: 1, limits: { '*': 0, attempt: 5, authentication: 5 } });
});
after(() => world.close());

const from = (address: string) => ({ 'x-forwarded-for': address });

test('a sign-in that is verifying the password while it changes creates no session', async () => {
  // Passwords from one address are hashed in order, two at a time. On a busy machine, all sign-ins may be
  // verified before the link is read, so the race is repeated until one is verified afterwards.
  for (let attempt = 1; ; attempt++) {
    const user = await world.user();
    await Browser.claimed(world, user);
    const { token } = await linkFor(world, user, 'password');
    const name = user.username;
    const [claimed, ...signedIn] = await Promise.all([
      new Browser(world).post('/links/claim', { token, password: 'something else entirely' }),
      ...Array.from({ length: 5 }, () => new Browser(world).post('/sign-in', { name, password: PASSWORD })),
    ]);
    const browser = new Browser(world);
    const [cookie] = cookiesOf(claimed as (typeof signedIn)[number]);
    browser.cookie = `${cookie?.name}=${cookie?.value}`;
    assert.equal(dataOf(await browser.get('/sessions')).length, 1);
    clock.advance(60_000);
    if (signedIn.some(({ status }) => status === 401)) break;
    assert.ok(attempt < 10, 'every sign-in was verified before the password changed');
  }
});

test('a new password invalidates links that others may have', async () => {
  const user = await world.user();
  const earlier = await linkFor(world, user);
  const browser = await Browser.claimed(world, user);
  assertRefused(await browser.post('/links/look', earlier), 'NOT_FOUND');
  const links = [await linkFor(world, user, 'password'), await linkFor(world, user, 'recovery')];
  dataOf(await browser.post('/password', { password: PASSWORD, newPassword: 'something else entirely' }));
  for (const { token } of links)
    assertRefused(await browser.post('/links/claim', { token, password: PASSWORD }), 'NOT_FOUND');
});

test('attempts with a crafted username do not count against another account', async () => {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  for (const name of [user.id, `user ${user.id}`, `user code ${user.id}`, `userCode ${user.id}`])
    for (let number = 0; number < 5; number++)
      assertRefused(await new Browser(world).post('/sign-in', { name, password: 'wrong' }), 'UNAUTHORIZED');
  dataOf(await browser.post('/proof', { password: PASSWORD }));
  assertRefused(await browser.post('/approvals/look', { userCode: 'BCDF-GHJK' }), 'NOT_FOUND');
});

test('two-factor codes cannot be brute-forced with a link', async () => {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const { secret } = dataOf(await browser.post('/second-factor'));
  dataOf(await browser.post('/second-factor/confirm', { code: appShows(secret, clock.at) }));
  clock.advance(60_000);
  const { token } = await linkFor(world, user, 'password');
  const claim = (code: string) =>
    new Browser(world).post('/links/claim', { token, password: PASSWORD, code });
  for (let time = 0; time < 5; time++) assertRefused(await claim('wrong'), 'UNAUTHORIZED');
  assertRefused(await claim(appShows(secret, clock.at)), 'RATE_LIMITED');
  clock.advance(60_000);
  dataOf(await claim(appShows(secret, clock.at)));
});

test('a cookie set by a neighbouring host is ignored, regardless of whitespace before its name', async () => {
  const attacker = await Browser.of(world, await world.user());
  const token = attacker.cookie.slice('palaver='.length);
  for (const space of ['\xa0', '\x85']) {
    const victim = new Browser(world);
    victim.cookie = `${space}palaver=${token}`;
    assertRefused(await victim.get('/me', from('198.51.100.77')), 'UNAUTHORIZED', JSON.stringify(space));
    clock.advance(60_000);
  }
  const victim = await Browser.of(world, await world.user());
  const own = victim.cookie;
  victim.cookie = `\xa0__Host-palaver=${token}; ${own}`;
  assert.notEqual(dataOf(await victim.get('/me')).id, dataOf(await attacker.get('/me')).id);
});

test('addresses in one IPv6 network share one limit for attempts, and so do all spellings of an IPv4 address', async () => {
  const user = await world.user();
  await Browser.claimed(world, user);
  const attempt = (address: string) =>
    new Browser(world).post('/sign-in', { name: user.username, password: 'wrong' }, from(address));
  for (const addresses of [
    [
      '2001:db8:1:2::1',
      '2001:db8:1:2:ffff::2',
      '2001:DB8:1:2:0:0:0:3',
      '2001:db8:1:2:4::',
      '2001:db8:1:2::5',
    ],
    ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '192.0.2.1', '::ffff:192.0.2.1'],
  ]) {
    for (const address of addresses) assertRefused(await attempt(address), 'UNAUTHORIZED', address);
    assertRefused(await attempt(addresses[0] as string), 'RATE_LIMITED');
    assertRefused(await attempt(addresses[1] as string), 'RATE_LIMITED');
  }
  assertRefused(await attempt('2001:db8:1:3::1'), 'UNAUTHORIZED', 'another network');
  // Attempts with unknown keys count, too.
  const unknown = (last: number) =>
    world.request('GET', `${world.url}/api/v1/servers`, {
      headers: { authorization: 'Bearer none', ...from(`2001:db8:9:9::${last}`) },
    });
  for (let last = 1; last <= 5; last++) assert.equal((await unknown(last)).status, 401);
  assert.equal((await unknown(6)).status, 429);
});

test('every spelling of an address maps to the same network', () => {
  const forms = {
    '192.0.2.7': '192.0.2.7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '::FFFF:c000:0207': '192.0.2.7',
    '0:0:0:0:0:ffff:192.0.2.7': '192.0.2.7',
    '::1': '0:0:0:0::/64',
    '::': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '2001:db8:0:1::': '2001:db8:0:1::/64',
    '2001:db8:a:b:c:d:e:f': '2001:db8:a:b::/64',
    '64:ff9b::192.0.2.7': '64:ff9b:0:0::/64',
    'no address: at all': 'no address: at all',
    '': '',
  };
  for (const [address, network] of Object.entries(forms)) assert.equal(networkOf(address), network, address);
});

test('a session without a confirmed identity cannot give a key canAdmin, not even by adding it to its role', async () => {
  const owner = await world.user();
  const server = await world.server(owner);
  const browser = await Browser.of(world, owner, server);
  const role = dataOf(await browser.api.post('/roles', { name: 'helpers', canEditData: true }));
  dataOf(await browser.api.post('/secrets', { name: 'key', kind: 'apiKey', roleId: role.id }));
  clock.advance(11 * 60_000);
  assertRefused(await browser.api.patch(`/roles/${role.id}`, { canAdmin: true }), 'FORBIDDEN');
  assert.equal(dataOf(await browser.api.get(`/roles/${role.id}`)).canAdmin, false);
  dataOf(await browser.api.patch(`/roles/${role.id}`, { canEditData: false }));
});
