import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { after, before, Surfer, test } from '../support/browser.ts';
import { type Running, Stage } from '../support/process.ts';
import { pagesOf } from '../support/site.ts';

const stage = new Stage();
after(() => stage.close());

const contrasts = readFileSync(new URL('./contrasts.js', import.meta.url), 'utf8');
const phone = { viewport: { width: 390, height: 844 } };
const desktop = { viewport: { width: 1440, height: 900 } };

let server: Running;
let surfer: Surfer;
before(async () => {
  server = await stage.start(stage.folder());
  surfer = await Surfer.open();
});
after(() => surfer?.close());

/** Texts whose contrast is below WCAG AA. */
const faint = (page: Page) => page.evaluate<string[]>(contrasts);

test('every page fits a phone and a desktop, with readable text in light and dark', async () => {
  const paths = [...(await pagesOf(server)).keys()];
  assert.ok(paths.length > 30, String(paths));
  const page = await surfer.page();
  // Each page starts in the state in which the previous one ended, because a resize costs as much as a page load.
  const [sizes, schemes] = [[phone, desktop], ['light', 'dark'] as ('light' | 'dark')[]];
  for (const path of paths) {
    await page.goto(server.url + path, { waitUntil: 'domcontentloaded' });
    for (const { viewport } of sizes.reverse()) {
      await page.setViewportSize(viewport);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(wide <= 0, `${path} is ${wide} pixels wider than ${viewport.width}`);
    }
    for (const colorScheme of schemes.reverse()) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await faint(page), [], `${path} ${colorScheme}`);
    }
  }
  assert.deepEqual(surfer.complaints, []);
});

test('the pages apply the appearance chosen in the web client from the first paint, and link back to it', async () => {
  const page = await surfer.page({ ...desktop, colorScheme: 'light' });
  await page.goto(`${server.url}/docs/`);
  const look = () =>
    page.evaluate<string[]>(
      '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.documentElement).fontSize]',
    );
  assert.deepEqual(await look(), ['rgb(255, 255, 255)', '16px']);
  for (const [kept, wanted] of [
    ['{"theme":"dark","textSize":130}', ['rgb(25, 30, 33)', '20.8px']],
    ['{"theme":"system"}', ['rgb(255, 255, 255)', '16px']],
    ['{"theme":"__proto__","textSize":"1000"}', ['rgb(255, 255, 255)', '16px']],
    ['no JSON', ['rgb(255, 255, 255)', '16px']],
    ['null', ['rgb(255, 255, 255)', '16px']],
  ] as const) {
    await page.evaluate(`localStorage.setItem('palaver-appearance', ${JSON.stringify(kept)})`);
    await page.reload({ waitUntil: 'domcontentloaded' });
    assert.deepEqual(await look(), wanted, kept);
  }
  await page.locator('nav').getByRole('link', { name: 'Back to the chat' }).click();
  await page.waitForURL(`${server.url}/`);
  assert.deepEqual(surfer.complaints, []);
});

test('the pages make no requests to other hosts', async () => {
  const page = await surfer.page(desktop);
  const earlier = surfer.requests.length;
  for (const path of ['/docs/start', '/docs/', '/docs/guides/events', '/docs/reference/messages'])
    await page.goto(server.url + path, { waitUntil: 'networkidle' });
  const asked = surfer.requests.slice(earlier);
  assert.ok(asked.length > 15, String(asked));
  assert.deepEqual(
    asked.filter((address) => new URL(address).origin !== server.url),
    [],
  );
  assert.deepEqual(await page.context().cookies(), []);
});

