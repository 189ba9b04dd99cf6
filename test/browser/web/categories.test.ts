import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing } from '../../support/composing.ts';
import { dataOf } from '../../support/expect.ts';
import { until as eventually } from '../../support/process.ts';
import type { Json } from '../../support/world.ts';

// Categories in the channel list and in the server settings.

let scene: Composing;
let projects: Json;
let lounge: Json;
let boat: Json;
let tea: Json;
before(async () => {
  scene = await Composing.open();
  const category = async (name: string, position: number) =>
    dataOf(await scene.api.post('/categories', { serverId: scene.server.id, name, position }));
  lounge = await category('Lounge ☕', 20);
  projects = await category('Проекты', 10);
  boat = await scene.channel({ name: 'boat', categoryId: projects.id });
  tea = await scene.channel({ name: 'tea', categoryId: lounge.id });
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

const list = (page: Page) => page.locator('.channel-list-rows').first();
/** The names in the list, from top to bottom. */
const shown = async (page: Page): Promise<string> =>
  (await list(page).locator('[data-item] bdi').allTextContents()).join(', ');
const header = (page: Page, name: string) => list(page).getByRole('button', { name, exact: true });
const say = async (channel: Json, content: string) =>
  dataOf(await scene.api.post('/messages', { channelId: channel.id, content }));

/** Waits until the list shows these names. */
async function until(page: Page, names: string): Promise<void> {
  await eventually(async () => (await shown(page)) === names).catch(() => undefined);
  assert.equal(await shown(page), names);
}

test('channels are grouped, groups collapse and stay collapsed, and unread channels stay visible', async () => {
  const page = await scene.window(scene.ben, scene.general);
  assert.equal(await shown(page), 'general, other, Проекты, boat, Lounge ☕, tea');
  // The list is one tab stop: arrow keys move through groups and channels.
  await list(page).getByRole('link', { name: 'other' }).focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Проекты');
  await page.keyboard.press('ArrowLeft');
  await until(page, 'general, other, Проекты, Lounge ☕, tea');
  assert.equal(await header(page, 'Проекты').getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(page, 'general, other, Проекты, Lounge ☕');
  assert.deepEqual(await violationsInThemes(page, '.channel-list'), []);
  await page.reload();
  await until(page, 'general, other, Проекты, Lounge ☕');
  await say(boat, 'all aboard');
  await until(page, 'general, other, Проекты, boat, Lounge ☕');
  await list(page).getByRole('link', { name: /^boat/ }).click();
  await page.getByText('all aboard').waitFor();
  // The open channel stays visible. Once it is read and another channel is opened, it is hidden again.
  assert.equal(await shown(page), 'general, other, Проекты, boat, Lounge ☕');
  await page.keyboard.press('Alt+ArrowUp');
  await until(page, 'general, other, Проекты, Lounge ☕');
  await page.keyboard.press('Alt+ArrowDown');
  await until(page, 'general, other, Проекты, boat, Lounge ☕');
  // Each user of this browser has a separate list of collapsed categories.
  const own = await page.evaluate<string>(
    `Object.keys(localStorage).filter((key) => key.startsWith('palaver.collapsed.')).join()`,
  );
  assert.equal(own, `palaver.collapsed.${scene.ben.id}`);
  scene.client.assertSound();
});

test("other users' changes appear immediately", async () => {
  const page = await scene.window(scene.ben, scene.general);
  await until(page, 'general, other, Проекты, boat, Lounge ☕, tea');
  await scene.api.patch(`/categories/${lounge.id}`, { name: 'Salon', position: 5 });
  await until(page, 'general, other, Salon, tea, Проекты, boat');
  await scene.api.patch(`/channels/${boat.id}`, { categoryId: lounge.id });
  // Members do not see categories without channels.
  await until(page, 'general, other, Salon, boat, tea');
  const extra = dataOf(await scene.api.post('/categories', { serverId: scene.server.id, name: 'Extra' }));
  await scene.api.patch(`/channels/${tea.id}`, { categoryId: extra.id });
  await until(page, 'general, other, Salon, boat, Extra, tea');
  await scene.api.delete(`/categories/${extra.id}`);
  await until(page, 'general, other, tea, Salon, boat');
  assert.equal(await page.getByRole('button', { name: 'Options for Salon' }).count(), 0);
  await scene.api.patch(`/categories/${lounge.id}`, { name: 'Lounge ☕', position: 20 });
  await scene.api.patch(`/channels/${boat.id}`, { categoryId: projects.id });
  await scene.api.patch(`/channels/${tea.id}`, { categoryId: lounge.id });
  scene.client.assertSound();
});

test('an admin renames, moves and deletes categories, and creates a channel in one', async () => {
  const page = await scene.window(scene.ada, scene.general);
  const menu = async (name: string, item: string) => {
    await header(page, name).hover();
    await page.getByRole('button', { name: `Options for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await menu('Проекты', 'Move down');
  await until(page, 'general, other, Lounge ☕, tea, Проекты, boat');
  await menu('Проекты', 'Rename');
  await page.getByLabel('Name', { exact: true }).fill('مشاريع');
  await page.getByRole('button', { name: 'Save' }).click();
  await until(page, 'general, other, Lounge ☕, tea, مشاريع, boat');
  await menu('مشاريع', 'Create channel');
  await page.getByLabel('Name', { exact: true }).fill('dock');
  assert.equal(await page.getByLabel('Category').inputValue(), projects.id);
  await page.getByRole('dialog').getByRole('button', { name: 'Create channel' }).click();
  await until(page, 'general, other, Lounge ☕, tea, مشاريع, boat, dock');
  await menu('Lounge ☕', 'Delete category');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete category' }).click();
  await until(page, 'general, other, tea, مشاريع, boat, dock');
  scene.client.assertSound();
});

test('the settings move channels between categories by keyboard, drag and drop, and select', async () => {
  const page = await scene.client.signedIn(scene.ada, `/s/${scene.server.id}/settings/channels`);
  const rows = () => page.locator('.setting-row-name').allTextContents();
  const untilRows = async (names: string) => {
    await eventually(async () => (await rows()).join(', ') === names).catch(() => undefined);
    assert.equal((await rows()).join(', '), names);
  };
  await page.getByRole('button', { name: 'New category' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Archive');
  await page.getByRole('button', { name: 'Create category' }).click();
  await untilRows('general, other, tea, مشاريع, boat, dock, Archive');
  assert.deepEqual(await violationsInThemes(page), []);

  await page.getByRole('button', { name: 'Move tea' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByText('tea moved to مشاريع, position 1 of 3.').waitFor({ state: 'attached' });
  await untilRows('general, other, مشاريع, tea, boat, dock, Archive');
  await eventually(async () => (await page.evaluate('document.activeElement.ariaLabel')) === 'Move tea');
  await eventually(async () => dataOf(await scene.api.get(`/channels/${tea.id}`)).categoryId === projects.id);

  const from = await page.getByRole('button', { name: 'Move Archive' }).boundingBox();
  const to = await page.getByRole('button', { name: 'Move مشاريع' }).boundingBox();
  assert.ok(from && to);
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y + 5, { steps: 5 });
  await page.mouse.up();
  await untilRows('general, other, Archive, مشاريع, tea, boat, dock');
  await page.getByRole('button', { name: 'Edit dock' }).click();
  await page.getByLabel('Category').selectOption('Archive');
  await page.getByRole('button', { name: 'Save' }).click();
  await untilRows('general, other, Archive, dock, مشاريع, tea, boat');
  await page.reload();
  await untilRows('general, other, Archive, dock, مشاريع, tea, boat');
  assert.equal((await rows()).length, 7);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    0,
  );
  scene.client.assertSound();
});
