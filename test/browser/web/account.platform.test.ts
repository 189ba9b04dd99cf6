import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { Browser, PASSWORD } from '../../support/account.ts';
import { after, before, test } from '../../support/browser.ts';
import { go } from '../../support/everyPage.ts';
import { dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';
import { Scene } from '../../support/scene.ts';
import { WebClient } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

let client: WebClient;
let page: Page;
before(async () => {
  client = await WebClient.open();
  const admin = await client.world.user({ name: 'Root', platformAdmin: true });
  page = await client.signedIn(admin, '/platform/users');
});
after(() => client?.close());

const told = (text: string) => page.locator('.toast-text', { hasText: text }).waitFor();
const act = async (user: Json, name: string) => {
  await page.goto('/platform/users');
  await page.getByLabel('Search by username or name').fill(user.username);
  await page.getByRole('button', { name: `Actions for ${user.name}` }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};

test('a user is found, suspended, and unsuspended', async () => {
  const user = await client.world.user({ name: 'Mallory' });
  const theirs = await Browser.of(client.world, user);
  await act(user, 'Suspend');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await told('Mallory was suspended.');
  await page.getByRole('cell', { name: 'Suspended' }).waitFor();
  assert.notEqual((await theirs.get('/me')).status, 200);
  await act(user, 'Lift suspension');
  await page.getByRole('dialog').getByRole('button', { name: 'Lift suspension' }).click();
  await told('Mallory is no longer suspended.');
  assert.equal(dataOf(await theirs.get('/me')).id, user.id);
  client.assertSound();
});

test('the last platform admin cannot be demoted', async () => {
  const open = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    return page.getByRole('menuitem', { name: 'Remove platform admin' });
  };
  await page.goto('/platform/users');
  await page.getByText('Admins', { exact: true }).click();
  assert.equal(await (await open('Root')).getAttribute('aria-disabled'), 'true');
  await page.getByText('The platform needs at least one admin.').waitFor();
  await go(page, '/me/data');
  await page.getByText('Make someone else a platform admin first.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Close account' }).count(), 0);
  await client.world.user({ name: 'Second', platformAdmin: true });
  await go(page, '/platform/users');
  await page.getByText('Admins', { exact: true }).click();
  assert.notEqual(await (await open('Second')).getAttribute('aria-disabled'), 'true');
  client.assertSound();
});

test('a password reset link shows once and works', async () => {
  const user = await client.world.user({ name: 'Forgetful' });
  await Browser.claimed(client.world, user);
  await act(user, 'Create one-time link');
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = (await page.getByRole('dialog').locator('.copy-text').textContent()) ?? '';
  assert.ok(link.startsWith(`${client.url}/welcome#link_plv_`), link);
  const theirs = await client.visit(new URL(link).pathname + new URL(link).hash);
  await theirs.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  await theirs.getByLabel('New password').fill(`${PASSWORD} now`);
  await theirs.keyboard.press('Enter');
  await theirs.getByRole('navigation').first().waitFor();
  client.assertSound();
});

test('a server is deleted after typing its name', async () => {
  const { world } = client;
  const server = await world.server(await world.user(), 'Old (1) *harbour*');
  await page.goto('/platform/servers');
  await page.getByRole('button', { name: `Delete ${server.name}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Old');
  await dialog.getByRole('button', { name: 'Delete server' }).click();
  await dialog.locator('.field-error').waitFor();
  await dialog.getByRole('textbox').fill(server.name);
  await dialog.getByRole('button', { name: 'Delete server' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: `Delete ${server.name}` }).count(), 0);
  client.assertSound();
});

test('apps are verified, settings apply immediately, and the audit log records both', async () => {
  const scene = await Scene.open(client.world);
  const app = await scene.make('/apps/submit', { id: (await scene.app({ name: 'Weather' })).id });
  await page.goto('/platform/apps');
  await page.getByRole('button', { name: 'Verify Weather' }).click();
  await told('Weather is verified.');
  assert.equal(dataOf(await scene.admin.get(`/apps/${app.id}`)).verified, true);

  await page.goto('/platform/settings');
  await page.getByRole('region', { name: 'Sign-up' }).getByText('Anyone', { exact: true }).click();
  await page.getByText('Set here').waitFor();
  assert.equal(dataOf(await new Browser(client.world).get('/entrance')).signUp, 'open');
  const visitor = await client.visit('/sign-up');
  await visitor.getByRole('heading', { name: 'Create an account' }).waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByText('Set here').waitFor({ state: 'detached' });
  const size = page.getByRole('form', { name: 'Maximum file size' });
  await size.getByLabel('Maximum file size').fill('5000');
  await size.getByRole('button', { name: 'Save' }).click();
  await size.getByText('4096').last().waitFor();
  await size.getByLabel('Maximum file size').fill('100');
  await size.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Resets to: 25 megabytes (Default)').waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByText('Set here').waitFor({ state: 'detached' });

  await page.goto('/platform/audit');
  await page.getByRole('rowheader', { name: 'setting change' }).first().waitFor();
  await page.getByLabel('Filter').fill('verify root');
  await page.getByRole('rowheader', { name: 'app verify' }).waitFor();
  assert.equal(await page.getByRole('rowheader', { name: 'setting change' }).count(), 0);

  await page.goto('/platform/health');
  await page.getByText('The database is available.').waitFor();
  await page.getByRole('img', { name: /^Requests per second: currently [\d.,]+$/ }).waitFor();
  const memory = page.getByRole('img', { name: /^Memory: currently \d+ MB$/ });
  await memory.waitFor();
  // Each refresh adds a point to the chart. The points survive navigation and a reload.
  const looks = async () => (await memory.locator('polyline').getAttribute('points'))?.split(' ').length ?? 0;
  const first = await looks();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await until(async () => (await looks()) === first + 1);
  await go(page, '/platform/users');
  await go(page, '/platform/health');
  await until(async () => (await looks()) === first + 2);
  await page.reload();
  await until(async () => (await looks()) === first + 3);
  client.assertSound();
});

test('an admin restricts who can create servers, and the dialog explains this to others', async () => {
  await go(page, '/platform/settings');
  const section = page.getByRole('region', { name: 'Server creation' });
  await section.getByText('Platform admins', { exact: true }).click();
  await told('Setting changed.');
  const theirs = await client.signedIn(await client.world.user({ name: 'Nora' }), '/');
  await theirs.getByRole('button', { name: 'Create server' }).first().click();
  const dialog = theirs.getByRole('dialog');
  await dialog.getByText('On this platform, only admins can create servers.').waitFor();
  assert.equal(await dialog.getByLabel('Server name').count(), 0);
  await theirs.context().close();
  await go(page, '/');
  await page.getByRole('button', { name: 'Create server' }).first().click();
  await page.getByLabel('Server name').waitFor();
  await page.keyboard.press('Escape');
  client.assertSound();
});
