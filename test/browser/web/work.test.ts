import assert from 'node:assert/strict';

import type { CDPSession, Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { fieldOf } from '../../support/composing.ts';
import { rowOf, Talk } from '../../support/conversation.ts';
import { until } from '../../support/process.ts';

// Counts the work that a page does. Unlike times, counts do not depend on the machine, but they determine how
// responsive a slow machine is.

const ROWS = 120;
const KEYS = 20;

/** Counts browser calls: formatted times (one per rendered row), link URLs, and database writes. */
const counting = `
  globalThis.work = { times: 0, puts: 0, news: 0, links: 0 };
  for (const kind of [Intl.DateTimeFormat, Intl.RelativeTimeFormat]) {
    const { get, value } = Object.getOwnPropertyDescriptor(kind.prototype, 'format');
    const count = (format) => (...input) => { work.times++; return format(...input); };
    Object.defineProperty(kind.prototype, 'format', {
      configurable: true,
      get() { return count(get ? get.call(this) : value.bind(this)); },
    });
  }
  // Rendering a link calls this function to build its URL.
  const encode = encodeURIComponent;
  globalThis.encodeURIComponent = (text) => { work.links++; return encode(text); };
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...input) { work.puts++; return put.apply(this, input); };
`;

let talk: Talk;
before(async () => {
  talk = await Talk.open();
  for (let count = 0; count < ROWS; count++) await talk.say('ben', `before ${count}`);
  await talk.readAll('ada');
});
after(() => talk?.client.close());

/** Opens the end of the channel with the composer focused, and waits until nothing is loading. */
const window = async (): Promise<[Page, CDPSession]> => {
  const page = await talk.client.signedIn(talk.ada, '/me');
  await page.addInitScript(counting);
  await page.goto(talk.path());
  await fieldOf(page).waitFor();
  await page.locator('[data-message]').first().waitFor();
  await fieldOf(page).click();
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
  return [page, await page.context().newCDPSession(page)];
};
const counts = (page: Page) =>
  page.evaluate<Record<'times' | 'puts' | 'news' | 'links', number>>('({ ...work })');
const layouts = async (cdp: CDPSession) => {
  await cdp.send('Performance.enable');
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'LayoutCount')?.value as number;
};

test('a key press causes one layout and renders no row, and database writes are batched', async () => {
  const [page, cdp] = await window();
  await page.keyboard.type('begun ');
  await until(async () => (await counts(page)).puts > 0);
  const [before, laidOut] = [await counts(page), await layouts(cdp)];
  await page.evaluate(`globalThis.drawn = 0;
      new MutationObserver((records) => { drawn += records.length; })
        .observe(document.querySelector('#app'), { subtree: true, childList: true, attributes: true, characterData: true })`);
  for (let key = 0; key < KEYS; key++) await page.keyboard.type('x');
  const now = await counts(page);
  assert.equal(await fieldOf(page).inputValue(), `begun ${'x'.repeat(KEYS)}`);
  assert.ok(now.puts - before.puts <= 2, `${now.puts - before.puts} writes`);
  // The caret blinks, and an earlier frame may still be in progress.
  assert.ok((await layouts(cdp)) - laidOut <= KEYS + 4, `${(await layouts(cdp)) - laidOut} layouts`);
  assert.equal(await page.evaluate('drawn'), 0, 'the page does not change');
  assert.equal(now.times - before.times, 0);
  await page.evaluate(`dispatchEvent(new Event('pagehide'))`);
  assert.ok((await counts(page)).puts > before.puts, 'typed text is saved when the page is left');
});

