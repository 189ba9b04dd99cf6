import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import type { Page } from 'playwright-core';
import { Browser, PASSWORD } from '../../support/account.ts';
import { appShows } from '../../support/app.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { appOf, granted } from '../../support/grants.ts';
import { signIn, WebClient } from '../../support/webClient.ts';
import { type Json, TestClock } from '../../support/world.ts';

const MINUTE_MS = 60_000;
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let client: WebClient;
const clock = new TestClock();
before(async () => {
  client = await WebClient.open({ clock });
});
afterEach(() => client.surfer.close());
after(() => client?.close());

/** Creates a user with a password who is signed in at this path and in a second browser. */
async function somebody(
  path: string,
  fields: object = {},
): Promise<{ page: Page; user: Json; other: Browser }> {
  const user = await client.world.user(fields);
  const other = await Browser.claimed(client.world, user);
  return { user, other, page: await client.signedIn(user, path) };
}

/** Confirms the identity in the dialog. */
async function prove(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('name and picture changes show immediately', async () => {
  const { page, other } = await somebody('/me/profile', { name: 'Before' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('After <b>it</b>');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.locator('.sections-name').getByText('After <b>it</b>').waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PIXEL });
  await page.getByRole('button', { name: 'Use this image' }).click();
  await page.getByRole('button', { name: 'Remove' }).waitFor();
  // A file that only claims to be an image has its own error message.
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await page.getByRole('button', { name: 'Use this image' }).click();
  await page.getByRole('alert').getByText('Choose an image: PNG, JPEG, GIF or WebP.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  const { name, image } = dataOf(await other.get('/me'));
  assert.equal(name, 'After <b>it</b>');
  assert.match(image, /^\/api\/v1\/pictures\//);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Choose image' }).waitFor();
  assert.equal(dataOf(await other.get('/me')).image, null);
  client.assertSound();
});

test('two-factor authentication is set up after confirming the identity, and recovery codes show once', async () => {
  const { page, user } = await somebody('/me/security');
  clock.advance(11 * MINUTE_MS);
  await page.getByRole('button', { name: 'Set up' }).click();
  await prove(page);
  const dialog = page.getByRole('dialog', { name: 'Set up' });
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  await dialog.getByText("Can't scan it?").click();
  const secret = (await dialog.locator('.copy-text').textContent()) ?? '';
  await dialog.getByLabel('Code from the app').fill(appShows(secret, clock.at));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await codes.waitFor();
  assert.equal(await codes.getByRole('list').getByRole('listitem').count(), 10);
  const code = (await codes.getByRole('listitem').first().textContent()) ?? '';
  const download = page.waitForEvent('download');
  await codes.getByRole('button', { name: 'Download' }).click();
  assert.equal((await download).suggestedFilename(), 'palaver-recovery-codes.txt');
  await page.keyboard.press('Escape');
  assert.equal(await codes.isVisible(), true, 'the dialog stays until the codes are saved');
  await codes.getByLabel("I've saved these codes").check();
  await codes.getByRole('button', { name: 'Done' }).click();
  await page.getByText('On', { exact: true }).waitFor();
  const later = new Browser(client.world);
  dataOf(await later.post('/sign-in', { name: user.username, password: PASSWORD, code }));
  client.assertSound();
});

test('with two-factor authentication, confirming the identity requires a code as well', async () => {
  const { page, other } = await somebody('/me/security');
  const { secret } = dataOf(await other.post('/second-factor'));
  dataOf(await other.post('/second-factor/confirm', { code: appShows(secret, clock.at) }));
  clock.advance(11 * MINUTE_MS);
  await page.reload();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByLabel('Code').fill('000000');
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Code').fill(appShows(secret, clock.at));
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.locator('.toast-text', { hasText: 'Two-factor authentication is off.' }).waitFor();
  assert.equal(dataOf(await other.get('/me')).hasSecondFactor, false);
});

test('if two-factor authentication is required, the page asks for it first and then continues', async (t) => {
  const strict = await WebClient.open({ clock, secondFactor: 'all' });
  t.after(() => strict.close());
  const user = await strict.world.user({ name: 'Ada Lovelace' });
  await strict.world.server(user, 'Harbour');
  const page = await strict.signedIn(user, '/');
  await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up' });
  await dialog.getByText("Can't scan it?").click();
  const secret = (await dialog.locator('.copy-text').textContent()) ?? '';
  await dialog.getByLabel('Code from the app').fill(appShows(secret, clock.at));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await codes.getByLabel("I've saved these codes").check();
  await codes.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('navigation').first().waitFor();
});

test('a change is not made unless the identity is confirmed', async () => {
  const { page, other } = await somebody('/me/security');
  clock.advance(11 * MINUTE_MS);
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
  await dialog.getByLabel('Password', { exact: true }).fill('not the one');
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText("Nothing was changed, because you didn't confirm your identity.").waitFor();
  assert.equal(dataOf(await other.get('/me')).hasSecondFactor, false);

  // An account with neither a password nor a passkey can add one.
  const bare = await client.world.user({ username: 'bare' });
  await page.context().clearCookies();
  await signIn(page.context(), client.world, bare, client.url);
  await page.reload();
  clock.advance(11 * MINUTE_MS);
  await page.getByRole('button', { name: 'Add password' }).click();
  await page.getByLabel('New password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.getByText('Your account has no password or passkey.').waitFor();
  await dialog.getByText('npx palaver user password --username bare').waitFor();
  client.assertSound();
});

test('changing the password offers to revoke the apps with limited access', async () => {
  const { page, user, other } = await somebody('/me/security');
  const server = await client.world.server(await client.world.user());
  await client.world.member(server, user);
  const next = `${PASSWORD} now`;
  const change = async (present: string, newPassword: string, revokes: boolean) => {
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change password' });
    await dialog.getByLabel('Current password').fill(present);
    await dialog.getByLabel('New password').fill(newPassword);
    const box = dialog.getByRole('checkbox', { name: 'Also revoke apps with limited access' });
    assert.equal(await box.isChecked(), false);
    if (revokes) await box.check();
    await dialog.getByRole('button', { name: 'Set password' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const { token } = await granted(client.world, other, server.id);
  const status = async () => (await appOf(client.world, token).get('/servers')).status;
  await change(PASSWORD, next, false);
  assert.equal(await status(), 200);
  await change(next, PASSWORD, true);
  assert.equal(await status(), 401);
  client.assertSound();
});

test('sessions are listed and can be revoked, and a page whose session was revoked asks to sign in', async () => {
  const { page, user, other } = await somebody('/me/sessions');
  await page.getByText('This session').waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal((await other.get('/me')).status, 401);
  const again = await Browser.of(client.world, user);
  const [session] = dataOf(await again.get('/sessions')).filter(({ isCurrent }: Json) => !isCurrent);
  dataOf(await again.delete(`/sessions/${session.id}`));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('Your session has expired. Sign in again to pick up where you left off.').waitFor();
  assert.match(page.url(), /\/me\/sessions$/, 'to which one comes back');
  client.assertSound();
});

test('turning off two-factor authentication keeps other sessions, and the page offers to sign out everywhere else', async () => {
  const { page, other } = await somebody('/me/security');
  const { secret } = dataOf(await other.post('/second-factor'));
  dataOf(await other.post('/second-factor/confirm', { code: appShows(secret, clock.at) }));
  await page.reload();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await page.locator('.toast-text').getByText('Two-factor authentication is off.').waitFor();
  dataOf(await other.get('/me'));
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.locator('.toast-text').getByText('Signed out everywhere else.').waitFor();
  assert.equal((await other.get('/me')).status, 401);
  await page.getByRole('heading', { name: 'Other sessions' }).waitFor();
  client.assertSound();
});

test('device authorization shows the app, asks to confirm the identity, and gives the app a session', async () => {
  const { page } = await somebody('/me');
  clock.advance(11 * MINUTE_MS);
  const form = (path: string, fields: Record<string, string>) =>
    fetch(`${client.world.url}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) });
  const asked = (await (
    await form('device_authorization', { client_id: 'My <i>app</i>', device_name: 'A lamp' })
  ).json()) as Json;
  await page.goto(`/device#${asked.user_code}`);
  await page.getByRole('heading', { name: 'My <i>app</i> wants to access your account' }).waitFor();
  assert.equal(page.url(), `${client.url}/device`);
  await page.getByText(asked.user_code).waitFor();
  await page.getByText('A lamp').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await prove(page);
  await page.getByRole('heading', { name: 'App connected' }).waitFor();
  const answer = await form('token', {
    client_id: 'My <i>app</i>',
    device_code: asked.device_code,
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
  });
  assert.match(((await answer.json()) as Json).access_token, /^access_plv_/);

  await page.goto('/device');
  await page.getByLabel('Code').fill('BCDF-GHJK');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('No app is waiting with this code.').waitFor();
  client.assertSound();
});

test('an account export downloads as a file after the identity is confirmed', async () => {
  const { page, user } = await somebody('/me/data', { name: 'Ada of the copy' });
  clock.advance(11 * MINUTE_MS);
  await page.getByRole('button', { name: 'Download' }).click();
  const downloading = page.waitForEvent('download');
  await prove(page);
  const download = await downloading;
  assert.equal(download.suggestedFilename(), `${user.username}.jsonl`);
  const [first = ''] = readFileSync(await download.path(), 'utf8').split('\n');
  assert.equal(JSON.parse(first).row.name, 'Ada of the copy');

  // A second concurrent export is rejected with an explanation. A long export can be cancelled, even after navigating
  // away.
  const code = 'RATE_LIMITED';
  const message = 'exportsPerUser: 1 exports of your data are in progress: try again in 5 s';
  await page.route('**/api/people/export', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '5' }, json: { error: { code, message } } }),
  );
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByText('An export is already running').waitFor();
  await page.route('**/api/people/export', () => {});
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('link', { name: 'Your data' }).click();
  assert.equal(await page.getByRole('button', { name: 'Download' }).getAttribute('aria-busy'), 'true');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
  assert.notEqual(await page.getByRole('button', { name: 'Download' }).getAttribute('aria-busy'), 'true');
  client.assertSound();
});

test('an account is deleted after typing its username', async () => {
  const { page, user } = await somebody('/me/data');
  await page.getByRole('button', { name: 'Close account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close account' });
  await dialog.getByLabel(`Type ${user.username} to confirm`).fill('somebody-else');
  await dialog.getByRole('button', { name: 'Close my account permanently' }).click();
  await dialog.locator('.field-error, [role=alert]').first().waitFor();
  await dialog.getByLabel(`Type ${user.username} to confirm`).fill(user.username);
  await dialog.getByRole('button', { name: 'Close my account permanently' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  client.assertSound();
});
