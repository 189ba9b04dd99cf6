import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import {
  go,
  hostileScene,
  moving,
  outOfReach,
  pagesOfRoutes,
  panelsOfRoutes,
  settled,
} from '../../support/everyPage.ts';
import { WebClient } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

let client: WebClient;
let person: Json;
let paths: Record<string, string[]>;
let page: Page;
/** All paths, including the sections that the pages link to. */
const all: string[] = [];
before(async () => {
  client = await WebClient.open({ signUp: 'open' });
  ({ person, paths } = await hostileScene(client));
  page = await client.signedIn(person, '/me', {
    reducedMotion: 'reduce',
    viewport: desktop,
  });
  page.setDefaultTimeout(10_000);
  await settled(page);
  for (const path of Object.values(paths).flat()) {
    all.push(path);
    if (!/^\/(me|platform)$|\/settings$/.test(path)) continue;
    await go(page, path);
    const links: string[] = await page.evaluate(
      `[...document.querySelectorAll('nav a[href^="${path}/"]')].map((one) => one.pathname)`,
    );
    assert.ok(links.length >= 6, `${path} leads to ${links}`);
    all.push(...links);
  }
});
after(() => client?.close());

/** The problems found, by kind. A single visit to each page checks for all of them. */
const found = { rules: [] as string[], reach: [] as string[], mains: [] as string[] };
const lookForReach = async (path: string, how: string) => {
  for (const one of await outOfReach(page)) found.reach.push(`${path}, ${how}: ${one}`);
};
const lookForMain = async (path: string) => {
  const mains = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main, [role=main]')].filter((one) => one.checkVisibility()).map(({ id }) => id)`,
  );
  // Only the frame for signed-in users has the skip link.
  const isFramed = (await page.locator('.frame-skip').count()) > 0;
  if (mains.length !== 1 || (isFramed && mains[0] !== 'main'))
    found.mains.push(`${path}: ${mains.map((id) => `#${id}`)}`);
};
const look = async (path: string) => {
  await go(page, path);
  for (const one of await moving(page)) found.rules.push(`${path}: ${one} moves`);
  for (const one of await violationsInThemes(page)) found.rules.push(`${path}, ${one}`);
  await page.setViewportSize({ width: 640, height: 400 });
  await lookForReach(path, '200 %');
  await page.evaluate('document.documentElement.dir = "rtl"');
  await lookForReach(path, '200 %, from right to left');
  await page.setViewportSize(desktop);
  await lookForReach(path, 'from right to left');
  await page.evaluate('document.documentElement.dir = ""');
  await page.setViewportSize(phone);
  await settled(page);
  await lookForMain(path);
  await page.setViewportSize(desktop);
};

test('every page and panel in the routes is visited', () => {
  assert.deepEqual(Object.keys(paths).toSorted(), pagesOfRoutes().toSorted());
  assert.ok(panelsOfRoutes().length >= 5);
});

test('no page has axe violations in either theme, and nothing moves with reduced motion', async () => {
  for (const path of all) await look(path);
  assert.deepEqual(found.rules, []);
});

test('every page fits the window at 200 % zoom and from right to left, with each control in reach', () => {
  assert.deepEqual(found.reach, []);
});

test('every page has one main landmark on a phone, and the skip link leads to it', async () => {
  const pins = `${all.find((one) => one.includes('/c/'))}?panel=pins`;
  await page.setViewportSize(phone);
  await go(page, pins);
  await lookForMain(pins);
  assert.deepEqual(found.mains, []);
});

test('no page executes user content or makes requests to other hosts', async () => {
  assert.equal(await page.evaluate('globalThis.hacked'), undefined);
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  client.assertSound();
});
