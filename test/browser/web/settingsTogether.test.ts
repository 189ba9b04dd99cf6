import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { go } from '../../support/everyPage.ts';
import { dataOf } from '../../support/expect.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import type { Json } from '../../support/world.ts';

let settings: SettingsScene;
let other: Json;
before(async () => {
  settings = await SettingsScene.open();
  const admins = await settings.scene.role({ name: 'Deputies', canAdmin: true });
  other = await settings.member('Grace', admins);
});
after(() => settings?.close());

/** Opens the same section for both admins. */
const both = async (section: string): Promise<[Page, Page]> => [
  await settings.at(section),
  await settings.at(section, other),
];
const save = async (page: Page) => {
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};
const leave = (...pages: Page[]) => Promise.all(pages.map((page) => page.context().close()));

test("two admins keep each other's changes to a channel", async () => {
  const { scene } = settings;
  const roles = [await scene.role({ name: 'First' }), await scene.role({ name: 'Second' })];
  const { id } = await scene.channel({ name: 'harbour', description: 'as it was', private: true });
  const [one, two] = await both('channels');
  for (const page of [one, two]) await page.getByRole('button', { name: 'Edit harbour' }).click();
  await one.getByRole('dialog').getByLabel('Description').fill('from the one');
  await one.getByRole('dialog').getByLabel('First').check();
  await save(one);
  await two.getByRole('dialog').getByLabel('Name').fill('port');
  await two.getByRole('dialog').getByLabel('Second').check();
  await save(two);
  const { name, description, roleIds } = dataOf(await scene.admin.get(`/channels/${id}`));
  assert.deepEqual([name, description], ['port', 'from the one']);
  assert.deepEqual(
    roleIds.toSorted(),
    roles.map((role) => role.id),
  );
  // Removing one role does not undo the other admin's change.
  for (const page of [one, two]) await page.getByRole('button', { name: 'Edit port' }).click();
  await one.getByRole('dialog').getByLabel('First').uncheck();
  await save(one);
  await two.getByRole('dialog').getByLabel('Read-only').check();
  await save(two);
  const now = dataOf(await scene.admin.get(`/channels/${id}`));
  assert.deepEqual([now.readonly, now.roleIds], [true, [roles[1]?.id]]);
  await leave(one, two);
});

