import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { made, PanelScene } from '../../support/panelScene.ts';
import { WebClient } from '../../support/webClient.ts';

const panelOf = (page: Page) => page.locator('.side-panel');
const openPages: Page[] = [];
const kept = async (page: Promise<Page>): Promise<Page> => {
  const opened = await page;
  openPages.push(opened);
  return opened;
};

let client: WebClient;
let scene: PanelScene;
before(async () => {
  client = await WebClient.open();
  scene = await PanelScene.open(client);
});
afterEach(async () => {
  for (const page of openPages.splice(0)) await page.context().close();
});
after(async () => {
  await client?.close();
  client?.assertSound();
});

test('a reply in a thread shows immediately to others who have it open', async () => {
  const first = await scene.send(scene.asAda, 'Who has the key?');
  const thread = await made(scene.asAda.post('/threads', { messageId: first.id, name: 'The key' }));
  const [ada, ben] = await Promise.all(
    [scene.ada, scene.ben].map((user) => kept(scene.look(user, `?thread=${thread.id}`))),
  );
  assert.ok(ada && ben);
  await panelOf(ben).getByText('Who has the key?').waitFor();
  const field = panelOf(ada).getByRole('textbox', { name: 'Reply in thread' });
  await field.fill('Done');
  await field.press('Enter');
  await panelOf(ben).getByText('Done').waitFor();
  await panelOf(ben).locator('.thread-root-line').getByText('1 reply').waitFor();
  assert.equal(await ben.locator('.server-page-main').getByText('Done').count(), 0);

  await panelOf(ada).getByRole('button', { name: 'Thread options' }).click();
  await ada.getByRole('menuitem', { name: 'Lock' }).click();
  await panelOf(ben).getByText('This thread is locked').waitFor();
  await panelOf(ada).getByRole('button', { name: 'Thread options' }).click();
  await ada.getByRole('menuitem', { name: 'Delete thread' }).click();
  await ada.getByRole('dialog').getByRole('button', { name: 'Delete thread' }).click();
  await panelOf(ben).getByText('Thread not found').waitFor();
  await panelOf(ada).waitFor({ state: 'detached' });
  client.surfer.complaints.splice(0);
});

test('new replies in an open thread are announced, and following a thread can be turned on and off', async () => {
  const first = await scene.send(scene.asAda, 'Listen');
  const thread = await made(scene.asAda.post('/threads', { messageId: first.id, name: 'To be heard' }));
  await made(scene.asBen.post('/messages', { threadId: thread.id, content: 'said before' }));
  const page = await kept(scene.look(scene.ada, `?thread=${thread.id}`));
  await panelOf(page).getByText('said before').waitFor();
  const log = page.getByRole('log', { name: 'New replies' });
  await made(scene.asBen.post('/messages', { threadId: thread.id, content: 'said **now**' }));
  await log.getByText('said now').waitFor({ state: 'attached' });
  assert.doesNotMatch(await log.innerText(), /said before/);

  const follow = async (isOn: boolean) => {
    await panelOf(page).getByRole('button', { name: 'Thread options' }).click();
    const item = page.getByRole('menuitemcheckbox', { name: 'Follow thread' });
    assert.equal(await item.getAttribute('aria-checked'), String(isOn));
    await item.click();
  };
  // The author of the first message follows the thread.
  await follow(true);
  await page.locator('.toast-text', { hasText: 'notified of new replies unless you post here' }).waitFor();
  await follow(false);
  await page.locator('.toast-text', { hasText: "You'll be notified of new replies" }).waitFor();
});

test('the thread list shows unread threads and links to them, and "back" returns to the list', async () => {
  const first = await scene.send(scene.asAda, 'A matter');
  const thread = await made(scene.asAda.post('/threads', { messageId: first.id, name: 'The matter' }));
  await made(scene.asBen.post('/messages', { threadId: thread.id, content: 'A word' }));
  const root = await scene.send(scene.asAda, 'A **plan**\nwith more');
  await made(scene.asAda.post('/threads', { messageId: root.id }));
  const page = await kept(scene.look(scene.ada, '?panel=threads'));
  // A thread without a name is listed by the first line of its message.
  await panelOf(page).getByText('A plan', { exact: true }).waitFor();
  const row = panelOf(page).getByRole('link', { name: /The matter/ });
  await row.getByText('1 unread reply').waitFor();
  await row.click();
  await panelOf(page).getByText('A word').waitFor();
  await panelOf(page).getByRole('button', { name: 'Back' }).click();
  await row.waitFor();
  await made(scene.asBen.post('/messages', { threadId: thread.id, content: 'Another' }));
  await row.getByText('2 replies').waitFor();
  // A thread shown next to its message does not repeat the message.
  const third = await scene.send(scene.asAda, 'Once only');
  await made(scene.asAda.post('/threads', { messageId: third.id, name: 'Once only' }));
  const foot = page.locator(`[data-message="${third.id}"] .message-thread`);
  await foot.getByText('Thread').waitFor();
  assert.equal(await foot.getByText('Once only').count(), 0);
});

