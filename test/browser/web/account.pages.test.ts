import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { Browser, linkFor } from '../../support/account.ts';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Scene } from '../../support/scene.ts';
import { WebClient } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

const PAYLOAD = `"><img src=x onerror="window.ran=1"><script>window.ran=1</script>{{1}}`;

/** Navigates like a link in the client, without a page load. */
const go = (page: Page, path: string) =>
  page.evaluate((path) => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser, whose types the tests lack
    const { history, dispatchEvent, Event } = globalThis as any;
    history.pushState(null, '', path);
    dispatchEvent(new Event('palaver-moved'));
  }, path);

/** Waits until nothing is loading, and asserts that no user content has run as code. */
async function assertSafe(page: Page, path: string): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  await page.locator('.spinner, [aria-busy="true"]').first().waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('window.ran'), undefined, path);
}

/** Like `assertSafe`, and also checks the page with axe in both themes. */
async function assertAccessible(page: Page, path: string): Promise<void> {
  await assertSafe(page, path);
  assert.deepEqual(await violationsInThemes(page), [], path);
}

let client: WebClient;
let admin: Json;
before(async () => {
  client = await WebClient.open();
  const { world } = client;
  admin = await world.user({ name: PAYLOAD, platformAdmin: true });
  await world.server(admin, PAYLOAD);
  await Browser.of(world, admin, undefined, PAYLOAD);
  const scene = await Scene.open(world);
  const app = await scene.app({ name: PAYLOAD, description: PAYLOAD });
  await scene.make('/apps/submit', { id: app.id });
});
afterEach(() => client.surfer.close());
after(() => client?.close());

test('public pages are accessible and do not execute user content', async () => {
  const { world } = client;
  const scene = await Scene.open(world);
  const invite = await scene.invite();
  await scene.admin.patch(`/servers/${scene.server.id}`, { name: PAYLOAD, description: PAYLOAD });
  const user = await world.user({ name: PAYLOAD });
  const { token } = await linkFor(world, user);
  const page = await client.visit('/');
  await assertAccessible(page, '/');
  for (const path of [
    '/sign-in',
    '/sign-up',
    '/reset',
    `/invite/${invite.id}`,
    '/welcome',
    '/device',
    '/authorize',
    '/sign-in/none',
  ]) {
    await go(page, path);
    await assertAccessible(page, path);
  }
  const link = await client.visit(`/welcome#${token}`);
  await link.getByLabel('New password').waitFor();
  await assertAccessible(link, 'a link');
  client.assertSound();
});

// `everyPage` checks whether these pages are accessible.
test('account and platform pages do not execute user content', async () => {
  const page = await client.signedIn(admin, '/me');
  const mine = [
    'profile',
    'security',
    'sessions',
    'history',
    'notifications',
    'appearance',
    'shortcuts',
    'language',
    'data',
  ];
  const platform = ['health', 'users', 'servers', 'apps', 'holds', 'settings', 'audit'];
  for (const path of [...mine.map((id) => `/me/${id}`), ...platform.map((id) => `/platform/${id}`)]) {
    await go(page, path);
    await assertSafe(page, path);
  }
  await go(page, '/device');
  await assertSafe(page, '/device');
  client.assertSound();
});

test('only platform admins see the platform pages', async () => {
  const page = await client.signedIn(await client.world.user(), '/platform/users');
  await page.getByText('These pages are for platform admins').waitFor();
  assert.equal(await page.getByRole('table').count(), 0);
  client.assertSound();
});

test('the chosen appearance applies from the first paint, even after a reload', async () => {
  const page = await client.signedIn(admin, '/me/appearance');
  await page.getByText('Dark', { exact: true }).click();
  await page.getByText('Compact', { exact: true }).click();
  await page.getByText('115%').click();
  await page.getByRole('switch', { name: 'Reduce motion' }).click();
  const look = () =>
    page.evaluate<unknown>(
      '({ ...document.documentElement.dataset, size: document.documentElement.style.fontSize })',
    );
  const wanted = { theme: 'dark', density: 'compact', motion: 'reduced', size: '115%' };
  assert.deepEqual(await look(), wanted);
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Appearance' }).waitFor();
  assert.deepEqual(await look(), wanted);
  client.assertSound();
});
