import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { violationsIn } from '../../support/axe.ts';
import { skip } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { Scene } from '../../support/scene.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import { q } from '../../support/sources.ts';
import type { Json } from '../../support/world.ts';

describe('apps and usage in the server settings', { skip }, () => {
  let settings: SettingsScene;
  before(async () => {
    settings = await SettingsScene.open();
  });
  after(() => settings?.close());

  test('a verified app is found in the registry and installed with its configuration', async () => {
    const { world } = settings.client;
    const publisher = await Scene.open(world);
    const made: Json[] = [];
    for (const name of ['Weather of the sea', 'Weather that waits']) {
      const { id } = await publisher.app({ name });
      made.push(await publisher.make('/apps/submit', { id }));
    }
    await world.data.db.write((tx) =>
      tx.run(q.updateTable('app').set({ verified: true }).where('id', '=', made[0]?.id)),
    );
    const page = await settings.at('apps');
    await page.getByRole('button', { name: 'Install app' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'App registry' });
    await dialog.getByRole('searchbox', { name: 'Search by name or description' }).fill('weather');
    await dialog.getByText('Weather of the sea').waitFor();
    assert.equal(await dialog.getByText('Weather that waits').count(), 0);
    assert.deepEqual(await violationsIn(page), []);
    await dialog.getByRole('button', { name: 'Install Weather of the sea' }).click();
    await page.locator('dialog textarea[name=config]').fill('{ "coast": "north" }');
    await page.getByRole('dialog').getByRole('button', { name: 'Install app' }).click();
    await page.getByRole('list', { name: 'Installed' }).getByText('Weather of the sea').waitFor();
    const installs = dataOf(
      await settings.scene.admin.get(`/servers/${settings.scene.server.id}/app-installs`),
    );
    assert.deepEqual(
      installs.map(({ appId, config }: Json) => [appId, config]),
      [[made[0]?.id, { coast: 'north' }]],
    );
  });

  test("usage counts a key's requests, and separately those denied by permissions", async () => {
    const { scene, client } = settings;
    const program = await client.world.client(scene.server, ['canEditData']);
    for (let number = 0; number < 3; number++) await program.get('/users/me');
    assert.equal(
      (await program.post('/channels', { serverId: scene.server.id, name: 'refused' })).status,
      403,
    );
    const { name } = dataOf(await program.get('/users/me')).key;
    const page = await settings.at('usage');
    const row = page.getByRole('row').filter({ hasText: name }).filter({ hasText: 'now' }).first();
    await row.waitFor();
    const cells = await row.getByRole('cell').allInnerTexts();
    assert.ok(cells.includes('4') && cells.includes('1'), String(cells));
    await page.getByText('Forbidden or rate limited').first().waitFor();
  });
});