test('pins update live and link to their message', async () => {
  const page = await kept(scene.look(scene.ada, '?panel=pins'));
  await panelOf(page).getByText('No pinned messages').waitFor();
  const message = await scene.send(scene.asBen, 'Pin **this**');
  const pin = await made(scene.asAda.post('/pins', { messageId: message.id }));
  const card = panelOf(page).locator('.message-card');
  await card.getByText('this').waitFor();
  await card.getByRole('link', { name: /Ben/ }).click();
  await page.waitForURL(`**/m/${message.id}?panel=pins`);
  await card.getByRole('button', { name: 'Unpin' }).click();
  await panelOf(page).getByText('No pinned messages').waitFor();
  assert.equal((await scene.asAda.delete(`/pins/${pin.id}`)).status, 404);
  // Members without permission to unpin see no button for it.
  await made(scene.asAda.post('/pins', { messageId: message.id }));
  const ben = await kept(scene.look(scene.ben, '?panel=pins'));
  await panelOf(ben).locator('.message-card').waitFor();
  assert.equal(await panelOf(ben).getByRole('button', { name: 'Unpin' }).count(), 0);
});

test('roles that are assigned and removed update live for others', async () => {
  const role = await made(scene.asAda.post('/roles', { serverId: scene.server.id, name: 'Pilot' }));
  const [ada, ben] = await Promise.all(
    [scene.ada, scene.ben].map((user) => kept(scene.look(user, '?panel=members'))),
  );
  assert.ok(ada && ben);
  for (const page of [ada, ben])
    await panelOf(page)
      .getByRole('button', { name: /Ben Bitdiddle/ })
      .click();
  const card = (page: Page) => page.getByRole('dialog', { name: 'Ben Bitdiddle' });
  await card(ben).getByText('Member', { exact: true }).waitFor();
  assert.equal(await card(ben).getByRole('button', { name: 'Add role' }).count(), 0);
  await card(ada).getByRole('button', { name: 'Add role' }).click();
  await ada.getByRole('menuitem', { name: 'Pilot' }).click();
  for (const page of [ada, ben]) await card(page).getByText('Pilot').waitFor();
  await card(ada).getByRole('button', { name: 'Remove role Pilot' }).click();
  for (const page of [ada, ben]) await card(page).getByText('Pilot').waitFor({ state: 'detached' });
  // A role that was assigned before this page loaded can be removed, too.
  await made(scene.asAda.post('/user-roles', { userId: scene.ben.id, roleId: role.id }));
  await ada.reload();
  await panelOf(ada)
    .getByRole('button', { name: /Ben Bitdiddle/ })
    .click();
  await card(ada).getByRole('button', { name: 'Remove role Pilot' }).click();
  await card(ada).getByText('Pilot').waitFor({ state: 'detached' });
  client.surfer.complaints.splice(0);
});

test('a member who is kicked while viewing a server is notified, and loses access to it', async () => {
  const cem = await client.world.user({ name: 'Cem Özgür' });
  const member = await client.world.member(scene.server, cem);
  await scene.send(scene.asAda, 'Among us');
  const page = await kept(scene.look(cem, '?panel=members'));
  await page.getByText('Among us').waitFor();
  await page
    .locator('.side-panel')
    .getByRole('button', { name: /Ada Lovelace/ })
    .waitFor();
  dataOf(await scene.asAda.delete(`/server-members/${member.id}`));
  await page.getByText(`You're no longer a member of ${scene.server.name}.`).first().waitFor();
  await page.getByText('Among us').waitFor({ state: 'detached' });
  const text = await page.locator('body').innerText();
  assert.doesNotMatch(text, new RegExp(`Ada Lovelace|${scene.channel.name}`));
  // The browser logs requests that were rejected because the user was removed.
  client.surfer.complaints.splice(0);
});

