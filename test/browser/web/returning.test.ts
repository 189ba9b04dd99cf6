import assert from 'node:assert/strict';

import type { Page, Request } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { firstInView, restingTop, rowOf, Talk } from '../../support/conversation.ts';
import { go } from '../../support/everyPage.ts';
import { dataOf } from '../../support/expect.ts';
import { messageIn } from '../../support/journey.ts';
import { until } from '../../support/process.ts';
import type { Json } from '../../support/world.ts';

const REPLIES = 60;

/** Scrolls a box to a position with the wheel. */
async function wheelTo(page: Page, selector: string, top: number): Promise<void> {
  const box = page.locator(selector);
  await box.hover();
  await until(async () => (await box.evaluate((one) => one.scrollHeight - one.clientHeight)) >= top);
  const from = await box.evaluate((one) => one.scrollTop);
  await page.mouse.wheel(0, top - from);
  await isAt(page, selector, top);
}

/** Waits until a box is scrolled to this position. */
async function isAt(page: Page, selector: string, top: number): Promise<void> {
  let found = -1;
  const isThere = async () => {
    found = await page.locator(selector).evaluate((one) => Math.round(one.scrollTop));
    return Math.abs(found - top) <= 2;
  };
  await until(isThere).catch(() => assert.fail(`${selector} is at ${found} px, not at ${top}`));
}

/** Waits until the history entry has saved the scroll position. */
const isNoted = (page: Page, top: number) =>
  until(async () =>
    page.evaluate<boolean>(
      `Object.values(history.state?.scrolls ?? {}).some((one) => Math.abs(one - ${top}) <= 2)`,
    ),
  );

let talk: Talk;
let page: Page;
let thread: Json;
const replies: Json[] = [];
before(async () => {
  talk = await Talk.open();
  const root = await talk.say('ben', 'a long matter');
  thread = dataOf(await talk.as.ada.post('/threads', { messageId: root.id }));
  for (let at = 0; at < REPLIES; at++)
    replies.push(
      dataOf(await talk.as.ben.post('/messages', { threadId: thread.id, content: `reply ${at} of many` })),
    );
  await talk.readAll('ada');
  page = await talk.look('ada', { viewport: { width: 1280, height: 800 } });
});
after(async () => {
  await talk?.client.close();
});

const inThread = (at: number) => `.side-panel [data-message="${replies[at]?.id}"]`;
const topInThread = (at: number) =>
  page.evaluate<number | undefined>(
    `(() => { const row = document.querySelector('${inThread(at)}'); return row && row.getBoundingClientRect().top - row.closest('.timeline-scroller').getBoundingClientRect().top; })()`,
  );

const restingIn = async (at: number): Promise<number | undefined> => {
  let top: number | undefined;
  await until(async () => {
    const last = top;
    top = await topInThread(at);
    return top !== undefined && top === last;
  });
  return top;
};

test('the first load requests each resource once', async () => {
  const page = await talk.look('ada');
  await messageIn(page, 'a long matter').waitFor();
  const wanted = [
    '/api/people/me',
    `/api/people/servers/${talk.server.id}/snapshot`,
    `/api/people/channels/${talk.channel.id}/view`,
  ];
  for (const path of [talk.path(), '/']) {
    const asked: string[] = [];
    const note = (request: Request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (!['before', 'after'].some((one) => searchParams.has(one))) asked.push(pathname);
    };
    page.on('request', note);
    await page.goto(path);
    await messageIn(page, 'a long matter').waitFor();
    page.off('request', note);
    assert.deepEqual(
      wanted.map((one) => asked.filter((each) => each === one).length),
      [1, 1, 1],
      `${path}: ${asked.join(' ')}`,
    );
  }
  await page.context().close();
});

test('a thread keeps its scroll position after a reload and after going back', async () => {
  await go(page, `${talk.path()}?thread=${thread.id}`);
  await page.locator(inThread(REPLIES - 1)).waitFor();
  await page.locator('.side-panel .timeline-scroller').hover();
  await page.mouse.wheel(0, -1_200);
  await page.locator(inThread(20)).waitFor();
  // The position is saved after half a second, or when the page is left.
  const first = await page.evaluate<number>(
    `[...document.querySelectorAll('.side-panel [data-message]')].findIndex((one) => one.getBoundingClientRect().top > 200)`,
  );
  assert.ok(first >= 0 && first < REPLIES - 10, `row ${first}`);
  const before = await restingIn(first);
  await page.reload();
  await page.locator(inThread(first)).waitFor();
  await until(async () => Math.abs(((await topInThread(first)) ?? 9_999) - (before as number)) < 3);
  await go(page, '/me/language');
  await page.goBack();
  await page.locator(inThread(first)).waitFor();
  await until(async () => Math.abs(((await topInThread(first)) ?? 9_999) - (before as number)) < 3);
});