test('an incoming message renders only its own row, in one layout, and nothing outside the list', async () => {
  const [page, cdp] = await window();
  await page.evaluate(`
      new MutationObserver(() => { if (document.querySelector('.channel-row-news, .rail-news')) work.news++; })
        .observe(document.querySelector('#app'), { subtree: true, attributes: true, childList: true });
    `);
  // The first message is not measured: it appears next to the date, and loads everything that is read only once.
  await rowOf(page, await talk.say('ben', 'first')).waitFor();
  await page.evaluate(`globalThis.beside = [];
      new MutationObserver((records) => {
        for (const { target } of records)
          if (!target.parentElement?.closest('.timeline-content, [role=log]') && !target.matches?.('.timeline-content, [role=log]'))
            beside.push(target.className ?? target.nodeName);
      }).observe(document.querySelector('#app'), { subtree: true, childList: true, attributes: true, characterData: true })`);
  const [before, laidOut] = [await counts(page), await layouts(cdp)];
  const messages = 10;
  for (let count = 0; count < messages; count++)
    await rowOf(page, await talk.say('ben', `of ten ${count}`)).waitFor();
  const now = await counts(page);
  assert.ok(now.times - before.times >= messages, 'each row has its time');
  assert.ok(now.times - before.times <= messages * 2, `${now.times - before.times} formatted times`);
  const made = (await layouts(cdp)) - laidOut;
  assert.ok(made <= messages + 4, `${made} layouts`);
  assert.equal(now.news - before.news, 0, 'a message that is seen arriving is read');
  assert.equal(now.links - before.links, 0, 'no channel or server is rendered again');
  assert.deepEqual(await page.evaluate('beside'), [], 'nothing changes outside the list');
});

test('rows are grouped in short sections with paint containment', async () => {
  const [page] = await window();
  const sections = await page.evaluate<{ rows: number; contain: string }[]>(`
      [...document.querySelectorAll('.timeline-content > .timeline-section')].map((one) => (
        { rows: one.querySelectorAll(':scope > [data-message]').length, contain: getComputedStyle(one).contain }))`);
  assert.equal(
    sections.reduce((sum, { rows }) => sum + rows, 0),
    await page.locator('[data-message]').count(),
  );
  for (const { rows, contain } of sections) {
    assert.ok(rows > 0 && rows <= 20, `${rows} rows`);
    assert.match(contain, /paint|content/);
  }
});

test('the parts of a row create no layer, clip or effect', async () => {
  const [page] = await window();
  const { id } = await talk.say('ben', 'one of many');
  await rowOf(page, { id }).waitFor();
  await page.mouse.move(0, 0);
  const asked = await page.evaluate<string[]>(`
      [document.querySelector('[data-message="${id}"]'), ...document.querySelectorAll('[data-message="${id}"] *')].flatMap((part) => {
        const { position, overflow, opacity, clipPath, transform, filter } = getComputedStyle(part);
        const plain = [position === 'static', overflow === 'visible', opacity === '1', clipPath === 'none', transform === 'none', filter === 'none'];
        return plain.every(Boolean) ? [] : [part.className];
      })`);
  assert.deepEqual(asked, []);
});

test('the first message needs few scripts, which the page preloads and the browser compiles eagerly', async () => {
  // The owner of a new server would see the onboarding, which has its own script.
  const page = await talk.client.signedIn(talk.ben, '/me');
  await page.locator('#app > *').first().waitFor();
  // Leaves the previous page, whose scripts do not count.
  await page.goto('about:blank');
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await page.goto(talk.path());
  await page.locator('[data-message]').first().waitFor();
  const named = await page.evaluate<string[]>(`
      [...document.querySelectorAll('head link[rel=modulepreload][href], script[src]')].map((one) => new URL(one.href || one.src).pathname)`);
  const first = new Set(scripts.filter((path) => path.startsWith('/web/')));
  assert.ok(first.size <= 5, [...first].join());
  assert.deepEqual(
    [...first].filter((path) => !named.includes(path)),
    [],
  );
  for (const path of first) {
    const script = await (await fetch(new URL(path, page.url()))).text();
    assert.match(script, /^\/\/# allFunctionsCalledOnLoad\n/, path);
  }
});
