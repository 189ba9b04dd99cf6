import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { png } from '../../support/pictures.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import { plainBytes, upload } from '../../support/uploads.ts';
import { signIn, withoutWorker } from '../../support/webClient.ts';

// Over plain HTTP at a host name, as on a local network, browsers do not send `Sec-Fetch-Site` with requests.

let settings: SettingsScene;
let page: Page;
let baseURL: string;
before(async () => {
  settings = await SettingsScene.open({ timers: true });
  const { client, scene } = settings;
  baseURL = client.url.replace('localhost', 'palaver.test');
  page = await client.surfer.page({ baseURL, ...withoutWorker });
  await signIn(page.context(), client.world, scene.owner, baseURL);
});
after(() => settings?.close());

async function saved(link: string): Promise<Buffer> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: link }).click();
  return readFileSync(await (await downloading).path());
}

test('images are shown, and files and exports are downloaded', async () => {
  const { client, scene } = settings;
  const channel = await scene.channel({ name: 'lanterns' });
  const bytes = plainBytes(3_000);
  const files = [
    dataOf(await upload(client.world, scene.admin, Buffer.from(png(60, 40)), 'harbour.png')),
    dataOf(await upload(client.world, scene.admin, bytes, 'chart.bin')),
  ];
  const body = { channelId: channel.id, content: 'See here', attachmentIds: files.map(({ id }) => id) };
  dataOf(await scene.admin.post('/messages', body));
  await page.goto(`/s/${scene.server.id}/c/${channel.id}`);
  assert.equal(await page.evaluate('isSecureContext'), false);
  await page.locator('.picture-image-shown').waitFor();
  assert.deepEqual(await saved('chart.bin'), bytes);

  dataOf(await scene.admin.post(`/servers/${scene.server.id}/exports`, { channelId: channel.id }));
  await client.world.node.clock?.look();
  await page.goto(settings.path('exports'));
  await page.getByText('complete').waitFor();
  const archive = await saved('Download export: #lanterns');
  const [made] = dataOf(await scene.admin.get(`/servers/${scene.server.id}/exports`));
  assert.equal(archive.length, made.bytes);

  const [cookie] = await page.context().cookies();
  const elsewhere = await fetch(`${client.world.url}/api/v1/exports/${made.id}/content`, {
    headers: { cookie: `${cookie?.name}=${cookie?.value}`, referer: 'http://evil.example/' },
  });
  assert.equal(elsewhere.status, 401);
});
