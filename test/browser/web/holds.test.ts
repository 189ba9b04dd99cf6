import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsIn } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { Scene } from '../../support/scene.ts';
import { find } from '../../support/sources.ts';
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
  assert.equal(await row.getByRole('button').count(), 0);
  const ended = await world.data.db.read.first(find('hold', { reason: 'Case 4711' }));
  assert.notEqual(ended?.endedAt, null);
  client.assertSound();
});
