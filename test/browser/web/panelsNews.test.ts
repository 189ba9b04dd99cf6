// @run chromium: the headless shell lacks notifications
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { made, PanelScene } from '../../support/panelScene.ts';
import { until as holds } from '../../support/process.ts';
import { WebClient } from '../../support/webClient.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const payload = `<img src=x onerror="window.ran=1">"'><script>window.ran=1</script>`;

/**
 * Defines `noticesNow()`, which returns the current notifications. Chromium loses a notification that it is
 * about to show if it is asked for the list at that time. So calls of `showNotification` and `noticesNow` run
 * one after another.
 */
const noticesNow = `{
  const { showNotification, getNotifications } = ServiceWorkerRegistration.prototype;
  let asked = Promise.resolve();
  const inTurn = (ask) => (asked = asked.catch(() => undefined).then(ask));
  ServiceWorkerRegistration.prototype.showNotification = function (...all) {
    return inTurn(() => showNotification.apply(this, all));
  };
  globalThis.noticesNow = async () => {
    const worker = await navigator.serviceWorker.ready;
    return (await inTurn(() => getNotifications.call(worker))).map(({ tag }) => tag);
  };
}`;
/** The ids of the messages whose notifications are on the screen. */
const shownTo = (page: Page) => page.evaluate<string[]>('noticesNow()');
const until = (page: Page, isSo: (ids: string[]) => boolean) => holds(async () => isSo(await shownTo(page)));
const away = `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' }); document.hasFocus = () => false;`;
const back = `delete document.visibilityState; document.hasFocus = () => true;`;

const titled = (page: Page, title: RegExp) => holds(async () => title.test(await page.title()));

let client: WebClient;
let scene: PanelScene;
const pages: Page[] = [];
const look = async (...args: Parameters<PanelScene['look']>): Promise<Page> => {
  const page = await scene.look(...args);
  pages.push(page);
  return page;
};
before(async () => {
  client = await WebClient.open({}, 'whole');
  scene = await PanelScene.open(client, { ada: 'Ada Lovelace', ben: payload.slice(0, 90) });
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});
after(async () => {
  await client?.close();
  client?.assertSound();
});

test('the inbox shows the start of messages in channels that were never opened here', async () => {
  const there = await PanelScene.open(client);
  const { server, asAda, asBen, ada } = there;
  const { id: channelId } = await made(asAda.post('/channels', { serverId: server.id, name: 'depot' }));
  const say = (words: string) => made(asBen.post('/messages', { channelId, content: words }));
  for (let at = 0; at < 5; at++)
    await say(`@${ada.username} **look** at crate ${at} ||${'gold '.repeat(80)}||`);
  const page = await there.look(ada, '?panel=inbox');
  pages.push(page);
  // People are shown by their display names, as in the message itself.
  const row = (at: number) => page.getByText(`@${ada.name} look at crate ${at}`);
  await row(0).waitFor();
  assert.equal(await row(4).count(), 1);
  assert.equal(await page.getByText('gold').count(), 0, 'spoilers stay hidden');
  const single = () => client.surfer.requests.filter((address) => /\/messages\/[^/]+\?/.test(address));
  await say(`@${ada.username} look at crate 5`);
  await row(5).waitFor();
  assert.deepEqual(single(), [], 'the list and the stream deliver all messages');
});

