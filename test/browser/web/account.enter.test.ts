import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { Browser, linkFor, PASSWORD } from '../../support/account.ts';
import { appShows } from '../../support/app.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { go } from '../../support/everyPage.ts';
import { dataOf } from '../../support/expect.ts';
import { Scene } from '../../support/scene.ts';
import { signIn, WebClient } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

/** The username of the user who is signed in in this window. Undefined if nobody is. */
const usernameIn = (page: Page): Promise<string | undefined> =>
  page.evaluate(
    `fetch('/api/people/me', { headers: { 'palaver-server': 'none' } }).then(async (answer) => (await answer.json()).data?.username)`,
  );

const signOut = `fetch('/api/people/sign-out', { method: 'POST', headers: { 'palaver-server': 'none' } }).then(() => undefined)`;

let client: WebClient;
let person: Json;
let server: Json;
before(async () => {
  client = await WebClient.open({ signUp: 'invite' });
  person = await client.world.user({ name: 'Ada Lovelace' });
  await Browser.claimed(client.world, person);
  server = await client.world.server(person, 'Harbour');
});
afterEach(() => client.surfer.close());
after(async () => {
  await client?.close();
});

const fill = async (page: Page, name: string, password: string) => {
  await page.getByLabel('Username or email address').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};
const arrived = (page: Page) => page.getByRole('navigation').first().waitFor();

test('the first start link creates the account and is removed from the address bar immediately', async () => {
  const user = await client.world.user({ name: 'New here' });
  const { token } = await linkFor(client.world, user);
  const page = await client.visit(`/welcome#${token}`);
  await page.getByRole('heading', { name: 'Welcome, New here' }).waitFor();
  assert.equal(page.url(), `${client.url}/welcome`);
  const password = page.getByLabel('New password');
  await password.fill('short');
  await page.getByText('3 more characters needed.').waitFor();
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.getByText('Enter at least 8 characters.').waitFor();
  await password.fill('password123');
  await page.keyboard.press('Enter');
  await page.getByText('Must not be a common password').waitFor();
  // No “Long enough” hint appears next to the error.
  assert.equal(await page.getByText('Long enough').count(), 0);
  await password.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await arrived(page);
  assert.equal(await usernameIn(page), user.username);
  const again = await client.visit(`/welcome#${token}`);
  await again.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  client.assertSound();
});

test('a wrong password shows an error and keeps the input; the right one continues to the requested page', async () => {
  const page = await client.visit(`/s/${server.id}`);
  await fill(page, person.username, 'not the one');
  const alert = page.getByRole('alert').first();
  await alert.waitFor();
  assert.equal(await page.getByLabel('Username or email address').inputValue(), person.username);
  assert.equal(await usernameIn(page), undefined);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await arrived(page);
  assert.match(page.url(), new RegExp(`^${client.url}/s/${server.id}`));
  client.assertSound();
});

test('sign-in never redirects to another origin', async () => {
  const page = await client.visit('/sign-in?to=//evil.example.com/');
  await fill(page, person.username, PASSWORD);
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  assert.ok(page.url().startsWith(client.url), page.url());
  client.assertSound();
});

test('two-factor sign-in rejects a wrong code and accepts a recovery code', async () => {
  const user = await client.world.user();
  const browser = await Browser.claimed(client.world, user);
  const { secret } = dataOf(await browser.post('/second-factor'));
  const { codes } = dataOf(
    await browser.post('/second-factor/confirm', { code: appShows(secret, Date.now()) }),
  );
  const page = await client.visit('/sign-in');
  await fill(page, user.username, PASSWORD);
  const code = page.getByLabel('Code');
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').first().waitFor();
  await code.fill(codes[0]);
  await page.keyboard.press('Enter');
  await arrived(page);
  assert.equal(await usernameIn(page), user.username);
  client.assertSound();
});

test('a passkey is added after confirming the identity and signs in without a username', async () => {
  const user = await client.world.user();
  await Browser.claimed(client.world, user);
  const page = await client.visit('/sign-in?to=/me/security');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await fill(page, user.username, PASSWORD);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name').fill('Key of the test');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Key of the test').waitFor();
  await page.evaluate(signOut);
  // This authenticator accepts the browser's autofill suggestion for the username field immediately.
  await page.goto('/sign-in');
  await arrived(page);
  assert.equal(await usernameIn(page), user.username);

  await page.evaluate(signOut);
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await arrived(page);
  assert.equal(await usernameIn(page), user.username);
  client.assertSound();
});

test('an invite shows its server, signs somebody up, and makes them a member', async () => {
  const scene = await Scene.open(client.world);
  const invite = await scene.invite();
  const page = await client.visit(`/invite/${invite.id}`);
  await page.getByRole('heading', { name: `Join ${scene.server.name}` }).waitFor();
  const username = client.world.unique('guest');
  await page.getByLabel('Username').fill(username.toUpperCase());
  assert.equal(await page.getByLabel('Username').inputValue(), username);
  await page.getByLabel('Your name').fill('A guest');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(new RegExp(`/s/${scene.server.id}`));
  assert.equal(await usernameIn(page), username);

  const member = await client.signedIn(person, `/invite/${invite.id}`);
  await member.getByRole('button', { name: `Join ${scene.server.name}` }).click();
  await member.waitForURL(new RegExp(`/s/${scene.server.id}`));
  // Members can open the server from any invite. A used-up invite offers others an alternative, and a banned user is
  // told about the ban.
  await go(member, `/invite/${invite.id}`);
  await member.getByText("You're already a member.").waitFor();
  const over = await scene.invite({ maxUses: 1 });
  const second = await Browser.of(client.world, await client.world.user(), scene.server);
  dataOf(await second.api.post('/server-members', { inviteId: over.id }));
  await go(member, `/invite/${over.id}`);
  await member.getByRole('button', { name: `Open ${scene.server.name}` }).click();
  await member.waitForURL(new RegExp(`/s/${scene.server.id}`));
  await page.evaluate(signOut);
  await page.goto(`/invite/${over.id}`);
  await page.getByText('This invite has expired or reached its limit.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
  const banned = await client.world.user();
  await scene.make('/server-bans', { userId: banned.id });
  await signIn(page.context(), client.world, banned, client.url);
  await page.goto(`/invite/${over.id}`);
  await page.getByRole('link', { name: 'Go to your servers' }).waitFor();
  await page.goto(`/invite/${invite.id}`);
  await page.getByRole('button', { name: `Join ${scene.server.name}` }).click();
  await page.getByText("You're banned from this server.").waitFor();
  const { token } = await linkFor(client.world, await client.world.user());
  await page.goto(`/welcome#${token}`);
  await page.getByText(`You're signed in as ${banned.name} (${banned.username}).`).waitFor();
  const gone = await client.visit('/invite/01890a5d-ac96-774b-bcce-b302099a8057');
  await gone.getByRole('heading', { name: "This invite doesn't exist" }).waitFor();
  client.assertSound();
});

test('the account pages can be reached from the start page with the keyboard alone', async () => {
  const page = await client.visit('/');
  await page.getByLabel('Username or email address').waitFor();
  const focused = () => page.evaluate<string>('document.activeElement.name ?? ""');
  for (let press = 0; press < 10 && (await focused()) !== 'name'; press++) await page.keyboard.press('Tab');
  await page.keyboard.type(person.username);
  for (let press = 0; press < 3 && (await focused()) !== 'password'; press++)
    await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await arrived(page);
  assert.equal(await usernameIn(page), person.username);
  client.assertSound();
});
