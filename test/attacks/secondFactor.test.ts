import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { appShows } from '../support/app.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { openProviderScene, type ProviderScene } from '../support/providerScene.ts';
import { insert, remove } from '../support/sources.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

const MINUTE_MS = 60_000;
const clock = new TestClock();
let world: World;
let scene: ProviderScene;
before(async () => {
  world = await World.open({ clock });
  scene = await openProviderScene();
});
after(async () => {
  await scene?.close();
  await world?.close();
});

/** Turns on two-factor authentication. Returns the authenticator app's secret. */
async function addFactor(browser: Browser, at: () => number = () => clock.at): Promise<string> {
  const { secret } = dataOf(await browser.post('/second-factor'));
  dataOf(await browser.post('/second-factor/confirm', { code: appShows(secret, at()) }));
  return secret;
}

const ruleOf = ({ body }: Answer): string => body.error.details.rule;

function assertUnproven(answer: Answer, what: string): void {
  assertRefused(answer, 'FORBIDDEN', what);
  assert.match(ruleOf(answer), /^proof:/, what);
}

test('a session and the password alone do not bypass two-factor authentication', async () => {
  const user = await world.user({ platformAdmin: true });
  const browser = await Browser.claimed(world, user);
  const secret = await addFactor(browser);
  clock.advance(11 * MINUTE_MS);
  const acts: Record<string, () => Promise<Answer>> = {
    'turn off': () => browser.delete('/second-factor'),
    'new recovery codes': () => browser.post('/recovery-codes'),
    'a passkey': () => browser.post('/passkeys/options'),
    'another address': () => browser.post('/email', { email: 'mallory@example.com' }),
    'another password': () =>
      browser.post('/password', { password: PASSWORD, newPassword: 'of the thief 1' }),
    'no password': () => browser.delete('/password'),
    export: () => browser.get('/export'),
    'closing the account': () => browser.post('/close', { username: user.username, messages: 'keep' }),
    'an act on the platform': () => browser.patch('/platform/settings/signUp', { value: 'open' }),
  };
  for (const [name, act] of Object.entries(acts)) assertUnproven(await act(), name);

  const proof = (body: object) => browser.post('/proof', { password: PASSWORD, ...body });
  for (const code of [undefined, '000000', 'AAAA-BBBB-CCCC-DDDD']) {
    const refused = await proof({ code });
    assertRefused(refused, 'UNAUTHORIZED', String(code));
    assert.deepEqual(refused.body.error.details, { need: 'code' });
  }
  for (const [name, act] of Object.entries(acts)) assertUnproven(await act(), name);

  dataOf(await proof({ code: appShows(secret, clock.at) }));
  assertRefused(await proof({ code: appShows(secret, clock.at) }), 'UNAUTHORIZED', 'a code works once');
  dataOf(await browser.delete('/second-factor'));
});

test('wrong codes for confirming an identity count together with wrong codes for signing in', async () => {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const secret = await addFactor(browser);
  clock.advance(11 * MINUTE_MS);
  for (let tries = 0; tries < 10; tries++)
    assertRefused(await browser.post('/proof', { password: PASSWORD, code: '000000' }), 'UNAUTHORIZED');
  const code = appShows(secret, clock.at);
  assertRefused(await browser.post('/proof', { password: PASSWORD, code }), 'RATE_LIMITED');
  const signIn = { name: user.username, password: PASSWORD, code };
  assertRefused(await new Browser(world).post('/sign-in', signIn), 'RATE_LIMITED');
});

