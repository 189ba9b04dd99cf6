// @run sqlite, chromium: tests the client, which does not depend on the engine; the headless shell lacks service
// workers
import assert from 'node:assert/strict';

import type { BrowserContextOptions, Page } from 'playwright-core';
import { PASSWORD } from '../../support/account.ts';
import { Surfer, skip as skipBrowser } from '../../support/browser.ts';
import { messageIn, say, seen } from '../../support/journey.ts';
import { photo } from '../../support/pictures.ts';
import { type Running, Stage, until } from '../../support/process.ts';
import { type ProxyServer, skipProxy, startProxy } from '../../support/proxies.ts';
import { samplesUnder } from '../../support/proxyPage.ts';
import { testsUnless } from '../../support/skipping.ts';
import { freePort } from '../../support/valkeyServer.ts';

// The client behind nginx, configured as in the documentation for a path. Other paths belong to another site. Each test
// continues where the previous test ended.

const { test, before, after } = testsUnless(skipBrowser || skipProxy('nginx'));

const stage = new Stage();
let surfer: Surfer;
let server: Running;
let proxy: ProxyServer;
let address: string;
let ada: Page;
let ben: Page;
before(async () => {
  const port = await freePort();
  // Browsers treat `localhost` as a secure context, with service workers.
  address = `http://localhost:${port}/chat`;
  const environment = { PALAVER_ADDRESS: address, PALAVER_PROXIES: '1' };
  server = await stage.start(stage.folder(), { environment });
  const sample = (to: number) => samplesUnder.nginx(server.url, to);
  proxy = await startProxy('nginx', [server], sample, { port, under: '/chat' });
  surfer = await Surfer.open('whole');
});
after(async () => {
  await surfer?.close();
  await proxy?.close();
  await stage.close();
});

const open = async (url: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await surfer.page({ viewport: { width: 1280, height: 800 }, ...options });
  await page.goto(url);
  return page;
};
/** The path of a page below the base. */
const placeOf = (page: Page): string => page.url().slice(address.length);

test('the first start link creates the account', async () => {
  const link = /http\S+link_plv_\w+/.exec(server.output())?.[0] as string;
  assert.ok(link.startsWith(`${address}/welcome#`), link);
  ada = await open(link);
  await ada.getByLabel('New password').fill(PASSWORD);
  await ada.keyboard.press('Enter');
  await ada.getByRole('button', { name: 'Create server' }).click();
  await ada.getByLabel('Server name').fill('Harbour');
  await ada.keyboard.press('Enter');
  await ada.getByRole('heading', { name: 'general', level: 1 }).waitFor();
  assert.match(placeOf(ada), /^\/s\/[\w-]+\/c\/[\w-]+$/);
});

test('an invited person signs up, and signs out and in again', async () => {
  await ada.getByRole('button', { name: 'Harbour, 1 member: server menu' }).click();
  await ada.getByRole('menuitem', { name: 'Invite people' }).click();
  await ada.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  const link = (await ada.getByRole('dialog').locator('.copy-text').textContent()) ?? '';
  assert.ok(link.startsWith(`${address}/invite/`), link);
  await ada.keyboard.press('Escape');
  ben = await open(link);
  await ben.getByRole('heading', { name: 'Join Harbour' }).waitFor();
  await ben.getByLabel('Username').fill('ben');
  await ben.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await ben.keyboard.press('Enter');
  await ben.getByRole('heading', { name: 'general', level: 1 }).waitFor();

  await ben.evaluate("localStorage.setItem('of another site', '1')");
  const there = ben.url();
  await ben
    .getByRole('button', { name: /Your menu|ben/ })
    .last()
    .click();
  await ben.getByRole('menuitem', { name: 'Sign out' }).click();
  const name = ben.getByLabel('Username or email address');
  await name.waitFor();
  assert.equal(await ben.evaluate("localStorage.getItem('of another site')"), '1');
  assert.equal(
    await ben.evaluate('Object.keys(localStorage).filter((key) => /signed-in/.test(key)).length'),
    0,
  );
  await ben.goto(there);
  await name.fill('ben');
  await ben.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await ben.keyboard.press('Enter');
  await ben.getByRole('heading', { name: 'general', level: 1 }).waitFor();
  assert.equal(ben.url(), there);
});

