import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../../support/browser.ts';
import { PanelScene } from '../../support/panelScene.ts';
import { WebClient } from '../../support/webClient.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const payload = `<img src=x onerror="window.ran=1">"'><script>window.ran=1</script>`;

/** Notes the notifications of a page instead of showing them. */
const noted = `window.notices = []; window.Notification = class {
  static permission = 'granted';
  static requestPermission = async () => 'granted';
  constructor(title, { tag }) { window.notices.push(tag + ' ' + title); }
  close() {}
};`;

async function titled(page: Page, title: RegExp): Promise<void> {
  for (let turns = 0; turns < 100 && !title.test(await page.title()); turns++) await page.waitForTimeout(100);
  assert.match(await page.title(), title);
}

describe('the inbox, presence and notifications', { skip }, () => {
  let client: WebClient;
  let scene: PanelScene;
  const pages: Page[] = [];
  const look = async (...args: Parameters<PanelScene['look']>): Promise<Page> => {
    const page = await scene.look(...args);
    page.setDefaultTimeout(10_000);
    pages.push(page);
    return page;
  };
  before(async () => {
    client = await WebClient.open();
    scene = await PanelScene.open(client, { ada: 'Ada Lovelace', ben: payload.slice(0, 90) });
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
  });
  after(async () => {
    await client?.close();
    client?.assertSound();
  });

  test('mentions arrive in the inbox and the title of two devices, and all are read on both', async () => {
    const [one, other] = [await look(scene.ada, '?panel=inbox'), await client.signedIn(scene.ada, '/')];
    pages.push(other);
    await one.getByText('Nothing here').waitFor();
    // Elsewhere, so that nothing is read by being shown.
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

  test('of two tabs one tells of a message, and none while it is before the person', async () => {
    const page = await client.surfer.page({ baseURL: client.url });
    pages.push(page);
    await page.context().addInitScript(noted);
    const signed = await client.signedIn(scene.ada, '/');
    await page.context().addCookies(await signed.context().cookies());
    await signed.context().close();
    const second = await page.context().newPage();
    const away = `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' }); document.hasFocus = () => false;`;
    for (const tab of [page, second]) {
      await tab.goto(scene.path());
      await tab.locator('.timeline').waitFor();
      await tab.evaluate(away);
    }
    const message = await scene.send(scene.asBen, `Look up, @${scene.ada.username}`);
    const notices = async () =>
      (await Promise.all([page, second].map((tab) => tab.evaluate<string[]>('window.notices')))).flat();
    await page.waitForTimeout(1500);
    const told = await notices();
    assert.equal(new Set(told.map((one) => one.split(' ')[0])).size, 1, String(told));
    assert.ok(
      told.every((one) => one.startsWith(message.id)),
      String(told),
    );
    assert.equal(
      [await page.evaluate('window.notices.length'), await second.evaluate('window.notices.length')].filter(
        Number,
      ).length,
      1,
    );
    await second.evaluate(`delete document.visibilityState; document.hasFocus = () => true;`);
    await scene.send(scene.asBen, `And again, @${scene.ada.username}`);
    await page.waitForTimeout(1500);
    assert.deepEqual(await notices(), told);
  });

  test('a status shows to another at once, with its text', async () => {
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

  test('all of it is accessible, in both themes, and runs nothing that people write', async () => {
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
});