test('a sign-in with a provider confirms the identity only if the provider has just authenticated the person', async () => {
  const { hostile, start, callback } = scene;
  // Sets the test clock to the machine's clock, which the provider uses.
  scene.clock.at = Date.now();
  const { browser } = await scene.signedUp('silent');
  dataOf(await browser.post('/second-factor'));
  const seconds = () => Math.floor(Date.now() / 1000);
  const signIn = async (claims: Json, body: object = {}): Promise<Answer> => {
    hostile.claims = claims;
    const url = await start(browser, 'other', body);
    const isAsked = new URL(url).searchParams.get('max_age') === '0';
    assert.equal(isAsked, 'prove' in body);
    const answer = await callback(browser, hostile.query(url, 'silent'));
    hostile.claims = {};
    return answer;
  };
  for (const [name, claims] of Object.entries({
    'without a time': {},
    'an hour ago': { auth_time: seconds() - 3600 },
    'in 1970': { auth_time: 0 },
  })) {
    dataOf(await signIn(claims));
    assertUnproven(await browser.post('/second-factor'), name);
    assertRefused(await signIn(claims, { prove: true }), 'UNAUTHORIZED', name);
  }
  const { provenAt } = dataOf(await signIn({ auth_time: seconds() }, { prove: true }));
  assert.ok(Math.abs(provenAt - Date.now()) < MINUTE_MS);
  dataOf(await browser.post('/second-factor'));
  // A sign-in with a future time counts as a sign-in at the current time.
  dataOf(await signIn({ auth_time: seconds() + 30 * 24 * 3600 }));
  scene.clock.advance(11 * MINUTE_MS);
  assertUnproven(await browser.post('/second-factor'), 'later');
});

const RULES = {
  all: { owner: true, member: true, platformAdmin: true },
  admins: { owner: true, member: false, platformAdmin: true },
};

for (const [secondFactor, needs] of Object.entries(RULES) as ['all' | 'admins', typeof RULES.all][])
  test(`with PALAVER_SECOND_FACTOR=${secondFactor}, affected people can do nothing until they set it up`, async (t) => {
    const strict = await World.open({ clock, secondFactor });
    t.after(() => strict.close());
    const [owner, member, platformAdmin] = [
      await strict.user(),
      await strict.user(),
      await strict.user({ platformAdmin: true }),
    ];
    const server = await strict.server(owner, 'Harbour');
    for (const one of [member, platformAdmin]) await strict.member(server, one);
    const people = { owner, member, platformAdmin };
    for (const [name, user] of Object.entries(people)) {
      const browser = await Browser.claimed(strict, user);
      browser.place = server.id;
      const acts: Record<string, () => Promise<Answer>> = {
        channels: () => browser.api.get(`/servers/${server.id}/channels`),
        snapshot: () => browser.get(`/servers/${server.id}/snapshot`),
        events: () => browser.api.get(`/servers/${server.id}/events`),
        rename: () => browser.patch('/me', { name: 'Somebody' }),
        sessions: () => browser.get('/sessions'),
        'remove the factor': () => browser.delete('/second-factor'),
      };
      for (const [act, run] of Object.entries(acts)) {
        const answer = await run();
        const isRefused = answer.status === 403 && ruleOf(answer).startsWith('secondFactor:');
        assert.equal(isRefused, needs[name as keyof typeof needs], `${name}, ${act}: ${answer.status}`);
      }
      assert.equal(dataOf(await browser.get('/me')).id, user.id);
      await addFactor(browser);
      dataOf(await browser.api.get(`/servers/${server.id}/channels`));
      dataOf(await browser.delete('/second-factor'));
      const again = await browser.api.get(`/servers/${server.id}/channels`);
      assert.equal(again.status, needs[name as keyof typeof needs] ? 403 : 200);
      const passkey = {
        credential: `AAEC${user.id}`,
        publicKey: 'AAEC',
        counter: 7,
        transports: [],
        origin: '',
      };
      const flags = { name: 'Phone', backupEligible: true, backedUp: true, lastUsedAt: null };
      const row = { id: user.id, createdAt: clock.at, updatedAt: clock.at, userId: user.id };
      await strict.data.db.write((tx) => tx.run(insert('passkey', { ...row, ...passkey, ...flags })));
      dataOf(await browser.api.get(`/servers/${server.id}/channels`));
      await strict.data.db.write((tx) => tx.run(remove('passkey', { id: user.id })));
      assert.equal((await browser.api.get(`/servers/${server.id}/channels`)).status, again.status);
      dataOf(await browser.post('/sign-out'));
    }
    // API keys belong to programs, but the rule applies only to people who sign in.
    const key = await strict.client(server, ['canAdmin'], owner);
    dataOf(await key.get(`/servers/${server.id}/channels`));
  });
