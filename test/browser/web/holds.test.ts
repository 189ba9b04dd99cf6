import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { violationsIn } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { Scene } from '../../support/scene.ts';
import { find } from '../../support/sources.ts';
import { plainBytes, upload } from '../../support/uploads.ts';
import { WebClient } from '../../support/webClient.ts';

let client: WebClient;
let page: Page;
let scene: Scene;
before(async () => {
  client = await WebClient.open();
  scene = await Scene.open(client.world);
  const admin = await client.world.user({ name: 'Root', platformAdmin: true });
  page = await client.signedIn(admin, '/platform/holds');
});
after(() => client?.close());

test('a legal hold is created for a user, listed, and ended after a confirmation', async () => {
  const { world } = client;
  const user = await world.user({ username: 'mallory' });
  await page.getByText('No legal holds').waitFor();
  await page.getByRole('button', { name: 'Create hold' }).first().press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Server').selectOption(scene.server.id);
  await dialog.getByLabel('Reason').fill('Case 4711');
  await dialog.getByLabel('Username').fill('nobody_here');
  await dialog.getByLabel('Ends on').fill('2099-01-31T12:00');
  assert.deepEqual(await violationsIn(page), []);
  await dialog.getByRole('button', { name: 'Create hold' }).click();
  await dialog.getByText('No account has this username.').waitFor();
  await dialog.getByLabel('Username').fill('@Mallory');
  await dialog.getByRole('button', { name: 'Create hold' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Case 4711' });
  await row.getByText(`${scene.server.name}: messages by @mallory`).waitFor();
  await row.getByText('Active').waitFor();
  assert.deepEqual(await violationsIn(page), []);
  const made = await world.data.db.read.first(find('hold', { reason: 'Case 4711' }));
  assert.deepEqual([made?.userId, made?.serverId, made?.channelId], [user.id, scene.server.id, null]);
  assert.ok((made?.until ?? 0) > Date.UTC(2099, 0, 30));

  await row.getByRole('button', { name: 'End hold: Case 4711' }).press('Enter');
  await dialog.getByRole('button', { name: 'End hold' }).click();
  await row.getByText('Ended', { exact: true }).waitFor();
  assert.equal(await row.getByRole('button', { name: 'End hold' }).count(), 0);
  const ended = await world.data.db.read.first(find('hold', { reason: 'Case 4711' }));
  assert.notEqual(ended?.endedAt, null);
  client.assertSound();
});

test('a legal hold is created for a channel chosen by name, and shows the messages that it keeps', async () => {
  const { world } = client;
  const channel = await scene.channel({ name: 'cargo' });
  const author = await world.user({ username: 'grace_of_cargo' });
  const key = await world.client(scene.server, ['canEditData'], author);
  await page.reload();
  await page.getByRole('button', { name: 'Create hold' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Server').selectOption(scene.server.id);
  await dialog.getByLabel('Channel (optional)').selectOption({ label: '#cargo' });
  await dialog.getByLabel('Username').fill('grace_of');
  await dialog.locator('datalist option[value=grace_of_cargo]').waitFor({ state: 'attached' });
  await dialog.getByLabel('Username').fill('grace_of_cargo');
  await dialog.getByLabel('Reason').fill('Case 4712');
  await dialog.getByRole('button', { name: 'Create hold' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Case 4712' });
  await row.getByText(`${scene.server.name}: messages by @grace_of_cargo in channel #cargo`).waitFor();
  await row.getByRole('button', { name: 'Deleted messages: Case 4712' }).click();
  await dialog.getByText('No deleted messages').waitFor();
  await page.keyboard.press('Escape');

  const file = dataOf(await upload(world, key, plainBytes(2_000), 'manifest.txt'));
  const sent = { channelId: channel.id, content: 'Hide <b>this</b>', attachmentIds: [file.id] };
  const { id } = dataOf(await key.post('/messages', sent));
  dataOf(await key.patch(`/messages/${id}`, { content: 'Hide that' }));
  dataOf(await key.delete(`/messages/${id}`));
  for (let count = 0; count < 26; count++) {
    const more = dataOf(await key.post('/messages', { channelId: channel.id, content: `More ${count}.` }));
    dataOf(await key.delete(`/messages/${more.id}`));
  }
  await row.getByRole('button', { name: 'Deleted messages: Case 4712' }).press('Enter');
  const kept = dialog.getByRole('listitem').filter({ hasText: 'Hide that' });
  for (const text of ['@grace_of_cargo', '#cargo', 'manifest.txt', '1 earlier version'])
    await kept.getByText(text).first().waitFor();
  const downloading = page.waitForEvent('download');
  await kept.getByRole('link', { name: 'Download manifest.txt' }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'manifest.txt');
  assert.equal(readFileSync(await download.path()).length, 2_000);
  await kept.getByText('1 earlier version').click();
  await kept.getByText('Hide <b>this</b>').waitFor();
  assert.deepEqual(await violationsIn(page), []);
  assert.equal(await dialog.getByText('More 25.').count(), 0);
  await dialog.getByRole('button', { name: 'Show more' }).click();
  await dialog.getByText('More 25.').waitFor();
  client.assertSound();
});
