import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { PanelScene } from '../../support/panelScene.ts';
import { WebClient } from '../../support/webClient.ts';

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

let client: WebClient;
before(async () => {
  client = await WebClient.open({ callUrl: 'https://meet.example.com/{room}' });
});
afterEach(() => client.surfer.close());
after(() => client?.close());

/** Opens a call with `click`, and returns the URL of the new tab. */
async function calledBy(page: Page, click: () => Promise<void>): Promise<string> {
  await page.context().route('https://meet.example.com/**', (route) => route.fulfill({ body: 'The room' }));
  const opened = page.waitForEvent('popup');
  await click();
  const tab = await opened;
  await tab.waitForURL('https://meet.example.com/**');
  assert.equal(await tab.evaluate('window.opener'), null, 'the other page cannot reach the client');
  const url = tab.url();
  await tab.close();
  return url;
}

test('the call button opens the same room for everybody in the channel, including from the menu on a phone', async () => {
  const scene = await PanelScene.open(client);
  const page = await scene.look(scene.ada);
  const button = page.getByRole('button', { name: 'Start or join a call' });
  const url = await calledBy(page, () => button.press('Enter'));
  const small = await client.signedIn(scene.ben, scene.path(), phone);
  const again = await calledBy(small, async () => {
    await small.getByRole('button', { name: 'Channel options' }).click();
    await small.getByRole('menuitem', { name: 'Start or join a call' }).click();
  });
  assert.equal(again, url);
});
