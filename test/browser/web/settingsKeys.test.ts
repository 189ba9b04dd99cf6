import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { Browser, PASSWORD } from '../../support/account.ts';
import { after, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import { type Json, TestClock } from '../../support/world.ts';

const run = promisify(execFile);

let settings: SettingsScene;
let page: Page;
let channel: Json;
before(async () => {
  settings = await SettingsScene.open();
  channel = await settings.scene.channel({ name: 'general' });
  page = await settings.at('keys');
});
after(() => settings?.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = (name: string) => page.locator('.setting-row').filter({ hasText: name });
/** The copyable texts in the open dialog: the key, then the commands that use it. */
const shown = () => page.getByRole('dialog').locator('.copy-text').allTextContents();
const me = (key: string) =>
  fetch(`${settings.client.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${key}` } });

async function mint(name: string): Promise<string[]> {
  await button('New API key').click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'New API key' }).click();
  await page.getByText("You won't see it again").waitFor();
  return shown();
}

test('a key is created, shown once, works with the displayed command, and is revoked', async () => {
  const [key = '', whoAmI = '', first = ''] = await mint('Weather bot');
  assert.match(key, /^sk_live_plv_/);
  const { stdout: who } = await run('sh', ['-c', `${whoAmI} -s`]);
  assert.equal(JSON.parse(who).data.name, 'Weather bot', who);
  const { stdout: sent } = await run('sh', ['-c', `${first} -s`]);
  assert.equal(JSON.parse(sent).ok, true, sent);
  const messages = dataOf(await settings.scene.admin.get(`/channels/${channel.id}/messages`));
  assert.deepEqual(
    messages.map(({ content }: Json) => content),
    ['Hello from the API'],
  );
  await button("I've saved it").click();
  assert.equal((await page.content()).includes(key), false, 'the page no longer contains the key');

  await row('Weather bot').getByText('acts as the agent').waitFor();
  await page.reload();
  await row('Weather bot').getByText('last used now').waitFor();

  await button('Actions for Weather bot').click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row('Weather bot').waitFor({ state: 'detached' });
  assert.equal((await me(key)).status, 401);
});

test('a personal key with an expiry and a role is rotated with an overlap', async () => {
  await button('New API key').click();
  await page.getByLabel('Name').fill('Backup');
  await page.getByText('Me', { exact: true }).click();
  await page.getByLabel('Expires').selectOption('7');
  await page.getByRole('dialog').getByRole('button', { name: 'New API key' }).click();
  await page.getByText("You won't see it again").waitFor();
  const [old = ''] = await shown();
  await button("I've saved it").click();
  const { data } = (await (await me(old)).json()) as Json;
  assert.equal(data.id, settings.scene.owner.id);
  assert.ok(Math.abs(data.key.expiresAt - Date.now() - 7 * 86_400_000) < 60_000);

  await button('Actions for Backup').click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.getByLabel('Revoke the previous value').selectOption('3600');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  await page.getByText("You won't see it again").waitFor();
  const [fresh = ''] = await shown();
  await button("I've saved it").click();
  assert.notEqual(fresh, old);
  for (const key of [old, fresh]) assert.equal((await me(key)).status, 200);
  await row('Backup').getByText('previous value').waitFor();
  await button('Actions for Backup').click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.getByText('is still valid. Rotating the key').waitFor();
  await page.keyboard.press('Escape');
});

test('an expired key is rotated and gets a new expiry', async () => {
  const expiresAt = Date.now() + 500;
  await settings.scene.secret({ name: 'Old report', expiresAt });
  await row('Old report').waitFor();
  await until(async () => Date.now() > expiresAt);
  await button('Actions for Old report').click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  assert.equal(await page.getByLabel('Expires').inputValue(), '90');
  assert.equal(await page.getByLabel('Revoke the previous value').count(), 0, 'the key has expired');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  await page.getByText("You won't see it again").waitFor();
  const [fresh = ''] = await shown();
  await button("I've saved it").click();
  assert.equal((await me(fresh)).status, 200);
});

test('a key that is created in another window appears live', async () => {
  await settings.scene.secret({ name: 'From elsewhere' });
  await row('From elsewhere').waitFor();
  const { body } = await settings.scene.admin.get(`/servers/${settings.scene.server.id}/secrets`);
  const { id } = body.data.find(({ name }: Json) => name === 'From elsewhere');
  await settings.scene.remove(`/secrets/${id}`);
  await row('From elsewhere').waitFor({ state: 'detached' });
});

test('the page reports no error', () => settings.client.assertSound());

test('creating a key asks to confirm the identity and keeps the form', async () => {
  const clock = new TestClock();
  clock.at = Date.now();
  const settings = await SettingsScene.open({ clock });
  try {
    const { scene, client } = settings;
    const { cookie } = await Browser.claimed(client.world, scene.owner);
    const page = await client.surfer.page({ baseURL: client.url });
    const [name = '', value = ''] = cookie.split('=');
    await page.context().addCookies([{ name, value, url: client.url }]);
    clock.advance(11 * 60_000);
    await page.goto(settings.path('keys'));
    await page.getByRole('button', { name: 'New API key' }).first().click();
    await page.getByLabel('Name').fill('Deploys');
    const roles = dataOf(await scene.admin.get(`/servers/${scene.server.id}/roles`));
    const admin = roles.find(({ canAdmin }: Json) => canAdmin);
    await page.getByLabel('Role', { exact: true }).selectOption(admin.id);
    await page.getByText('Allows: Administrator').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'New API key' }).click();
    await page.getByText("Confirm it's you").waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('API key for Deploys').waitFor();
    const key = await page.getByRole('dialog').locator('.copy-text').first().textContent();
    const answer = await fetch(`${client.url}/api/v1/users/me`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(answer.status, 200);
  } finally {
    await settings.close();
  }
});