test('shared assets are loaded once: the next page only loads its own HTML', async () => {
  const page = await surfer.page(desktop);
  let bytes = 0;
  page.on('requestfinished', async (request) => {
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    bytes += responseBodySize + responseHeadersSize;
  });
  await page.goto(`${server.url}/docs/reference/channels`, { waitUntil: 'networkidle' });
  const first = bytes;
  assert.ok(first > 5_000 && first < 100_000, `${first} bytes`);
  const before = surfer.requests.length;
  await page.goto(`${server.url}/docs/reference/roles`, { waitUntil: 'networkidle' });
  assert.ok(surfer.requests.length > before);
  assert.ok(bytes - first < 30_000, `${bytes - first} bytes for the second page`);
});

test('the start page shows health and a copyable curl command with this host', async () => {
  const page = await surfer.page({ ...desktop, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${server.url}/docs/start`);
  await page.locator('[data-probe="/healthz"].good').waitFor();
  await page.locator('[data-probe="/readyz"].good').waitFor();
  const figure = page.locator('figure.code', { hasText: 'users/me' });
  await figure.getByRole('button', { name: 'Copy' }).click();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.equal(copied, `curl ${server.url}/api/v1/users/me \\\n  -H "Authorization: Bearer $KEY"`);
  assert.ok(!(await page.content()).includes(server.key));
});

test('search finds guides and operations, by mouse and by keyboard', async () => {
  const page = await surfer.page(phone);
  await page.goto(`${server.url}/docs/guides/errors`);
  const widths = await page.evaluate<number[]>(
    `['figure.code:has(> .copy)', 'figure.code:has(> .copy) > pre'].map((of) => document.querySelector(of).clientWidth)`,
  );
  assert.equal(widths[1], widths[0], 'code uses the whole width of its frame');
  await page.goto(`${server.url}/docs/`);
  await page.keyboard.press('/');
  await page.keyboard.type('rate limit');
  await page.locator('.found a', { hasText: 'Over the limit' }).waitFor();
  await page.locator('.search input').fill('pin a message');
  await page.locator('.found a', { hasText: /^Pins: Pin a message/ }).click();
  await page.waitForURL(/\/docs\/reference\/pins#pinInsert$/);
  await page.locator('.search input').fill('conflict');
  await page.locator('.found a').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.found').isVisible(), false);
  await page.locator('.search input').fill('zzzz');
  await page.locator('.found .none').waitFor();
  await page.locator('.search input').fill('errors');
  await page.locator('.found a', { hasText: 'Errors' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/guides\/errors$/);
});

test('keys that end a composition in Safari leave the search alone', async () => {
  const page = await surfer.page(desktop);
  await page.goto(`${server.url}/docs/`);
  const field = page.locator('.search input');
  await field.fill('errors');
  await page.locator('.found a').first().waitFor();
  for (const key of ['Enter', 'Escape', 'ArrowDown'])
    await field.evaluate(
      `(one) => one.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', keyCode: 229, bubbles: true, cancelable: true }))`,
    );
  assert.equal(await page.locator('.found').isVisible(), true);
  assert.equal(await page.locator('.search input:focus').count(), 1);
  assert.equal(new URL(page.url()).pathname, '/docs/');
});

test('fields have a font size of at least 16 px on touch devices, so that iPhones do not zoom', async () => {
  const page = await surfer.page({ ...phone, hasTouch: true, isMobile: true });
  const counts: number[] = [];
  for (const path of ['/docs/', '/docs/start', '/docs/reference/messages']) {
    await page.goto(server.url + path);
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('input, textarea, select')].map((one) => Number.parseFloat(getComputedStyle(one).fontSize))`,
    );
    assert.ok(
      sizes.every((size) => size >= 16),
      `${path}: ${sizes}`,
    );
    counts.push(sizes.length);
  }
  assert.ok(Math.max(...counts) > 3, `${counts}`);
});

test('the menu opens on a phone and links to other pages', async () => {
  const page = await surfer.page(phone);
  await page.goto(`${server.url}/docs/guides/errors`);
  assert.equal(await page.locator('nav').isVisible(), false);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('nav').getByRole('link', { name: 'Webhooks' }).first().click();
  await page.waitForURL(/\/docs\/guides\/webhooks$/);
});
