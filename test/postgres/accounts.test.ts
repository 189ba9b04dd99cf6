import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Browser, PASSWORD } from '../support/account.ts';
import { appShows } from '../support/app.ts';
import { Authenticator } from '../support/authenticator.ts';
import { dataOf } from '../support/expect.ts';
import { ADDRESS, register } from '../support/passkeys.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

/** How long another node is busy with an account. */
const BUSY_MS = 700;

const clock = new TestClock();
let world: World;
let other: Client;
before(async () => {
  world = await World.open({ clock, address: ADDRESS });
  other = new Client({ connectionString: world.place.database as string });
  await other.connect();
});
after(async () => {
  await other.end();
  await world.close();
});

/** Asserts that a request about a user's account waits for another node's write to that account. */
async function assertWaits(userId: string, name: string, ask: () => Promise<Answer>): Promise<Json> {
  await other.query('begin');
  await other.query('select 1 from "user" where id = $1 for no key update', [userId]);
  let isAnswered = false;
  const answer = ask().finally(() => {
    isAnswered = true;
  });
  await sleep(BUSY_MS);
  assert.equal(isAnswered, false, `${name} was answered`);
  await other.query('commit');
  return dataOf(await answer, name);
}

test('sign-ins, identity checks and two-factor changes for an account are serialized across all nodes', async () => {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const phone = new Authenticator(ADDRESS);
  dataOf(await register(browser, phone));
  const waits = (name: string, ask: () => Promise<Answer>) => assertWaits(user.id, name, ask);

  const options = dataOf(await browser.post('/sign-in/options'));
  await waits('a sign-in with a passkey', () =>
    new Browser(world).post('/sign-in/passkey', { passkey: phone.get(options) }),
  );
  await waits('a proof by the password', () => browser.post('/proof', { password: PASSWORD }));
  const asked = dataOf(await browser.post('/proof/options'));
  await waits('a proof by a passkey', () => browser.post('/proof', { passkey: phone.get(asked) }));

  const { secret } = await waits('a second factor', () => browser.post('/second-factor'));
  await waits('its first code', () =>
    browser.post('/second-factor/confirm', { code: appShows(secret, clock.at) }),
  );
  await waits('new recovery codes', () => browser.post('/recovery-codes'));
  await waits('the end of a second factor', () => browser.delete('/second-factor'));
});
