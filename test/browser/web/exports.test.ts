import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { violationsIn } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import type { Json } from '../../support/world.ts';

let settings: SettingsScene;
before(async () => {
  settings = await SettingsScene.open({ timers: true });
});
after(() => settings?.close());

for (const width of [1280, 320])
  test(`at ${width} pixels, an admin exports a channel by keyboard, downloads the archive and deletes it`, async () => {
    const { scene } = settings;
    const channel = await scene.channel({ name: `lanterns-${width}` });
    for (const content of ['lit', 'unlit']) await scene.message({ channelId: channel.id, content });
    const page = await settings.at('exports', scene.owner, { viewport: { width, height: 800 } });
    await page.getByText('No exports').waitFor();
    assert.deepEqual(await violationsIn(page), []);

    await page.getByRole('button', { name: 'New export' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New export' });
    await dialog.getByLabel('Content').selectOption({ label: `#${channel.name}` });
    assert.deepEqual(await violationsIn(page), []);
    await dialog.getByRole('button', { name: 'Start export' }).press('Enter');

    await page.getByText('in progress').waitFor();
    await settings.client.world.node.clock?.look();
    const link = page.getByRole('link', { name: `Download the export of #${channel.name}` });
    await link.waitFor();
    await page.getByText('complete').waitFor();
    await page.getByText('2 messages').waitFor();
    assert.deepEqual(await violationsIn(page), []);
    const [download] = await Promise.all([page.waitForEvent('download'), link.press('Enter')]);
    const archive = readFileSync(await download.path());
    const exported: Json[] = dataOf(await scene.admin.get(`/servers/${scene.server.id}/exports`));
    assert.equal(archive.length, exported[0]?.bytes);
    assert.match(download.suggestedFilename(), /^palaver-[\da-f-]{36}\.zip$/);

    await page.getByRole('button', { name: `Delete the export of #${channel.name}` }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No exports').waitFor();
    assert.deepEqual(dataOf(await scene.admin.get(`/servers/${scene.server.id}/exports`)), []);
  });

test('members without permission see why there are no exports for them', async () => {
  const page = await settings.at('exports', await settings.member('Mia'));
  await page.getByText("You don't have access to exports.").waitFor();
  assert.equal(await page.getByRole('button', { name: 'New export' }).count(), 0);
});