test('a permalink to a reply opens it in its thread, even after a reload', async () => {
  const reply = replies[10] as { id: string };
  await page.evaluate('navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }');
  await go(page, `${talk.path()}?thread=${thread.id}`);
  const row = page.locator('.side-panel [data-message]').last();
  await row.focus();
  await page.keyboard.press('l');
  await until(async () => (await page.evaluate('globalThis.copied')) !== undefined);
  const copied = new URL(await page.evaluate<string>('globalThis.copied'));
  const last = await row.getAttribute('data-message');
  const path = (copied.pathname + copied.search).replace(last ?? '', reply.id);
  for (const come of [() => go(page, path), () => page.reload()]) {
    await come();
    await page.locator(`.side-panel [data-message="${reply.id}"].message-marked, ${inThread(10)}`).waitFor();
    await until(async () => {
      const top = await topInThread(10);
      return top !== undefined && top > 100 && top < 600;
    });
    assert.equal(await page.getByText('This message no longer').count(), 0);
  }
  assert.equal(await page.locator('main .message-marked').count(), 0);
});

test('search results keep their scroll position', async () => {
  await go(page, `${talk.path()}?panel=search&q=many`);
  await page.locator('.side-panel-content mark').nth(20).waitFor();
  await wheelTo(page, '.side-panel-content', 900);
  await isNoted(page, 900);
  await page.reload();
  await isAt(page, '.side-panel-content', 900);
  await go(page, '/me/language');
  await page.goBack();
  await isAt(page, '.side-panel-content', 900);
  // Another search starts at the top.
  await go(page, `${talk.path()}?panel=search&q=reply`);
  await page.locator('.side-panel-content mark').nth(20).waitFor();
  await isAt(page, '.side-panel-content', 0);
  await page.goBack();
  await isAt(page, '.side-panel-content', 900);
});

test('a settings page keeps its scroll position, and another starts at the top', async () => {
  await page.setViewportSize({ width: 1280, height: 420 });
  await go(page, '/me/appearance');
  await wheelTo(page, '.sections-main', 300);
  await isNoted(page, 300);
  await page.reload();
  await isAt(page, '.sections-main', 300);
  await page.locator('a[href="/me/shortcuts"]').click();
  await page.locator('a[href="/me/shortcuts"][aria-current]').waitFor();
  await isAt(page, '.sections-main', 0);
  await page.goBack();
  await isAt(page, '.sections-main', 300);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a channel keeps its scroll position, even when opened by a link', async () => {
  const there = await Talk.open(talk.client);
  for (let at = 0; at < 50; at++) await there.say('ben', `line ${at}`);
  await there.readAll('ada');
  dataOf(await there.as.ada.post('/channels', { serverId: there.server.id, name: 'elsewhere' }));
  const window = await there.look('ada', { viewport: { width: 1280, height: 800 } });
  await messageIn(window, 'line 49').waitFor();
  await window.locator('.timeline-scroller').hover();
  await window.mouse.wheel(0, -700);
  await until(() => window.evaluate<boolean>(`sessionStorage.getItem('palaver-positions') !== null`));
  const before = await firstInView(window);
  await window.getByRole('link', { name: 'elsewhere' }).click();
  await window.getByLabel('Message #elsewhere').waitFor();
  await window.getByRole('link', { name: there.channel.name }).click();
  await rowOf(window, before).waitFor();
  assert.ok(Math.abs(((await restingTop(window, before.id)) ?? 9_999) - before.top) < 3);
  await window.context().close();
});

test('the channel keeps its scroll position when a panel opens, and when going back closes the panel', async () => {
  const there = await Talk.open(talk.client);
  const said: Json[] = [];
  for (let at = 0; at < 50; at++) said.push(await there.say('ben', `line ${at}`));
  await there.readAll('ada');
  const window = await there.look('ada', { messageId: said[20].id });
  await window.locator('.message-marked').waitFor();
  const before = await restingTop(window, said[20].id);
  await go(window, `${there.path(said[20].id)}?panel=members`);
  await window.locator('.side-panel').waitFor();
  await window.goBack();
  await window.locator('.side-panel').waitFor({ state: 'detached' });
  await rowOf(window, said[20]).waitFor();
  assert.ok(Math.abs(((await restingTop(window, said[20].id)) ?? 9_999) - (before as number)) < 3);
  talk.client.assertSound();
});