test('a search links to its results and stays open next to them', async () => {
  const message = await scene.send(scene.asBen, 'The lighthouse **lamp** is broken');
  for (let at = 0; at < 30; at++) await scene.send(scene.asAda, `Noise ${at}`);
  const page = await kept(scene.look(scene.ada));
  await page.locator('.timeline').waitFor();
  await page.keyboard.press('Control+f');
  await panelOf(page).locator('input:focus').waitFor();
  await page.keyboard.type('LIGHT lam');
  await page.keyboard.press('Enter');
  const card = panelOf(page).locator('.message-card');
  await card.getByText('lighthouse').waitFor();
  assert.deepEqual(await card.locator('mark').allTextContents(), ['lighthouse', 'lamp']);
  await card.getByRole('link').click();
  await page.waitForURL(`**/m/${message.id}?panel=search&q=LIGHT+lam`);
  await page.locator(`.server-page-main [data-message="${message.id}"]`).waitFor();
  assert.equal(await card.count(), 1);
  await page.reload();
  await card.getByText('lighthouse').waitFor();
  await panelOf(page).getByRole('searchbox').fill(`from:${scene.ada.username} lamp`);
  await page.keyboard.press('Enter');
  await panelOf(page).getByText('No results').first().waitFor();
  await panelOf(page)
    .getByRole('button', { name: /Remove filter/ })
    .click();
  await card.getByText('lighthouse').waitFor();
  await panelOf(page).getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Author').fill(scene.ben.username);
  await page.getByRole('dialog').getByRole('button', { name: 'Search' }).click();
  await panelOf(page).getByText(`from @${scene.ben.username}`).waitFor();
  await card.getByText('lighthouse').waitFor();
  dataOf(await scene.asAda.delete(`/messages/${message.id}`));
  await card.waitFor({ state: 'detached' });
});

test('a search without words finds links in the whole server; other filters require words', async () => {
  const scene = await PanelScene.open(client);
  await scene.send(scene.asBen, 'Tide tables: https://example.com/tides');
  await scene.send(scene.asBen, 'Nothing to see');
  const page = await scene.look(scene.ada, '?panel=search');
  const field = panelOf(page).getByRole('searchbox');
  await field.fill('has:link');
  await field.press('Enter');
  await panelOf(page).getByText('Tide tables').waitFor();
  assert.equal(await panelOf(page).getByText('Nothing to see').count(), 0);
  await field.fill('is:thread');
  await field.press('Enter');
  await panelOf(page).getByText('Type a word to search for').waitFor();
});

test('keys typed before the search or a thread has loaded go to its text field', async () => {
  await scene.send(scene.asAda, 'The anchor chain');
  const page = await kept(scene.look(scene.ada, '', { serviceWorkers: 'block' }));
  await page.locator('main .composer-field:focus').waitFor();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = page.waitForRequest(/Panels-\w+\.js/);
  await page.context().route(/Panels-\w+\.js/, async (route) => {
    await released;
    await route.continue();
  });
  await page.keyboard.press('Control+f');
  await asked;
  await page.keyboard.type('anchorx');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  release();
  await panelOf(page).locator('mark', { hasText: 'anchor' }).waitFor();
  assert.equal(await page.locator('main .composer-field').inputValue(), '');
  await panelOf(page).locator('input:focus').press('End');
  await page.keyboard.type(' ch');
  assert.equal(await panelOf(page).locator('input').first().inputValue(), 'anchor ch');

  // Keys typed after T go into the reply and do not act as shortcuts on the message.
  await page.route('**/api/v1/threads**', (route) => setTimeout(() => route.continue(), 300));
  await page.locator('main [data-message]').last().focus();
  await page.keyboard.press('t');
  await page.keyboard.type('pulled e');
  await panelOf(page).locator('.composer-field:focus').waitFor();
  assert.equal(await panelOf(page).locator('.composer-field').inputValue(), 'pulled e');
  assert.equal(await page.locator('.message-edit').count(), 0);
});

/** In the page: presses Ctrl F right after the composer gets the focus, before the effects of that render run. */
const SEARCHES_AT_ONCE = `addEventListener('focusin', ({ target }) => {
  const pressed = new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true });
  if (target.matches('.composer-field')) queueMicrotask(() => target.dispatchEvent(pressed));
})`;

test('the search opens by shortcut as soon as the composer has the focus', async () => {
  const page = await kept(scene.look(scene.ada));
  await page.addInitScript(SEARCHES_AT_ONCE);
  await page.reload();
  await panelOf(page).getByRole('searchbox').waitFor();
});

test('every panel works by keyboard and returns the focus', async () => {
  const page = await kept(scene.look(scene.ada));
  const opener = page.getByRole('button', { name: 'Members', exact: true });
  await opener.focus();
  await page.keyboard.press('Enter');
  await panelOf(page)
    .getByRole('button', { name: /Ben Bitdiddle/ })
    .waitFor();
  await page.getByRole('searchbox').focus();
  await page.keyboard.type('bitd');
  await page.getByText('1 member found').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Ben Bitdiddle' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.match(await page.evaluate<string>('document.activeElement.textContent'), /Ben Bitdiddle/);
  const edge = page.getByRole('separator', { name: 'Resize panel' });
  await edge.focus();
  const before = Number(await edge.getAttribute('aria-valuenow'));
  await page.keyboard.press('ArrowLeft');
  assert.equal(Number(await edge.getAttribute('aria-valuenow')), before + 24);
  await page.keyboard.press('Escape');
  await panelOf(page).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Members');
});
