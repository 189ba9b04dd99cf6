import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { go } from '../../support/everyPage.ts';
import { made, PanelScene } from '../../support/panelScene.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

let client: WebClient;
before(async () => {
  client = await WebClient.open({ limits: { '*': 0 } });
});
afterEach(() => client.surfer.close());
after(() => client?.close());

const rowOf = (page: Page, { id }: Json) => page.locator(`[data-message="${id}"]`);
const preview = (page: Page) => page.locator('a.linked-message');

test('a message is forwarded with a comment, and only users who can see the original see its preview', async () => {
  const scene = await PanelScene.open(client);
  const { server } = scene;
  const open = await made(scene.asAda.post('/channels', { serverId: server.id, name: 'announcements' }));
  const closed = await made(
    scene.asAda.post('/channels', { serverId: server.id, name: 'board', private: true }),
  );
  const original = await made(
    scene.asAda.post('/messages', { channelId: closed.id, content: 'The **harbour** opens in May' }),
  );
  const page = await client.signedIn(scene.ada, `/s/${server.id}/c/${closed.id}`, {
    ...withoutWorker,
    viewport: { width: 1280, height: 800 },
  });
  await rowOf(page, original).focus();
  await page.keyboard.press('f');
  const dialog = page.getByRole('dialog', { name: 'Forward message' });
  await dialog.getByLabel('Find channels').fill('announce');
  await page.keyboard.press('Enter');
  await dialog.getByRole('checkbox', { name: '#announcements', checked: true }).waitFor();
  await dialog.getByLabel('Comment').fill('Good news');
  assert.deepEqual(await violationsInThemes(page), []);
  await dialog.getByRole('button', { name: 'Forward' }).click();
  await dialog.waitFor({ state: 'detached' });
  await go(page, `/s/${server.id}/c/${open.id}`);
  await page.getByText('Good news').waitFor();
  await preview(page).getByText('The harbour opens in May').waitFor();
  await preview(page).getByText('#board').waitFor();
  assert.deepEqual(await violationsInThemes(page), []);

  const ben = await client.signedIn(scene.ben, `/s/${server.id}/c/${open.id}`, withoutWorker);
  await ben.getByText('Good news').waitFor();
  await ben.getByText("This message was deleted, or you can't see it").waitFor();
  assert.equal(await ben.getByText('The harbour opens in May').count(), 0);

  // The preview follows edits, and leads to the message.
  await made(scene.asAda.patch(`/messages/${original.id}`, { content: 'The harbour opens in June' }));
  await preview(page).getByText('The harbour opens in June').waitFor();
  await preview(page).click();
  await page.waitForURL(`**/c/${closed.id}/m/${original.id}`);
  await rowOf(page, original).waitFor();
});

test('forwarding a message to a person starts a direct message with them', async () => {
  const scene = await PanelScene.open(client);
  const original = await scene.send(scene.asAda, 'Tide tables attached');
  const page = await scene.look(scene.ada);
  await rowOf(page, original).hover();
  await rowOf(page, original).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Forward' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forward message' });
  await dialog.getByRole('button', { name: 'Forward' }).click();
  await dialog.getByText('Select at least one channel').waitFor();
  await dialog.getByLabel('Find channels').fill('Bitd');
  await dialog.getByRole('checkbox', { name: 'Ben Bitdiddle' }).check();
  await dialog.getByRole('button', { name: 'Forward' }).click();
  await dialog.waitFor({ state: 'detached' });
  const ben = await scene.look(scene.ben);
  await ben.getByRole('link', { name: 'Ada Lovelace: 1 unread message' }).click();
  await preview(ben).getByText('Tide tables attached').waitFor();
  client.assertSound();
});
