import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { postTo } from '../../support/hookPost.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import type { Json } from '../../support/world.ts';

// The template of an incoming webhook, with its preview.

let settings: SettingsScene;
let page: Page;
let hook: Json;
before(async () => {
  settings = await SettingsScene.open();
  const { id: channelId } = await settings.scene.channel();
  hook = await settings.scene.webhook({ direction: 'in', url: undefined, name: 'Monitor', channelId });
  page = await settings.at('webhooks');
});
after(() => settings?.close());

const dialog = () => page.getByRole('dialog');
const edit = async () => {
  await page.getByRole('button', { name: 'Actions for Monitor', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
};
const post = (body: object) => postTo(settings.client.world, hook.path, body);
const stored = async (): Promise<Json> => dataOf(await settings.scene.admin.get(`/webhooks/${hook.id}`));

test('a template is written with a preview of the last body, which was rejected without it', async () => {
  await edit();
  await dialog().getByText('Template', { exact: true }).click();
  await dialog().getByText('No requests in the last 7 days').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await post({ service: 'db', checks: [{ state: '*down*' }] })).status, 400);

  await edit();
  await dialog().getByText('Template', { exact: true }).click();
  await dialog().getByText('"service": "db"').waitFor();
  await dialog().getByText('The template produces no text').waitFor();
  const field = dialog().getByRole('textbox', { name: 'Template' });
  await field.fill('**{{service}}** is {{checks[0].state}}');
  const preview = dialog().getByRole('region', { name: 'Preview' });
  await preview.getByText('is *down*').waitFor();
  assert.equal(await preview.locator('strong').textContent(), 'db');
  await field.fill('{{#each}}');
  await dialog().getByRole('alert').waitFor();
  await field.fill('**{{service}}** is {{checks[0].state}}');
  await preview.getByText('is *down*').waitFor();
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  assert.equal((await stored()).template, '**{{service}}** is {{checks[0].state}}');
  assert.equal((await post({ service: 'web', checks: [] })).text, 'ok');
  settings.client.surfer.complaints.splice(0);
});

test('a template is removed by detecting the format again, and can be set for a new webhook', async () => {
  await edit();
  assert.equal(
    await dialog().getByRole('textbox', { name: 'Template' }).inputValue(),
    (await stored()).template,
  );
  await dialog().getByText('Detect', { exact: true }).click();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  assert.equal((await stored()).template, null);

  await page.getByRole('button', { name: 'New incoming webhook', exact: true }).first().click();
  await dialog().getByLabel('Name').fill('Others');
  await dialog().getByText('Template', { exact: true }).click();
  await dialog().getByText('Then edit the webhook to preview the template').waitFor();
  await dialog().getByRole('textbox', { name: 'Template' }).fill('{{title}}');
  await dialog().getByRole('button', { name: 'New incoming webhook' }).click();
  await page.getByText('Anyone with this URL can post').waitFor();
  const all: Json[] = dataOf(await settings.scene.admin.get(`/servers/${settings.scene.server.id}/webhooks`));
  assert.equal(all.find(({ name }) => name === 'Others')?.template, '{{title}}');
});
