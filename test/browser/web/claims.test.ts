import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Browser, linkFor, PASSWORD } from '../../support/account.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { find } from '../../support/sources.ts';
import { WebClient } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

// Claiming an imported person with a one-time link, in the web client.

let client: WebClient;
let ada: Json;
let server: Json;
let root: Json;
before(async () => {
  client = await WebClient.open({ timers: true });
  const { world } = client;
  ada = await world.user({ name: 'Ada Lovelace' });
  await Browser.claimed(world, ada);
  root = await world.user({ platformAdmin: true });
  server = await world.server(root, 'Harbour');
});
afterEach(() => client.surfer.close());
after(async () => {
  await client?.close();
});

/** A user without an account, and the path of a link for them. */
async function linked(name: string): Promise<{ user: Json; path: string }> {
  const user = await client.world.user({ name });
  await client.world.member(server, user);
  const { token } = await linkFor(client.world, user);
  return { user, path: `/welcome#${token}` };
}

const claimerOf = async ({ id }: Json) =>
  (await client.world.data.db.read.first(find('placeholder', { id: id as string })))?.accountId;

const usernameIn = (page: Page): Promise<string | undefined> =>
  page.evaluate(
    `fetch('/api/people/me', { headers: { 'palaver-server': 'none' } }).then(async (answer) => (await answer.json()).data?.username)`,
  );

const confirm = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Claim with this account' }).click();
  await page.getByRole('heading', { name: `You claimed ${name}` }).waitFor();
};

async function signIn(page: Page, { username }: Json): Promise<void> {
  await page.getByLabel('Username or email address').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a signed-in person sees the claimed user and the claiming account, confirms, and gets the server', async () => {
  const { user, path } = await linked('Grace Hopper');
  const page = await client.signedIn(ada, path);
  await page.getByRole('heading', { name: 'Claim Grace Hopper' }).waitFor();
  assert.equal(page.url(), `${client.url}/welcome`, 'the token is not in the address');
  await page.getByText(`@${user.username} · Harbour`).waitFor();
  await page.getByText(`You're signed in as Ada Lovelace (${ada.username}).`).waitFor();
  assert.equal(await claimerOf(user), undefined, 'nothing happens before the confirmation');
  await confirm(page, 'Grace Hopper');
  assert.equal(await claimerOf(user), ada.id);
  await page.getByRole('link', { name: 'Go to your servers' }).click();
  await page.getByText('Harbour').first().waitFor();
  const again = await client.signedIn(ada, path);
  await again.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  client.assertSound();
});

test('a signed-out person signs in and returns to the link, even via other pages', async () => {
  const { user, path } = await linked('Linus');
  const page = await client.visit(path);
  await page.getByRole('heading', { name: 'Welcome, Linus' }).waitFor();
  await page.getByRole('button', { name: 'I already have an account' }).click();
  await page.getByText('Sign in to claim Linus with your account.').waitFor();
  // Returns to this page without the token, as from a sign-in provider.
  await page.goto('/docs/');
  await page.goto('/welcome');
  await page.getByRole('button', { name: 'I already have an account' }).click();
  await signIn(page, ada);
  await page.getByText(`You're signed in as Ada Lovelace (${ada.username}).`).waitFor();
  await confirm(page, 'Linus');
  assert.equal(await claimerOf(user), ada.id);
  await page.goto('/welcome');
  await page.getByRole('heading', { name: 'Incomplete link' }).waitFor();
  client.assertSound();
});

test('a person can switch to another account for the claim, or create one', async () => {
  const ben = await client.world.user({ name: 'Ben' });
  await Browser.claimed(client.world, ben);
  const { user, path } = await linked('Margaret');
  const page = await client.signedIn(ada, path);
  await page.getByRole('button', { name: 'Use a different account' }).click();
  await signIn(page, ben);
  await page.getByText(`You're signed in as Ben (${ben.username}).`).waitFor();
  await page.getByRole('button', { name: 'Create a new account instead' }).click();
  await page.getByText("You're signed in as Ben. This link signs you in to a different account.").waitFor();
  await page.getByRole('button', { name: 'I already have an account' }).click();
  await confirm(page, 'Margaret');
  assert.equal(await claimerOf(user), ben.id);
  const second = await linked('Barbara');
  const other = await client.signedIn(ada, second.path);
  await other.getByRole('button', { name: 'Create a new account instead' }).click();
  await other.getByLabel('New password').fill(PASSWORD);
  await other.getByRole('button', { name: 'Set password and sign in' }).click();
  await other.getByRole('navigation').first().waitFor();
  assert.equal(await usernameIn(other), second.user.username);
  client.assertSound();
});

test('a link that somebody else has used in the meantime says so', async () => {
  const { user, path } = await linked('Radia');
  const page = await client.signedIn(ada, path);
  await page.getByRole('heading', { name: 'Claim Radia' }).waitFor();
  const ben = await client.world.user();
  const other = await Browser.claimed(client.world, ben);
  dataOf(await other.post('/links/merge', { token: path.slice('/welcome#'.length) }));
  await page.getByRole('button', { name: 'Claim with this account' }).click();
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  assert.equal(await claimerOf(user), ben.id);
  client.assertSound();
});
