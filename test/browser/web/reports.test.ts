import assert from 'node:assert/strict';
import { violationsIn } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import { withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

let settings: SettingsScene;
let moderator: Json;
let member: Json;
before(async () => {
  settings = await SettingsScene.open();
  const role = await settings.scene.role({ name: 'Guards', canModerate: true });
  moderator = await settings.member('Gwen', role);
  member = await settings.member('Mia');
});
after(() => settings?.close());

for (const width of [1280, 390])
  test(`at ${width} pixels, a member reports a message, and a moderator closes the report`, async () => {
    const { scene, client } = settings;
    const { id: channelId } = await scene.channel();
    const content = `You fool, ${width}`;
    await scene.message({ channelId, content });
    const options = { ...withoutWorker, viewport: { width, height: 860 } };
    const page = await client.signedIn(member, `/s/${scene.server.id}/c/${channelId}`, options);
    const row = page.locator('[data-message]', { hasText: content });
    await row.focus();
    await row.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Report' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report message?' });
    await dialog.waitFor();
    assert.deepEqual(await violationsIn(page), []);
    await dialog.getByLabel('Why are you reporting it?').fill('Insults me');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Report' }).click();
    await page.getByText('Message reported.').first().waitFor();

    const desk = await settings.at('reports', moderator, { viewport: { width, height: 860 } });
    await desk.getByText(content).waitFor();
    await desk.getByText('Insults me').waitFor();
    assert.deepEqual(await violationsIn(desk), []);
    await desk.getByRole('button', { name: /^Resolve the report/ }).click();
    await desk.getByText('No open reports').waitFor();
    await desk.getByText('Resolved', { exact: true }).click();
    await desk.getByText('Insults me').first().waitFor();
    assert.equal(await desk.getByText(content).count(), 0, 'the copy is gone');
    await until(async () => {
      const open = await scene.admin.get(`/servers/${scene.server.id}/reports?state=open`);
      return dataOf(open).length === 0;
    });
  });
