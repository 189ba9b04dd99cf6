import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Browser, PASSWORD } from '../../support/account.ts';
import { violationsIn } from '../../support/axe.ts';
import { after, before, Surfer, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { Scene } from '../../support/scene.ts';
import { unpacked } from '../../support/unpacked.ts';
import { WebClient } from '../../support/webClient.ts';
import { type Json, TestClock } from '../../support/world.ts';

let client: WebClient;
let folder: string;
const clock = new TestClock();
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'palaver-pages-'));
  client = await WebClient.open({ clock, timers: true });
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await client?.close();
});

async function prove(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** The owner of a server, with a message in a channel, and with a direct message from another member. */
async function owner(): Promise<{ user: Json; scene: Scene }> {
  const { world } = client;
  const scene = await Scene.open(world);
  const user = scene.owner;
  const browser = await Browser.claimed(world, user);
  browser.place = scene.server.id;
  const channel = await scene.channel({ name: 'lanterns' });
  await scene.message({ channelId: channel.id, content: '<b>lit</b> & <script>alert(1)</script>' });
  const other = await world.user({ name: 'Eve of the harbour' });
  await world.member(scene.server, other);
  const dm = dataOf(await browser.api.post('/conversations', { userIds: [other.id] }));
  const eve = await Browser.of(world, other, scene.server);
  dataOf(await eve.api.post('/messages', { channelId: dm.id, content: 'Only between us' }));
  return { user, scene };
}

test('a person exports their data, downloads the archive, reads its pages without a server, and deletes it', async () => {
  const { user } = await owner();
  const page = await client.signedIn(user, '/me/data');
  await page.getByText('No exports').waitFor();
  clock.advance(11 * 60_000);
  await page.getByRole('button', { name: 'Start export' }).press('Enter');
  await prove(page);
  await page.getByText('in progress').waitFor();
  assert.deepEqual(await violationsIn(page), []);
  await client.world.node.clock?.look();
  await page.getByText('complete', { exact: true }).waitFor();
  await page.getByText('2 messages').waitFor();
  clock.advance(11 * 60_000);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download export from/ }).click();
  await prove(page);
  const download = await downloading;
  assert.equal(download.suggestedFilename(), `palaver-${user.username}.zip`);
  const first = await unpacked(await download.path(), folder);

  const surfer = await Surfer.open();
  const pages = await surfer.page();
  await pages.goto(first);
  await pages.getByRole('heading', { name: `Data of ${user.name}` }).waitFor();
  await pages.getByRole('link', { name: '#lanterns' }).click();
  await pages.getByText('<b>lit</b> & <script>alert(1)</script>').waitFor();
  assert.deepEqual(await violationsIn(pages), []);
  await pages.getByRole('link', { name: 'All channels' }).first().click();
  await pages.getByRole('link', { name: 'Eve of the harbour' }).click();
  await pages.getByText('Only between us').waitFor();
  await pages.getByRole('link', { name: 'All channels' }).first().click();
  for (const name of ['Session', 'History', 'Server member']) {
    await pages.getByRole('link', { name, exact: true }).click();
    await pages.getByRole('heading', { name, exact: true }).waitFor();
    assert.equal(await pages.locator('script').count(), 0);
    await pages.getByRole('link', { name: 'Your data' }).first().click();
  }
  assert.deepEqual(await violationsIn(pages), []);
  assert.ok(surfer.requests.length > 5);
  assert.deepEqual(
    surfer.requests.filter((url) => !url.startsWith('file://')),
    [],
  );
  assert.deepEqual(surfer.complaints, []);
  await surfer.close();

  await page.getByRole('button', { name: /^Delete export from/ }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No exports').waitFor();
  client.assertSound();
});