test('mentions show in the inbox and title on two devices, and marking all as read clears both', async () => {
  const [one, other] = [await look(scene.ada, '?panel=inbox'), await client.signedIn(scene.ada, '/')];
  pages.push(other);
  await one.getByText("You're all caught up").waitFor();
  // The page has no focus, so showing the messages does not mark them as read.
  await one.evaluate('document.hasFocus = () => false');
  await other.evaluate('document.hasFocus = () => false');
  for (let at = 0; at < 2; at++) await scene.send(scene.asBen, `Ahoy @${scene.ada.username} ${at}`);
  await one.locator('.inbox-row-unread').nth(1).waitFor();
  for (const page of [one, other]) await titled(page, /^\(2\)/);
  await one.getByRole('button', { name: 'Mark all as read' }).click();
  for (const page of [one, other]) await titled(page, /^[^(]/);
  assert.equal(await one.locator('.inbox-row-unread').count(), 0);
  await one.getByRole('button', { name: 'Remove', exact: true }).first().click();
  await one.locator('.inbox-row').nth(1).waitFor({ state: 'detached' });
  await one.locator('.inbox-row-link').click();
  await one.waitForURL('**/m/*?panel=inbox');
});

test('the inbox shows reactions without counting them, and can show one kind of notification at a time', async () => {
  const there = await PanelScene.open(client);
  const { server, asAda, asBen, ada } = there;
  const { id: channelId } = await made(asAda.post('/channels', { serverId: server.id, name: 'depot' }));
  const { id: messageId } = await made(asAda.post('/messages', { channelId, content: 'Crates are here' }));
  await made(asBen.post('/messages', { channelId, content: `Ahoy @${ada.username}` }));
  const page = await there.look(ada, '?panel=inbox');
  pages.push(page);
  await page.getByText(/mentioned you/).waitFor();
  await titled(page, /^\(1\)/);
  await made(asBen.post('/reactions', { messageId, emoji: '🎉' }));
  await page.getByText(/reacted to your message/).waitFor();
  await titled(page, /^\(1\)/);
  const kinds = page.getByRole('combobox', { name: 'Show' });
  await kinds.selectOption('Reactions');
  await page.getByText(/mentioned you/).waitFor({ state: 'detached' });
  assert.equal(await page.getByText('Crates are here').last().isVisible(), true);
  await page.reload();
  await page.getByText(/reacted to your message/).waitFor();
  assert.equal(await page.getByText(/mentioned you/).count(), 0, 'the tab remembers the filter');
  await kinds.selectOption('Threads');
  await page.getByText('Nothing here').waitFor();
  await kinds.selectOption('Everything');
  await page.getByText(/mentioned you/).waitFor();
});

/** Opens two unfocused tabs in Ada's browser. */
const leftTabs = async (): Promise<[Page, Page]> => {
  const page = await client.signedIn(scene.ada, scene.path());
  pages.push(page);
  await page.context().grantPermissions(['notifications']);
  await page.context().addInitScript(noticesNow);
  const second = await page.context().newPage();
  for (const tab of [page, second]) {
    await tab.goto(scene.path());
    await tab.locator('.timeline').waitFor();
    await tab.evaluate('navigator.serviceWorker.ready');
    await tab.evaluate(away);
  }
  return [page, second];
};

test('only one of two tabs notifies, and neither does while the message is in view', async () => {
  const [page, second] = await leftTabs();
  const message = await scene.send(scene.asBen, `Look up, @${scene.ada.username}`);
  await until(page, (ids) => ids.length > 0);
  await page.waitForTimeout(1000);
  assert.deepEqual(await shownTo(page), [message.id]);
  await second.evaluate(back);
  await scene.send(scene.asBen, `And again, @${scene.ada.username}`);
  await page.waitForTimeout(1500);
  assert.ok((await shownTo(page)).every((id) => id === message.id));
});

test('a click on a notification opens its message in the existing window', async () => {
  const [page, second] = await leftTabs();
  await second.close();
  const message = await scene.send(scene.asBen, `Come here, @${scene.ada.username}`);
  await until(page, (ids) => ids.includes(message.id));
  await page.evaluate(
    `history.pushState(null, '', '/me/profile'); dispatchEvent(new Event('palaver-moved'))`,
  );
  const context = page.context();
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  // The worker still lists a window for a while after it was closed.
  const windows = () =>
    worker.evaluate<number>(`clients.matchAll({ includeUncontrolled: true }).then((all) => all.length)`);
  await holds(async () => (await windows()) === 1);
  await worker.evaluate(
    `registration.getNotifications({ tag: '${message.id}' }).then(([notification]) => dispatchEvent(new NotificationEvent('notificationclick', { notification })))`,
  );
  await page.waitForURL(`**/m/${message.id}`);
  await until(page, (ids) => ids.length === 0);
});

test('notifications close when the message is read elsewhere or deleted, or the person signs out', async () => {
  const [page, second] = await leftTabs();
  const [, deleted] = [
    await scene.send(scene.asBen, `One, @${scene.ada.username}`),
    await scene.send(scene.asBen, `Two, @${scene.ada.username}`),
  ];
  await until(page, (ids) => ids.length === 2);
  await scene.asBen.delete(`/messages/${deleted.id}`);
  await until(page, (ids) => ids.length === 1);
  const other = await look(scene.ada);
  await other.bringToFront();
  await until(page, (ids) => ids.length === 0);
  await other.context().close();
  await scene.send(scene.asBen, `Three, @${scene.ada.username}`);
  await until(page, (ids) => ids.length === 1);
  await second.close();
  await page.getByRole('button', { name: /your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().waitFor();
  await until(page, (ids) => ids.length === 0);
});

test('no notification remains for a message that is deleted before or while it is shown', async () => {
  const [page, second] = await leftTabs();
  await second.close();
  const gone = async (content: string) => {
    const { id } = await scene.send(scene.asBen, `${content}, @${scene.ada.username}`);
    await scene.asBen.delete(`/messages/${id}`);
  };
  await gone('Before');
  const told = await scene.send(scene.asBen, `In between, @${scene.ada.username}`);
  await until(page, (ids) => ids.length > 0);
  assert.deepEqual(await shownTo(page), [told.id]);
  await page.evaluate(`{
      Object.assign(globalThis, { shown: 0, isShowing: false, askedMeanwhile: 0 });
      const { showNotification, getNotifications } = ServiceWorkerRegistration.prototype;
      ServiceWorkerRegistration.prototype.showNotification = async function (...all) {
        isShowing = true;
        await new Promise((done) => Object.assign(globalThis, { goOn: done }));
        await showNotification.apply(this, all);
        isShowing = false;
        shown++;
      };
      ServiceWorkerRegistration.prototype.getNotifications = function (...all) {
        if (isShowing) askedMeanwhile++;
        return getNotifications.apply(this, all);
      };
    }`);
  const slow = await scene.send(scene.asBen, `Slowly, @${scene.ada.username}`);
  await holds(() => page.evaluate<boolean>('isShowing'));
  await page.locator(`[data-message="${slow.id}"]`).waitFor();
  await scene.asBen.delete(`/messages/${slow.id}`);
  await page.locator(`[data-message="${slow.id}"]`).waitFor({ state: 'detached' });
  await page.evaluate('goOn()');
  await holds(async () => (await page.evaluate('shown')) === 1);
  await until(page, (ids) => ids.length === 1);
  assert.deepEqual(await shownTo(page), [told.id]);
  // Nothing asked for the list meanwhile: Chromium would have lost the notification it was about to show.
  assert.equal(await page.evaluate('askedMeanwhile'), 0);
});

test('others see a status and its text immediately', async () => {
  const [ada, ben] = [await look(scene.ada), await look(scene.ben, '?panel=members')];
  const row = ben.locator('.side-panel').getByRole('button', { name: /Ada Lovelace/ });
  await row.getByText('Online').waitFor();
  await ada.getByRole('button', { name: /your menu/ }).click();
  await ada.getByRole('menuitem', { name: 'Set a status…' }).click();
  await ada.getByRole('dialog').getByRole('textbox').fill(payload.slice(0, 90));
  await ada.getByRole('dialog').getByText('Busy').click();
  await ada.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Do not disturb').waitFor();
  await row.getByText('<img src=x').waitFor();
  assert.equal(await ben.evaluate('window.ran'), undefined);
});

test('all panels are accessible in both themes and do not execute user content', async () => {
  await scene.send(scene.asBen, `${payload} harbour`);
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await look(scene.ada, '', { colorScheme });
    for (const query of [
      'panel=members',
      'panel=search&q=harbour',
      'panel=inbox',
      'panel=pins',
      'panel=threads',
    ]) {
      await page.goto(scene.path(`?${query}`));
      await page.locator('.side-panel-content > *').first().waitFor();
      await page.waitForTimeout(500);
      assert.equal(await page.evaluate('window.ran'), undefined, query);
      await page.evaluate(axe);
      const found = await page.evaluate<string[]>(
        `axe.run('.side-panel').then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((one) => id + ' ' + one.target + ' ' + one.failureSummary)))`,
      );
      assert.deepEqual(found, [], `${query} ${colorScheme}`);
    }
  }
});
