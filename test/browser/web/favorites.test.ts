import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing } from '../../support/composing.ts';
import { dataOf } from '../../support/expect.ts';
import { until as eventually } from '../../support/process.ts';
import type { Json } from '../../support/world.ts';

// Favorites, channels that a person left, and the list of all channels.

let scene: Composing;
before(async () => {
  scene = await Composing.open({ limits: { '*': 0 } });
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true });
/** The names in a list, from top to bottom. */
const shown = async (page: Page, name = 'Channels'): Promise<string> =>
  (await list(page, name).locator('[data-item] bdi').allTextContents()).join(', ');
async function until(page: Page, names: string, name = 'Channels'): Promise<void> {
  await eventually(async () => (await shown(page, name)) === names).catch(() => undefined);
  assert.equal(await shown(page, name), names);
}
const say = async (channel: Json, content: string) =>
  dataOf(await scene.api.post('/messages', { channelId: channel.id, content }));
const menu = async (page: Page, name: string, item: string) => {
  await page.getByRole('link', { name }).first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: item }).click();
};

test('favorites come first, on all devices, and can be removed', async () => {
  const page = await scene.window(scene.ben, scene.general);
  const phone = await scene.window(scene.ben, scene.general);
  assert.equal(await shown(page), 'general, other');
  await page.getByRole('button', { name: 'Add to favorites' }).click();
  for (const each of [page, phone]) {
    await until(each, 'general', 'Favorites');
    await until(each, 'other');
  }

  assert.deepEqual(await violationsInThemes(page, '.channel-list'), []);
  await menu(page, 'general', 'Remove from favorites');
  await until(phone, 'general, other');
  assert.equal(await list(phone, 'Favorites').count(), 0);
});

test('unread messages are counted, and unread channels can come first', async () => {
  const page = await scene.window(scene.ben, scene.general);
  await say(scene.other, 'one');
  await say(scene.other, 'two');
  const row = page.getByRole('link', { name: 'other: 2 unread messages' });
  await row.waitFor();
  assert.equal(await row.locator('.channel-row-unread').innerText(), '2');
  await page.getByRole('button', { name: 'Channel list options' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Unread first' }).click();
  await until(page, 'other, general');
  await page.reload();
  await until(page, 'other, general');
  await row.click();
  await until(page, 'general, other');
  await page.getByRole('button', { name: 'Channel list options' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Unread first' }).click();
});

test("a channel that was left returns when it is joined, and shows mentions of the user's name", async () => {
  const page = await scene.window(scene.ben, scene.general);
  await menu(page, 'other', 'Leave channel');
  await until(page, 'general');
  await say(scene.other, 'a message');
  await page.getByRole('button', { name: 'Channel list options' }).click();
  await page.getByRole('menuitem', { name: 'Browse channels' }).click();
  const dialog = page.getByRole('dialog', { name: 'Browse channels' });
  await dialog.getByLabel('Find channels').fill('OTH');
  await dialog.getByRole('button', { name: 'Join: other' }).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Leave: general' }).count(), 0);
  assert.deepEqual(await violationsInThemes(page), []);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await shown(page), 'general');
  await say(scene.other, '@ben look');
  await until(page, 'general, other');
  await page.getByRole('link', { name: 'other' }).click();
  const join = page.locator('#main').getByRole('button', { name: 'Join' });
  await join.click();
  await join.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'general' }).click();
  await until(page, 'general, other');
});