test('messages arrive live, with images; links to a message open it in the page, and after a reload', async () => {
  await say(ada, 'Who has the key?');
  await seen('Who has the key?', ada, ben);
  const file = { name: 'door.jpg', mimeType: 'image/jpeg', buffer: await photo().jpeg().toBuffer() };
  await ben.locator('main input[type=file]').setInputFiles(file);
  await say(ben, 'This door');
  const image = messageIn(ada, 'This door').locator('img').last();
  await until(() => image.evaluate((one: { naturalWidth?: number }) => (one.naturalWidth ?? 0) > 0));

  const id = await messageIn(ada, 'Who has the key?').getAttribute('data-message');
  const link = `${ada.url().split('/m/')[0]}/m/${id}`;
  await say(ben, `It hangs here: ${link} and ${new URL(address).origin}/other`);
  const text = messageIn(ada, 'It hangs here').locator('.message-text');
  const other = text.locator('a[href$="/other"]');
  assert.equal(await other.getAttribute('target'), '_blank');
  await ada.evaluate('globalThis.isSamePage = true');
  await text.locator('a').first().click();
  await until(() => ada.url() === link);
  assert.equal(await ada.evaluate('globalThis.isSamePage'), true);
  await ada.reload();
  await ada.locator(`main [data-message="${id}"]`).waitFor();
  assert.equal(ada.url(), link);
});

test("a person's picture, the guides and another path's page are served from the right URLs", async () => {
  await ada.goto(`${address}/me`);
  const file = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await photo().jpeg().toBuffer() };
  await ada.locator('main input[type=file]').setInputFiles(file);
  await ada
    .getByRole('button', { name: /^(Save|Use|Upload)/ })
    .first()
    .click();
  await until(() =>
    ada.evaluate(
      '[...document.images].some(({ src, naturalWidth }) => /\\/chat\\/api\\/v1\\/pictures\\//.test(src) && naturalWidth > 0)',
    ),
  );
  const docs = await open(`${address}/docs/start`);
  await docs.locator('[data-probe].good').nth(1).waitFor();
  await docs.getByText(`curl ${address}/api/v1/users/me`).waitFor();
  await docs.getByRole('searchbox').fill('proxy');
  await docs.getByRole('link', { name: 'Behind a proxy', exact: true }).first().click();
  await docs.getByRole('heading', { name: 'Under a path' }).waitFor();
  assert.equal(docs.url(), `${address}/docs/guides/proxy`);
});

test('the service worker only covers the path, and opens the client while the server is unreachable', async () => {
  await ben.reload();
  await ben.getByRole('heading', { name: 'general', level: 1 }).waitFor();
  const scope = await ben.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)');
  assert.equal(scope, `${address}/`);
  assert.deepEqual(await ben.evaluate('caches.keys()'), ['palaver/chat']);
  // The cache contains the shell, and the files that the page has loaded.
  const isKept = `caches.open('palaver/chat').then(async (cache) => {
    const names = [...document.scripts].map(({ src }) => src).filter(Boolean);
    const kept = await Promise.all(['/chat/', ...names].map((name) => cache.match(name)));
    return kept.every(Boolean) && navigator.serviceWorker.controller !== null;
  })`;
  await until(() => ben.evaluate(isKept));
  const devtools = await ben.context().newCDPSession(ben);
  const { errors, url, manifest } = await devtools.send('Page.getAppManifest');
  assert.deepEqual([url, errors], [`${address}/manifest.webmanifest`, []]);
  assert.deepEqual([manifest.scope, manifest.startUrl, manifest.id], Array(3).fill(`${address}/`));
  await ben.context().setOffline(true);
  await ben.reload();
  await ben.getByText("Can't reach the server").waitFor();
  await ben.context().setOffline(false);
  await ben.reload();
  await seen('This door', ben);
});

test('no page sent a request outside the path or reported an error', () => {
  assert.deepEqual(
    surfer.requests.filter((url) => !url.startsWith(`${address}/`) && !/^(blob|data):/.test(url)),
    [],
  );
  assert.deepEqual(
    surfer.complaints.filter((line) => !/^Failed to load resource: /.test(line)),
    [],
  );
});
