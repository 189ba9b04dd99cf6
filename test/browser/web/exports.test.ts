import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { violationsIn } from '../../support/axe.ts';
import { after, before, Surfer, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { png } from '../../support/pictures.ts';
import { until } from '../../support/process.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import { unpacked } from '../../support/unpacked.ts';
import { upload } from '../../support/uploads.ts';
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
    const link = page.getByRole('link', { name: `Download export: #${channel.name}` });
    await link.waitFor();
    await page.getByText('complete').waitFor();
    await page.getByText('2 messages').waitFor();
    assert.deepEqual(await violationsIn(page), []);
    const [download] = await Promise.all([page.waitForEvent('download'), link.press('Enter')]);
    const archive = readFileSync(await download.path());
    const exported: Json[] = dataOf(await scene.admin.get(`/servers/${scene.server.id}/exports`));
    assert.equal(archive.length, exported[0]?.bytes);
    assert.match(download.suggestedFilename(), /^palaver-[\da-f-]{36}\.zip$/);

    await page.getByRole('button', { name: `Delete export: #${channel.name}` }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No exports').waitFor();
    assert.deepEqual(dataOf(await scene.admin.get(`/servers/${scene.server.id}/exports`)), []);
  });

test("an export's pages can be read without a server, with their images", async (t) => {
  const { scene, client } = settings;
  const channel = await scene.channel({ name: 'harbour' });
  const file = dataOf(await upload(client.world, scene.admin, Buffer.from(png(60, 40)), 'quay.png'));
  const content = '<b>lit</b> & <script>alert(1)</script>';
  const body = { channelId: channel.id, content, attachmentIds: [file.id] };
  const { id: messageId } = dataOf(await scene.admin.post('/messages', body));
  const thread = await scene.thread({ messageId });
  await scene.message({ threadId: thread.id, content: 'Aye' });
  const { id } = dataOf(await scene.admin.post(`/servers/${scene.server.id}/exports`, {}));
  await until(async () => {
    await client.world.node.clock?.look();
    return dataOf(await scene.admin.get(`/exports/${id}`)).state === 'done';
  });
  const folder = mkdtempSync(join(tmpdir(), 'palaver-pages-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const headers = { authorization: `Bearer ${scene.admin.key}` };
  const answer = await fetch(`${client.world.url}/api/v1/exports/${id}/content`, { headers });
  writeFileSync(join(folder, 'export.zip'), Buffer.from(await answer.arrayBuffer()));

  const surfer = await Surfer.open();
  const page = await surfer.page();
  await page.goto(await unpacked(join(folder, 'export.zip'), join(folder, 'pages')));
  assert.deepEqual(await violationsIn(page), []);
  await page.getByRole('link', { name: '#harbour' }).click();
  await page.getByText(content).waitFor();
  await page.locator('article.reply').filter({ hasText: 'Aye' }).waitFor();
  await page.locator('article img').scrollIntoViewIfNeeded();
  const width = `document.querySelector('article img').decode().then(() => document.querySelector('article img').naturalWidth)`;
  assert.equal(await page.evaluate<number>(width), 60);
  assert.equal(await page.locator('script').count(), 0);
  assert.deepEqual(await violationsIn(page), []);
  await page.getByRole('link', { name: 'All channels' }).first().click();
  await page.getByRole('link', { name: '#harbour' }).waitFor();
  assert.deepEqual(
    surfer.requests.filter((url) => !url.startsWith('file://')),
    [],
  );
  assert.deepEqual(surfer.complaints, []);
  await surfer.close();
});

test('members without permission see why they cannot export', async () => {
  const page = await settings.at('exports', await settings.member('Mia'));
  await page.getByText("You don't have access to exports.").waitFor();
  assert.equal(await page.getByRole('button', { name: 'New export' }).count(), 0);
});
