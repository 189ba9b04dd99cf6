import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { Browser } from '../../support/account.ts';
import { after, before, test } from '../../support/browser.ts';
import { rowOf, Talk } from '../../support/conversation.ts';
import { dataOf } from '../../support/expect.ts';
import { fieldIn, say, showsOnce } from '../../support/journey.ts';
import { until } from '../../support/process.ts';

/** Exceeds the six connections that a browser opens to one host. */
const TABS = 8;

let talk: Talk;
before(async () => {
  talk = await Talk.open();
});
after(async () => {
  await talk?.client.close();
});

/** Opens tabs in one browser at the channel, and counts the streams that each of them opens. */
async function tabsOf(there: Talk, count: number): Promise<{ pages: Page[]; streams: Map<Page, number> }> {
  const first = await there.look('ada');
  const context = first.context();
  // Requests from this page must not be counted.
  await first.goto('about:blank');
  const streams = new Map<Page, number>();
  context.on('request', (request) => {
    if (!new URL(request.url()).pathname.endsWith('/people/events')) return;
    const page = request.frame().page();
    streams.set(page, (streams.get(page) ?? 0) + 1);
  });
  await first.goto(there.path());
  const pages = [first];
  while (pages.length < count) pages.push(await context.newPage());
  for (const page of pages.slice(1)) await page.goto(there.path());
  for (const page of pages) await page.locator('[data-message], .timeline-beginning').first().waitFor();
  return { pages, streams };
}

