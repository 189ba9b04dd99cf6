import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { begin, CLIENT, form, pkce, poll, redirectBody } from '../support/apps.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { type Json, TestClock, World } from '../support/world.ts';

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

test('an app cannot be approved under a name that looks like Palaver', async () => {
  const browser = await person();
  const { challenge } = pkce();
  for (const client of [
    'Palaver',
    'PALAVER!',
    'P\u0430laver for Linux',
    'Pa1aver',
    'P a l a v e r App',
    'System',
  ]) {
    const begun = await form(world, 'device_authorization', { client_id: client });
    assert.deepEqual([begun.status, begun.body.error], [400, 'invalid_request'], client);
    const redirect = await browser.post('/approvals/redirect', redirectBody(challenge, { client }));
    assertRefused(redirect, 'INVALID_REQUEST', client, 'client');
  }
  for (const client of [CLIENT, 'palaver-cli', 'Systematic'])
    dataOf(await browser.post('/approvals/redirect', redirectBody(challenge, { client })));
});

test("an app cannot be approved under a name that looks like one of the person's apps", async () => {
  const browser = await person();
  const { challenge } = pkce();
  const own = { client_id: 'Harbour, mobile' };
  const made = await begin(world, { ...own, device_name: 'Phone, old' });
  dataOf(await browser.post('/approvals', { userCode: made.user_code }));
  assert.equal((await poll(world, made.device_code, own)).status, 200);
  const redirected = (client: string) =>
    browser.post('/approvals/redirect', redirectBody(challenge, { client }));
  for (const client of ['H\u0430rbour, mobile', 'HARBOUR-mobile', 'Harb\u03bfur']) {
    assertRefused(await redirected(client), 'INVALID_REQUEST', client, 'client');
    const { user_code: userCode } = await begin(world, { client_id: client });
    for (const path of ['/approvals/look', '/approvals']) {
      const shown = await browser.post(path, { userCode });
      assertRefused(shown, 'INVALID_REQUEST', client, 'userCode');
      assert.match(
        JSON.stringify(shown.body),
        /looks like \\"Harbour.*\\", an app that you approved earlier/,
      );
    }
    dataOf(await browser.post('/approvals/deny', { userCode }));
    clock.advance(MINUTE_MS);
  }
  dataOf(await redirected('Harbour, mobile'));
  dataOf(await redirected('Another harbour'));
  const other = await Browser.of(world, await world.user());
  dataOf(
    await other.post('/approvals/redirect', redirectBody(challenge, { client: 'H\u0430rbour, mobile' })),
  );
});
