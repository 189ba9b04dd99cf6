import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { made, PanelScene } from '../../support/panelScene.ts';
import { until } from '../../support/process.ts';
import { WebClient } from '../../support/webClient.ts';

let client: WebClient;
before(async () => {
  client = await WebClient.open({ limits: { '*': 0 } });
});
afterEach(() => client.surfer.close());
after(async () => {
  await client?.close();
  client?.assertSound();
});

const SHORTCUT = 'Control+Shift+M';
const panelOf = (page: Page) => page.getByRole('region', { name: 'Inbox' });
const rows = (page: Page) => panelOf(page).getByRole('list', { name: 'Inbox' }).getByRole('link');
const isFocused = (one: Locator) => until(() => one.evaluate((element) => element.matches(':focus')));

/** Creates messages that mention Ada in a channel that she has not opened. Returns them latest first. */
async function mentioned(count: number) {
  const scene = await PanelScene.open(client);
  const { server, asAda, asBen, ada } = scene;
  const { id: channelId } = await made(asAda.post('/channels', { serverId: server.id, name: 'depot' }));
  const messages = [];
  for (let at = 0; at < count; at++)
    messages.push(
      await made(asBen.post('/messages', { channelId, content: `@${ada.username} crate ${at}` })),
    );
  const newest = messages.toReversed();
  return { scene, channelId, newest };
}

test('the inbox opens by shortcut, and arrows, Enter and M work in it', async () => {
  const { scene, channelId, newest } = await mentioned(3);
  const page = await scene.look(scene.ada);
  await page.locator('.timeline').waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press(SHORTCUT);
  await rows(page).nth(2).waitFor();
  await isFocused(rows(page).first());
  assert.deepEqual(await violationsInThemes(page), []);
  await page.keyboard.press('ArrowDown');
  await isFocused(rows(page).nth(1));
  await page.keyboard.press('End');
  await isFocused(rows(page).nth(2));
  await page.keyboard.press('Home');
  await isFocused(rows(page).first());
  const unread = panelOf(page).locator('.inbox-row-unread');
  assert.equal(await unread.count(), 3);
  await page.keyboard.press('m');
  await until(async () => (await unread.count()) === 2);
  await isFocused(rows(page).first());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/c/${channelId}/m/${newest[1]?.id}?panel=inbox`);
  await page.locator(`.timeline [data-message="${newest[1]?.id}"]`).waitFor();
  // Opening a message in another channel focuses that channel's text field. The shortcut returns to the row.
  await isFocused(page.getByRole('textbox', { name: /^Message/ }));
  await page.keyboard.press(SHORTCUT);
  await isFocused(rows(page).nth(1));
  await page.keyboard.press(SHORTCUT);
  await panelOf(page).waitFor({ state: 'detached' });
});

test('the focus stays in the inbox when a notification leaves it', async () => {
  const { scene } = await mentioned(4);
  const page = await scene.look(scene.ada);
  await page.locator('.timeline').waitFor();
  await page.keyboard.press(SHORTCUT);
  await isFocused(rows(page).first());
  await page.keyboard.press('Shift+Tab');
  const filter = panelOf(page).getByRole('combobox', { name: 'Show' });
  await isFocused(filter);
  await page.keyboard.press('ArrowDown');
  await until(async () => (await filter.inputValue()) === 'unread');
  await rows(page).nth(3).waitFor();
  await page.keyboard.press('Tab');
  await isFocused(rows(page).first());
  await page.keyboard.press('m');
  await until(async () => (await rows(page).count()) === 3);
  await isFocused(rows(page).first());
  assert.match(await rows(page).first().locator('xpath=..').innerText(), /crate 2/);
  await page.keyboard.press('Delete');
  await until(async () => (await rows(page).count()) === 2);
  await isFocused(rows(page).first());
  // Tab moves from a row to its buttons. The buttons of other rows are not tab stops.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await isFocused(panelOf(page).getByRole('button', { name: 'Mark as read', exact: true }).nth(1));
  await page.keyboard.press('Enter');
  await until(async () => (await rows(page).count()) === 1);
  await isFocused(rows(page).first());
  await page.keyboard.press('Shift+Tab');
  await isFocused(filter);
});

test('closing a thread returns to its row in the inbox', async () => {
  const { scene } = await mentioned(2);
  const { asAda, asBen, ada } = scene;
  const message = await scene.send(asAda, 'Which crane?');
  const thread = await made(asAda.post('/threads', { messageId: message.id, name: 'Crane' }));
  await made(
    asBen.post('/messages', {
      channelId: scene.channel.id,
      threadId: thread.id,
      content: `@${ada.username} the red one`,
    }),
  );
  await scene.send(asBen, `@${ada.username} ahoy`);
  const page = await scene.look(ada);
  await page.locator('.timeline').waitFor();
  await page.keyboard.press(SHORTCUT);
  await isFocused(rows(page).first());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/[?&]thread=/);
  await page.locator('.side-panel').getByText('the red one').waitFor();
  await page.keyboard.press('Escape');
  await rows(page).nth(1).waitFor();
  await isFocused(rows(page).nth(1));
});

test('the list of shortcuts includes the inbox shortcuts', async () => {
  const scene = await PanelScene.open(client);
  const page = await client.signedIn(scene.ada, '/me/shortcuts');
  await page.getByText('Open, focus or close the inbox').waitFor();
  await page.getByText('Mark as read, or remove').waitFor();
  await page.getByText('Ctrl Shift M').waitFor();
});