test('eight tabs share one stream, all show everything, and no event is missed when the leader closes', async () => {
  const there = await Talk.open(talk.client);
  const { pages, streams } = await tabsOf(there, TABS);
  assert.equal(
    [...streams.values()].reduce((sum, one) => sum + one, 0),
    1,
  );
  const said = await there.say('ben', 'to all eight');
  for (const page of pages) await rowOf(page, said).waitFor({ timeout: 5_000 });
  const [leader] = streams.keys();
  assert.ok(leader);
  const rest = pages.filter((page) => page !== leader);
  // Sends continuously before, during and after closing the tab.
  const texts: string[] = [];
  let isOver = false;
  const saying = (async () => {
    while (!isOver) {
      texts.push(`word ${String(texts.length).padStart(3, '0')}`);
      await there.say('ben', texts.at(-1) as string);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  })();
  await leader.close();
  await until(() => rest.some((page) => streams.has(page)));
  isOver = true;
  await saying;
  for (const page of rest) await showsOnce(page, texts);
  assert.equal(rest.filter((page) => streams.has(page)).length, 1, 'one of the tabs has the stream now');
  await rest[0]?.context().close();
});

test('a message that a closed tab could not send is sent by another tab, which shows it', async () => {
  const there = await Talk.open(talk.client);
  const { pages } = await tabsOf(there, 2);
  const [one, other] = pages as [Page, Page];
  await one.route('**/api/v1/messages', (route) => route.abort());
  for (const text of ['left 1', 'left 2']) await say(one, text);
  await one.locator('.message-pending').nth(1).waitFor();
  await one.close();
  await showsOnce(other, ['left 1', 'left 2']);
  await other.locator('.message-pending').first().waitFor({ state: 'detached' });
  const { data } = await there.as.ada.get(`/channels/${there.channel.id}/messages`);
  assert.deepEqual(
    data.map(({ content }: { content: string }) => content),
    ['left 2', 'left 1'],
  );
  await other.context().close();
});

test('a frozen page shows missed messages when it wakes, without a full reload', async () => {
  const there = await Talk.open(talk.client);
  await there.say('ben', 'before');
  const page = await there.look('ada');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  const said = await there.say('ben', 'while it slept');
  let views = 0;
  page.on('request', (request) => {
    if (/\/(view|snapshot)(\?|$)/.test(request.url())) views++;
  });
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await rowOf(page, said).waitFor({ timeout: 5_000 });
  assert.equal(views, 0);
  await page.context().close();
});

test("signing out leaves none of the person's data in the browser, in any tab", async () => {
  const there = await Talk.open(talk.client);
  await there.say('ben', 'a secret matter');
  const { pages } = await tabsOf(there, 2);
  const [one, other] = pages as [Page, Page];
  // Makes the client store data: a draft, a reply, a search and a theme.
  await fieldIn(one).fill('an unfinished thought');
  await one.locator('[data-message]').first().focus();
  await one.keyboard.press('r');
  await one.keyboard.press('Escape');
  await one.keyboard.press('Control+f');
  await one.locator('.side-panel input:focus').waitFor();
  await one.keyboard.type('secret');
  await one.keyboard.press('Enter');
  await one.locator('.side-panel mark').first().waitFor();
  await one.goto('/me/appearance');
  await one.getByText('Dark', { exact: true }).click();
  const kept = (page: Page) =>
    page.evaluate<string>(`(async () => JSON.stringify({
        databases: (await indexedDB.databases()).map(({ name }) => name),
        local: Object.keys(localStorage), session: Object.keys(sessionStorage),
        cookies: document.cookie,
        files: (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat(),
      }))()`);
  assert.match(await kept(one), new RegExp(`palaver-${there.ada.id}`));
  await one.getByRole('button', { name: /your menu/ }).click();
  await one.getByRole('menuitem', { name: 'Sign out' }).click();
  for (const page of [one, other]) await page.getByLabel('Username or email address').waitFor();
  for (const page of [one, other]) {
    const left = async () => JSON.parse(await kept(page));
    await until(async () => (await left()).databases.length === 0);
    const { local, session, cookies, files } = await left();
    assert.deepEqual([local, session, cookies], [['palaver-appearance'], [], '']);
    assert.deepEqual(
      files.filter((path: string) => path !== '/' && !path.startsWith('/web/')),
      [],
    );
  }
  // Neither tab writes anything when it is closed or reloaded.
  for (const page of [one, other]) await page.reload();
  const { databases, local, session } = JSON.parse(await kept(other));
  assert.deepEqual([databases, local, session], [[], ['palaver-appearance'], []]);
  await other.context().close();
});

test('signing out offline deletes the data at once, and revokes the session on reconnect', async () => {
  const there = await Talk.open(talk.client);
  const page = await there.look('ada');
  await fieldIn(page).fill('a draft');
  await until(() => page.evaluate<boolean>(`(async () => (await indexedDB.databases()).length > 0)()`));
  const [{ name, value } = { name: '', value: '' }] = (await page.context().cookies()).filter(
    (cookie) => cookie.httpOnly && !/known/.test(cookie.name),
  );
  const isIn = async () =>
    (
      await fetch(`${talk.client.url}/api/people/me`, {
        headers: { 'palaver-server': 'none', cookie: `${name}=${value}` },
      })
    ).status === 200;
  assert.ok(await isIn());
  await page.context().setOffline(true);
  await page.getByRole('button', { name: /your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText("Couldn't reach the server").waitFor();
  await until(() => page.evaluate<boolean>(`(async () => (await indexedDB.databases()).length === 0)()`));
  assert.ok(await isIn());
  await page.context().setOffline(false);
  await until(async () => !(await isIn()));
  await page.reload();
  await page.getByLabel('Username or email address').waitFor();
  await until(() => page.evaluate<boolean>(`localStorage.getItem('palaver-leaving') === null`));
  await page.context().close();
});

test('an hour after a session has ended elsewhere, the unsent messages and drafts are deleted', async () => {
  const there = await Talk.open(talk.client);
  const page = await there.look('ada');
  await page.route('**/api/v1/messages', (route) => route.abort());
  await say(page, 'not sent before the session ended');
  await page.locator('.message-pending').waitFor();
  const stored = () => page.evaluate<number>(`(async () => (await indexedDB.databases()).length)()`);
  const lapsed = () =>
    page.evaluate<string[]>(`Object.keys(localStorage).filter((key) => key.startsWith('palaver-lapsed-'))`);
  const other = await Browser.of(there.client.world, there.ada);
  dataOf(await other.delete('/sessions'));
  await page.getByText('Your session has expired.').waitFor();
  assert.equal(await stored(), 1, 'kept until the person signs in again');
  await page.reload();
  await until(async () => (await lapsed()).length === 1);
  await page.evaluate(`localStorage.setItem(${JSON.stringify((await lapsed())[0])}, Date.now() - 3_600_001)`);
  await page.reload();
  await page.getByLabel('Username or email address').waitFor();
  await until(async () => (await stored()) === 0);
  assert.deepEqual(await lapsed(), []);
  await page.context().close();
});

test('a page that opens before the session is revoked does not use it', async () => {
  const there = await Talk.open(talk.client);
  const page = await there.look('ada');
  await page.evaluate(`localStorage.setItem('palaver-leaving', '1')`);
  await page.route('**/api/people/sign-out', (route) => route.abort());
  await page.reload();
  await page.getByLabel('Username or email address').waitFor();
  await page.context().close();
});

test('signing out asks first if unsent messages would be lost', async () => {
  const there = await Talk.open(talk.client);
  const page = await there.look('ada');
  await page.route('**/api/v1/messages', (route) => route.abort());
  await say(page, 'not sent yet');
  await page.locator('.message-pending').waitFor();
  await page.getByRole('button', { name: /your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out?' });
  await dialog.getByText("A message hasn't been sent yet").waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.unroute('**/api/v1/messages');
  await page.locator('.message-pending').waitFor({ state: 'detached' });
  await showsOnce(page, ['not sent yet']);
  await page.context().close();
});

test('the pages report no error and make no requests to other hosts', () => {
  // The browser logs requests that were aborted or made offline.
  const { complaints } = talk.client.surfer;
  complaints.splice(
    0,
    complaints.length,
    ...complaints.filter((line) => !/ERR_FAILED|ERR_INTERNET_DISCONNECTED/.test(line)),
  );
  talk.client.assertSound();
});