test("two admins keep each other's changes to the server and a role", async () => {
  const { scene } = settings;
  const [one, two] = await both('overview');
  await one.getByLabel('Description').fill('from the one');
  await one.getByRole('button', { name: 'Save changes' }).click();
  await one.getByText('Server updated.').first().waitFor();
  await two.getByRole('textbox', { name: 'Name', exact: true }).fill('Port');
  await two.getByRole('button', { name: 'Save changes' }).click();
  await two.getByText('Server updated.').first().waitFor();
  const server = dataOf(await scene.admin.get(`/servers/${scene.server.id}`));
  assert.deepEqual([server.name, server.description], ['Port', 'from the one']);
  await leave(one, two);

  const role = await scene.role({ name: 'Sailors' });
  const [three, four] = await both('roles');
  for (const page of [three, four]) await page.getByRole('button', { name: 'Sailors' }).click();
  await three.getByRole('textbox', { name: 'Name', exact: true }).fill('Crew');
  await save(three);
  await four.getByRole('dialog', { name: 'Crew' }).getByLabel('Use a colour').check();
  await save(four);
  const { name, color } = dataOf(await scene.admin.get(`/roles/${role.id}`));
  assert.equal(name, 'Crew');
  assert.match(color, /^#/);
  await leave(three, four);
});

test("two admins keep each other's changes to a webhook; an unchanged form sends nothing", async () => {
  const { scene } = settings;
  const hook = await scene.make('/webhooks', {
    ...{ direction: 'out', name: 'Reports', url: 'https://example.com/in' },
    types: ['message.*'],
  });
  const app = await scene.app({ name: 'Almanac' });
  const [one, two] = await both('webhooks');
  for (const page of [one, two]) {
    await page.getByRole('button', { name: 'Actions for Reports' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
  }
  await one.getByRole('dialog').getByLabel('Reactions', { exact: true }).check();
  await save(one);
  await two.getByRole('dialog').getByLabel('Roles', { exact: true }).check();
  await save(two);
  const now = dataOf(await scene.admin.get(`/webhooks/${hook.id}`));
  assert.deepEqual(now.types.toSorted(), ['message.*', 'reaction.*', 'role.*']);
  const writes: string[] = [];
  one.on('request', (request) => {
    if (request.method() === 'PATCH') writes.push(request.url());
  });
  await one.getByRole('button', { name: 'Actions for Reports' }).click();
  await one.getByRole('menuitem', { name: 'Edit' }).click();
  await save(one);
  await go(one, `/s/${scene.server.id}/settings/apps`);
  await one.getByRole('button', { name: 'Actions for Almanac' }).click();
  await one.getByRole('menuitem', { name: 'Edit' }).click();
  await save(one);
  assert.deepEqual(writes, []);
  assert.equal(dataOf(await scene.admin.get(`/apps/${app.id}`)).updatedAt, app.updatedAt);
  await leave(one, two);
});

test("two admins keep each other's changes to a flow", async () => {
  const { scene } = settings;
  const flow = await scene.flow();
  const [one, two] = await both('flows');
  for (const page of [one, two]) {
    await page.getByRole('button', { name: `Actions for ${flow.name}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
  }
  await one.getByRole('dialog').getByLabel('Description').fill('from the one');
  await save(one);
  await two.getByRole('dialog').getByLabel('Name').fill('Greeting');
  await save(two);
  const { name, description } = dataOf(await scene.admin.get(`/flows/${flow.id}`));
  assert.deepEqual([name, description], ['Greeting', 'from the one']);
  await leave(one, two);
});

test('an editor who loses the permission is told and keeps what they typed', async () => {
  const { scene } = settings;
  const editors = await scene.role({ name: 'Editors', canEditChannel: true });
  const editor = await settings.member('Edna', editors);
  const page = await settings.at('channels', editor);
  await page.getByRole('button', { name: 'New channel' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('a name of mine');
  await scene.admin.patch(`/roles/${editors.id}`, { canEditChannel: false });
  await page.getByText('“Manage channels”').first().waitFor();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('“Manage channels”').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Create channel' }).count(), 0);
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'a name of mine');
  // Enter in a single field submits the form, unless saving is disabled.
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(request.url());
  });
  await dialog.getByLabel('Name').press('Enter');
  await page.waitForTimeout(100);
  assert.deepEqual(writes, []);
  await scene.admin.patch(`/roles/${editors.id}`, { canEditChannel: true });
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('a name of mine').first().waitFor();

  // The lost permission is also shown in an open confirmation or short form.
  await settings.member('Bertha');
  const moderators = await scene.role({ name: 'Moderators', canModerate: true });
  await scene.make('/user-roles', { userId: editor.id, roleId: moderators.id });
  const flagOf = (canModerate: boolean) => scene.admin.patch(`/roles/${moderators.id}`, { canModerate });
  for (const act of ['Kick', 'Ban', 'Nickname']) {
    await go(page, settings.path('members'));
    await page.getByRole('button', { name: 'Actions for Bertha' }).click();
    await page.getByRole('menuitem', { name: act }).click();
    await flagOf(false);
    await dialog.getByText('“Moderate”').waitFor();
    assert.deepEqual(
      (await dialog.getByRole('button').allInnerTexts()).filter((name) => name.trim() !== ''),
      [],
    );
    await page.keyboard.press('Escape');
    await flagOf(true);
    await page.getByText('not kick or ban').waitFor({ state: 'detached' });
  }
  await leave(page);
});

test('the pages report no error', () => settings.client.assertSound());
