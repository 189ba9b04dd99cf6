import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { App, approved, CLIENT, form, pkce, redeem, redirectBody } from '../support/apps.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { addSession, change, update } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;
const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock });
});
after(() => world.close());

/** A browser with another browser's cookie. */
function copyOf({ cookie }: Browser): Browser {
  const copy = new Browser(world);
  copy.cookie = cookie;
  return copy;
}

async function claimed(): Promise<{ user: Json; browser: Browser }> {
  const user = await world.user();
  return { user, browser: await Browser.claimed(world, user) };
}

const signIn = (browser: Browser, user: Json) =>
  browser.post('/sign-in', { name: user.username, password: PASSWORD });

test("a new sign-in revokes the browser's previous session, even another person's", async () => {
  const [one, other] = [await claimed(), await claimed()];
  const first = copyOf(one.browser);
  dataOf(await signIn(one.browser, one.user));
  assertRefused(await first.get('/me'), 'UNAUTHORIZED');
  assert.equal(dataOf(await one.browser.get('/me')).id, one.user.id);

  const second = copyOf(one.browser);
  dataOf(await signIn(one.browser, other.user));
  assertRefused(await second.get('/me'), 'UNAUTHORIZED');
  assert.equal(dataOf(await one.browser.get('/me')).id, other.user.id);
  assert.equal(dataOf(await other.browser.get('/me')).id, other.user.id, 'in another browser');
});

test('neither a rejected sign-in nor an invalid cookie revokes a session', async () => {
  const { user, browser } = await claimed();
  assertRefused(await browser.post('/sign-in', { name: user.username, password: 'wrong' }), 'UNAUTHORIZED');
  dataOf(await browser.get('/me'));
  const odd = new Browser(world);
  for (const cookie of ['palaver=nonsense', 'palaver=', 'palaver=a; palaver=b']) {
    odd.cookie = cookie;
    assert.equal((await signIn(odd, user)).status, 200, cookie);
  }
  dataOf(await browser.get('/me'));
});

test('a session in use expires 180 days after its sign-in', async () => {
  const { id: userId } = await world.user();
  const made = await change(world.data, (work) => addSession(work, { userId, device: null }));
  const browser = new Browser(world);
  browser.cookie = `palaver=${made.token}`;
  // Simulates a session that was created 160 days ago. Nothing has read its row yet.
  const set = { createdAt: clock.at - 160 * DAY_MS, expiresAt: clock.at + 2 * DAY_MS };
  await world.data.db.write((tx) => tx.run(update('session', made.session.id, set)));
  const own = async () => dataOf(await browser.get('/sessions')).find((row: Json) => row.isCurrent);
  const end = clock.at + 20 * DAY_MS;
  await until(async () => (await own()).expiresAt === end);
  clock.at = end + 1;
  assertRefused(await browser.get('/me'), 'UNAUTHORIZED');
});

test('a person can sign out everywhere else', async () => {
  const { user, browser } = await claimed();
  const [here, there] = [new Browser(world), new Browser(world)];
  for (const each of [here, there]) dataOf(await signIn(each, user));
  const app = new App(world, await approved(world, there));
  const stranger = await claimed();
  const { verifier, challenge } = pkce();
  const { redirectTo } = dataOf(await there.post('/approvals/redirect', redirectBody(challenge)));

  const { id, isCurrent } = dataOf(await here.get('/sessions')).find((row: Json) => row.isCurrent);
  assert.ok(isCurrent);
  assert.equal(dataOf(await here.delete('/sessions')).id, id);
  for (const each of [browser, there]) assertRefused(await each.get('/me'), 'UNAUTHORIZED');
  assertRefused(await app.get('/people/me'), 'UNAUTHORIZED');
  const code = new URL(redirectTo).searchParams.get('code') as string;
  assert.equal((await redeem(world, code, verifier)).body.error, 'invalid_grant', 'an app that was approved');
  assert.deepEqual(
    dataOf(await here.get('/sessions')).map((row: Json) => row.id),
    [id],
  );
  dataOf(await stranger.browser.get('/me'));
});

test("reusing an app's code ends the session that it was exchanged for", async () => {
  const { browser } = await claimed();
  const { verifier, challenge } = pkce();
  const { redirectTo } = dataOf(await browser.post('/approvals/redirect', redirectBody(challenge)));
  const code = new URL(redirectTo).searchParams.get('code') as string;
  const { body } = await redeem(world, code, verifier);
  const app = new App(world, body.access_token);
  const other = new App(world, await approved(world, browser));
  dataOf(await app.get('/people/me'));

  // The code has expired, and this client does not have its verifier.
  clock.advance(60 * 60_000);
  const again = await redeem(world, code, pkce().verifier);
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
  assertRefused(await app.get('/people/me'), 'UNAUTHORIZED');
  dataOf(await other.get('/people/me'));
  dataOf(await browser.get('/me'));
});

test("anyone with an app's token can revoke this token, and nothing else", async () => {
  const { browser: own } = await claimed();
  const revoke = async (fields: Record<string, string>) => {
    const { status, body } = await form(world, 'revoke', fields);
    return [status, body];
  };
  const app = new App(world, await approved(world, own));
  const other = new App(world, await approved(world, own));
  const cookie = /session_plv_\w+/.exec(own.cookie)?.[0] as string;
  const mistyped = app.token.slice(0, -1) + (app.token.endsWith('0') ? '1' : '0');
  for (const token of [cookie, mistyped, 'access_plv_', 'x'])
    assert.deepEqual(await revoke({ token }), [200, {}], token);
  dataOf(await own.get('/me'));
  dataOf(await app.get('/people/me'));
  const [status, { error }] = await revoke({ client_id: CLIENT });
  assert.deepEqual([status, error], [400, 'invalid_request']);

  const stream = await fetch(`${world.url}/api/people/events`, {
    headers: { authorization: `Bearer ${app.token}`, 'palaver-server': 'none', accept: 'text/event-stream' },
  });
  assert.equal(stream.status, 200);
  const fields = { token: app.token, token_type_hint: 'refresh_token', client_id: CLIENT };
  for (const answer of await Promise.all([revoke(fields), revoke(fields)]))
    assert.deepEqual(answer, [200, {}]);
  assertRefused(await app.get('/people/me'), 'UNAUTHORIZED');
  await stream.text();
  dataOf(await other.get('/people/me'));
  dataOf(await own.get('/me'));
  const ended = dataOf(await own.get('/history')).filter(({ type }: Json) => type === 'signedOut');
  assert.deepEqual(
    ended.map(({ device }: Json) => device),
    [CLIENT],
    'recorded once',
  );
});
